import type { Millis } from "../../../core/clock.ts";
import { newId } from "../../../core/ids.ts";
import {
  computed,
  sql,
  column,
  tableOf,
  type Database,
  type SqlValue,
  type Statement,
} from "../../../drivers/database/index.ts";

const stored = tableOf("auth_recovery_codes", {
  id: column<string>("id"),
  userId: column<string>("user_id"),
  codeHash: column<string>("code_hash"),
  usedAt: column<Millis | null>("used_at"),
});
const columns = stored.pick("id", "usedAt");

const found = {
  byHash: sql`select ${columns} from auth_recovery_codes where user_id = $userId and code_hash = $hash`,
  left: sql`select ${computed<{ left: number }>({ left: "count(*)" })} from auth_recovery_codes where user_id = $userId and used_at is null`,
};

/** Owns `auth_recovery_codes`. Methods named for a change return the statement of a batch. */
export const createRecoveryRepository = (db: Database) => ({
  /** Looks only among the account's own codes, so that a code of another account opens nothing. */
  find: (userId: string, hash: string) => db.get(found.byHash, { userId, hash }),

  left: async (userId: string): Promise<number> => (await db.get(found.left, { userId }))?.left ?? 0,

  /** Uses the code up. Holds once for each code. */
  use: (id: string, now: Millis): Statement => ({
    guard: true,
    sql: "update auth_recovery_codes set used_at = $now where id = $id and used_at is null",
    params: { id, now },
  }),

  insert(userId: string, hashes: readonly string[]): Statement {
    const params: Record<string, SqlValue> = { userId };
    const rows = hashes.map((hash, index) => {
      params[`id${index}`] = newId();
      params[`hash${index}`] = hash;
      return `(${stored.insert({ id: `$id${index}`, codeHash: `$hash${index}`, usedAt: "null" }).values})`;
    });
    return { sql: `insert into ${stored.insert().into} values ${rows.join(", ")}`, params };
  },

  removeAll: (userId: string): Statement => ({
    sql: "delete from auth_recovery_codes where user_id = $userId",
    params: { userId },
  }),

  /** Removes the codes where the account has no factor any more that they could stand in for. */
  removeUnset: (userId: string): Statement => ({
    sql: `delete from auth_recovery_codes where user_id = $userId
            and exists (select 1 from users u where u.id = $userId and u.factors = 0)`,
    params: { userId },
  }),
});

export type RecoveryRepository = ReturnType<typeof createRecoveryRepository>;
