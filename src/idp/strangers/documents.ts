import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { hour, minute, second, type Clock, type Millis } from "../../core/clock.ts";
import { placeOf } from "../../auth/index.ts";
import type { Place } from "../../core/pace/fair.turns.ts";
import { isJson } from "../../http/index.ts";
import { jsonAs } from "../../core/text/json.ts";
import type { Asker, Client } from "../client/client.ts";
import { createLane, TooMany } from "../client/lanes.ts";
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

type Address = NonNullable<ReturnType<typeof documentAddress>>;

const Document = Type.Intersect([Metadata, Type.Object({ client_id: Type.String() })]);
/** A secret in a document is one that everybody has. */
const Secret = Type.Object({ client_secret: Type.Unknown() });

const mostBytes = 32 * 1024;
const kept = { shortestMs: minute, otherwiseMs: hour, longestMs: 24 * hour } as const;
/** How long an address that led to no client is left alone, and how many such are remembered. */
const restMs = 30 * second;
const mostFailures = 1_000;
/** Where nobody asks who has an address, such as in a job. */
const nobody = { bucket: "", areas: [] } as const;

/** Returns how long a document is good for, by what its server says (RFC 9111 §5.2.2). */
function lifetimeOf(headers: Pick<Headers, "get">): Millis {
  const control = headers.get("cache-control") ?? "";
  if (/\bno-(?:store|cache)\b/i.test(control)) return kept.shortestMs;
  const seconds = /\bmax-age=(\d{1,9})\b/i.exec(control)?.[1];
  if (seconds === undefined) return kept.otherwiseMs;
  return Math.min(Math.max(Number(seconds) * second, kept.shortestMs), kept.longestMs);
}

/** Knows the clients whose id is the address of a document about them (OAuth Client ID Metadata Document). */
export function createDocuments({ rules, read, rows, algorithms, onUnreadable, clock }: DocumentOptions) {
  const failed = new Map<string, Millis>();
  const reading = new Map<string, Promise<Client | undefined>>();
  /** Who waits for a turn, by address of the network and of the document: nobody waits behind a flood of somebody else. */
  const waiting = new Map<string, Promise<Client | undefined>>();
  // Anybody can have documents read that nobody knows, and take every place: that must not keep out whom people have met.
  const [ofKnown, ofUnknown] = [createLane(), createLane()];

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

  async function fetched(id: string, { url, allowPrivate }: Address) {
    const { text, headers } = await read(id, { allowPrivate, mostBytes });
    // Where people put files of their own, these come as plain texts: the host does not vouch for what is in them.
    if (!isJson(headers.get("content-type") ?? "")) throw new Error("it is no JSON by its media type");
    const stranger = judge(id, url, text, await algorithms());
    const now = clock.now();
    const client = { id, origin: "document", ...stranger, secretHash: null, createdAt: now, updatedAt: now } as const;
    await rows.keepDocument(client, now + lifetimeOf(headers));
    return { ...client, lastUsedAt: now } satisfies Client;
  }

  function fail(id: string, error: unknown): undefined {
    onUnreadable(id, error);
    const [oldest] = failed.keys();
    if (failed.size >= mostFailures && oldest !== undefined) failed.delete(oldest);
    failed.set(id, clock.now());
  }

  /** Looks at what is known of an address. It has an `answer` where the address is not read now. */
  async function look(
    id: string,
  ): Promise<{ readonly known?: Client; readonly answer?: readonly [Client | undefined] }> {
    const row = await rows.byId(id);
    const known = row?.origin === "document" ? row : undefined;
    if (known !== undefined && (known.freshUntil ?? 0) > clock.now()) return { answer: [known] };
    const failedAt = failed.get(id);
    if (failedAt !== undefined && Math.abs(clock.now() - failedAt) < restMs) return { answer: [undefined] };
    failed.delete(id);
    return known === undefined ? {} : { known };
  }

  /** Reads an address once, for all whose turn it is meanwhile, unless somebody has just done so. */
  function readOnce(id: string, address: Address): Promise<Client | undefined> {
    async function readNow() {
      const { answer } = await look(id);
      return answer === undefined ? fetched(id, address) : answer[0];
    }
    const under =
      reading.get(id) ??
      readNow()
        .catch((error: unknown) => fail(id, error))
        .finally(() => reading.delete(id));
    reading.set(id, under);
    return under;
  }

  /** Reads an address when it is the turn of the place that asks. */
  async function inTurn(id: string, address: Address, known: Client | undefined, place: Place) {
    const lane = known === undefined ? ofUnknown : ofKnown;
    try {
      return await lane(address.url, place, () => readOnce(id, address));
    } catch (error) {
      if (!(error instanceof TooMany)) throw error;
      const under = reading.get(id);
      if (under !== undefined) return under;
      onUnreadable(id, error);
      // Nothing was learned of the address: it is asked again with the next call, and what was known of it counts for a day at most.
      return known !== undefined && clock.now() - known.updatedAt < kept.longestMs ? known : undefined;
    }
  }

  /** Returns the client of an address; undefined where there is none, or none that may be believed. */
  return async function find(id: string, asker: Asker = nobody): Promise<Client | undefined> {
    const address = documentAddress(id, rules);
    if (address === undefined) return undefined;
    const { answer, known } = await look(id);
    if (answer !== undefined) return answer[0];
    const under = reading.get(id);
    if (under !== undefined) return under;
    const name = `${asker.bucket} ${id}`;
    const mine = waiting.get(name) ?? inTurn(id, address, known, placeOf(asker)).finally(() => waiting.delete(name));
    waiting.set(name, mine);
    return mine;
  };
}
