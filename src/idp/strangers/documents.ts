import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { hour, minute, second, type Clock, type Millis } from "../../core/clock.ts";
import { createTurns, createTurnsByKey } from "../../core/pace/turns.ts";
import { isJson } from "../../http/index.ts";
import { jsonAs } from "../../core/text/json.ts";
import type { Client } from "../client/client.ts";
import type { ClientRepository } from "../client/client.repository.ts";
import type { Reader } from "../client/published.ts";
import { documentAddress } from "./document.address.ts";
import { Metadata, strangerOf } from "./stranger.settings.ts";

interface DocumentOptions {
  readonly rules: Parameters<typeof documentAddress>[1];
  readonly read: Reader;
  readonly rows: Pick<ClientRepository, "byId" | "keepDocument">;
  /** Returns the algorithms by which ID tokens can be signed with the keys that are set. */
  readonly algorithms: () => Promise<readonly string[]>;
  readonly onUnreadable: (id: string, error: unknown) => void;
  readonly clock: Clock;
}

const Document = Type.Intersect([Metadata, Type.Object({ client_id: Type.String() })]);
/** A secret in a document is one that everybody has. */
const Secret = Type.Object({ client_secret: Type.Unknown() });

const mostBytes = 32 * 1024;
const kept = { shortestMs: minute, otherwiseMs: hour, longestMs: 24 * hour } as const;
/** How long an address that led to no client is left alone, and how many such are remembered. */
const restMs = 30 * second;
const mostFailures = 1_000;
/** How many documents are read at once, and how many of one host. Clients that are known have places of their own. */
const ofAll = { running: 16, waiting: 64 } as const;
const ofOneHost = { running: 2, waiting: 8 } as const;

/** Returns how long a document is good for, by what its server says (RFC 9111 §5.2.2). */
function lifetimeOf(headers: Pick<Headers, "get">): Millis {
  const control = headers.get("cache-control") ?? "";
  if (/\bno-(?:store|cache)\b/i.test(control)) return kept.shortestMs;
  const seconds = /\bmax-age=(\d{1,9})\b/i.exec(control)?.[1];
  if (seconds === undefined) return kept.otherwiseMs;
  return Math.min(Math.max(Number(seconds) * second, kept.shortestMs), kept.longestMs);
}

class TooMany extends Error {}

/** Knows the clients whose id is the address of a document about them (OAuth Client ID Metadata Document). */
export function createDocuments({ rules, read, rows, algorithms, onUnreadable, clock }: DocumentOptions) {
  const failed = new Map<string, Millis>();
  const reading = new Map<string, Promise<Client | undefined>>();
  const refusal = (): Error => new TooMany("too many documents are being read");
  const lanes = () => ({
    all: createTurns({ ...ofAll, refusal }),
    ofHost: createTurnsByKey({ ...ofOneHost, refusal }),
  });
  // Anybody can have documents read that nobody knows, and take every place: that must not keep out whom people have met.
  const [ofKnown, ofUnknown] = [lanes(), lanes()];

  function judge(id: string, url: URL, text: string, signed: readonly string[]) {
    const document = jsonAs(Document, text);
    if (document?.client_id !== id || Value.Check(Secret, document))
      throw new Error("it is no document about this client");
    const stranger = strangerOf(document, {
      methods: ["none", "private_key_jwt"],
      defaultMethod: "none",
      algorithms: signed,
      place: url.host,
    });
    const { jwks_uri: keys } = stranger.settings;
    if (keys !== null && URL.parse(keys)?.origin !== url.origin) throw new Error("its keys are at another host");
    return stranger;
  }

  async function fetched(
    id: string,
    { url, allowPrivate }: NonNullable<ReturnType<typeof documentAddress>>,
    { all, ofHost }: ReturnType<typeof lanes>,
  ) {
    const { text, headers } = await ofHost.run(url.host, () => all.run(() => read(id, { allowPrivate, mostBytes })));
    // Where people put files of their own, these come as plain texts: the host does not vouch for what is in them.
    if (!isJson(headers.get("content-type") ?? "")) throw new Error("it is no JSON by its media type");
    const stranger = judge(id, url, text, await algorithms());
    const now = clock.now();
    const client = { id, origin: "document", ...stranger, secretHash: null, createdAt: now, updatedAt: now } as const;
    await rows.keepDocument(client, now + lifetimeOf(headers));
    return { ...client, lastUsedAt: now } satisfies Client;
  }

  function fail(id: string, error: unknown, known: Client | undefined): Client | undefined {
    onUnreadable(id, error);
    // Nothing was learned of the address: it is asked again with the next call, and what was known of it counts for a day at most.
    if (error instanceof TooMany)
      return known !== undefined && clock.now() - known.updatedAt < kept.longestMs ? known : undefined;
    const [oldest] = failed.keys();
    if (failed.size >= mostFailures && oldest !== undefined) failed.delete(oldest);
    failed.set(id, clock.now());
    return undefined;
  }

  /** Returns the client of an address; undefined where there is none, or none that may be believed. */
  return async function find(id: string): Promise<Client | undefined> {
    const address = documentAddress(id, rules);
    if (address === undefined) return undefined;
    const row = await rows.byId(id);
    const known = row?.origin === "document" ? row : undefined;
    if (known !== undefined && (known.freshUntil ?? 0) > clock.now()) return known;
    const failedAt = failed.get(id);
    if (failedAt !== undefined && Math.abs(clock.now() - failedAt) < restMs) return undefined;
    failed.delete(id);
    const lane = known === undefined ? ofUnknown : ofKnown;
    const under = reading.get(id) ?? fetched(id, address, lane).catch((error: unknown) => fail(id, error, known));
    reading.set(id, under);
    try {
      return await under;
    } finally {
      reading.delete(id);
    }
  };
}
