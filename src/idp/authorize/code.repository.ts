import type { Millis } from "../../core/clock.ts";
import { column, sql, tableOf, type Database, type RowOf, type Statement } from "../../drivers/database/index.ts";

const stored = tableOf("idp_codes", {
  codeHash: column<string>("code_hash"),
  clientId: column<string>("client_id"),
  userId: column<string>("user_id"),
  parentId: column<string>("parent_id"),
  request: column<string>("request"),
  createdAt: column<Millis>("created_at"),
  expiresAt: column<Millis>("expires_at"),
  usedAt: column<Millis | null>("used_at"),
  sessionId: column<string | null>("session_id"),
});
export type CodeRow = RowOf<typeof stored>;

const found = sql`select ${stored} from idp_codes where code_hash = $hash`;
const inserted = stored.insert({ usedAt: "null", sessionId: "null" });
const insertCode = `insert into ${inserted.into} values (${inserted.values})`;

/** Owns `idp_codes`. Methods named for a change return the statement of a batch. */
export const createCodeRepository = (db: Database) => ({
  find: (hash: string) => db.get(found, { hash }),

  insert: (code: Omit<CodeRow, "usedAt" | "sessionId">): Statement => ({
    sql: insertCode,
    params: inserted.params(code),
  }),

  /** Holds only once, and only while the code is good: of racing redemptions one wins. */
  redeem: (hash: string, sessionId: string, now: Millis): Statement => ({
    guard: true,
    sql: `update idp_codes set used_at = $now, session_id = $sessionId
          where code_hash = $hash and used_at is null and expires_at > $now`,
    params: { hash, sessionId, now },
  }),

  /** Makes the codes worthless that a client has for a person and has not swapped. */
  withdraw: (userId: string, clientId: string): Statement => ({
    sql: "delete from idp_codes where user_id = $userId and client_id = $clientId and used_at is null",
    params: { userId, clientId },
  }),

  /** Makes a code worthless that was shown by another client, or with something wrong, before anybody can try again. */
  spoil: (hash: string, now: Millis): Statement => ({
    sql: "update idp_codes set used_at = $now where code_hash = $hash and used_at is null",
    params: { hash, now },
  }),
});

export type CodeRepository = ReturnType<typeof createCodeRepository>;
