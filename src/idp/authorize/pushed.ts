import { Type } from "@sinclair/typebox";
import { hour, minute, type Clock } from "../../core/clock.ts";
import { randomToken, tokenHash } from "../../core/crypto.ts";
import { jsonAs } from "../../core/text/json.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import { OAuthError } from "../protocol/errors.ts";
import { readParams, writeParams, type Params } from "../protocol/params.ts";
import type { PushedRepository } from "./pushed.repository.ts";

interface PushedOptions {
  readonly database: Database;
  readonly rows: PushedRepository;
  readonly clock: Clock;
}

/** The beginning of the names of requests that were sent ahead (RFC 9126 §2.2). */
const prefix = "urn:ietf:params:oauth:request_uri:";
/** A program is with its person when it sends a request ahead. FAPI 2.0 Security Profile §5.3.2.2 has less than ten minutes. */
const pushedTtlMs = 5 * minute;
const interactionTtlMs = hour;

const Entries = Type.Array(Type.Tuple([Type.String(), Type.String()]));
/** Parameters that say who sends a request, and are no part of it. */
const ofClient: ReadonlySet<string> = new Set([
  "client_secret",
  "client_assertion",
  "client_assertion_type",
  "request_uri",
]);

/** Requests that were sent ahead, and those that are too long for an address. Each leads to one answer. */
export function createPushed({ database, rows, clock }: PushedOptions) {
  return {
    /** Keeps a request. Returns its name, and how many seconds it is kept. */
    async keep(clientId: string, entries: Params["entries"], ttlMs = pushedTtlMs) {
      const id = randomToken();
      const now = clock.now();
      const params = JSON.stringify(entries.filter(([name]) => !ofClient.has(name)));
      const row = { id: tokenHash(id), clientId, params, createdAt: now, expiresAt: now + ttlMs };
      const { sql, params: values } = rows.insert(row);
      await database.run(sql, values);
      return { uri: `${prefix}${id}`, expiresInSeconds: ttlMs / 1000 };
    },

    /** Returns the request of a name. Throws `invalid_request_uri` for one that is not kept, or that another client has sent. */
    async read(uri: string, clientId: string): Promise<{ readonly id: string; readonly params: Params }> {
      if (!uri.startsWith(prefix)) throw new OAuthError("request_uri_not_supported", "Requests are not fetched.");
      const id = tokenHash(uri.slice(prefix.length));
      const row = await rows.find(id, clock.now());
      const entries = row && jsonAs(Entries, row.params);
      if (row?.clientId !== clientId || entries === undefined)
        throw new OAuthError("invalid_request_uri", "The request is not known, was used, or has expired.");
      return { id, params: readParams(new URLSearchParams(writeParams(entries))) };
    },

    /** Keeps a request while its person signs in. */
    async prolong(id: string): Promise<void> {
      const { sql, params } = rows.prolong(id, clock.now() + interactionTtlMs);
      await database.run(sql, params);
    },

    /** Uses a request up that was refused. */
    async spend(id: string): Promise<void> {
      const { sql, params } = rows.use(id, clock.now());
      await database.run(sql, params);
    },

    use: (id: string): Statement => rows.use(id, clock.now()),
    interactionTtlMs,
  };
}

export type Pushed = ReturnType<typeof createPushed>;
