import type { Millis } from "../../core/clock.ts";
import { column, sql, tableOf, type Database, type RowOf, type Statement } from "../../drivers/database/index.ts";

const stored = tableOf("idp_requests", {
  id: column<string>("id"),
  clientId: column<string>("client_id"),
  params: column<string>("params"),
  createdAt: column<Millis>("created_at"),
  expiresAt: column<Millis>("expires_at"),
  usedAt: column<Millis | null>("used_at"),
});
export type PushedRow = RowOf<typeof stored>;

const found = sql`select ${stored} from idp_requests where id = $id and used_at is null and expires_at > $now`;
const inserted = stored.insert({ usedAt: "null" });

/** Owns `idp_requests`. Methods named for a change return the statement of a batch. */
export const createPushedRepository = (db: Database) => ({
  find: (id: string, now: Millis) => db.get(found, { id, now }),

  insert: (row: Omit<PushedRow, "usedAt">): Statement => ({
    sql: `insert into ${inserted.into} values (${inserted.values})`,
    params: inserted.params(row),
  }),

  /** Gives the person time to sign in. */
  prolong: (id: string, expiresAt: Millis): Statement => ({
    sql: "update idp_requests set expires_at = $expiresAt where id = $id and used_at is null and expires_at < $expiresAt",
    params: { id, expiresAt },
  }),

  /** Holds only once. */
  use: (id: string, now: Millis): Statement => ({
    guard: true,
    sql: "update idp_requests set used_at = $now where id = $id and used_at is null and expires_at > $now",
    params: { id, now },
  }),
});

export type PushedRepository = ReturnType<typeof createPushedRepository>;
