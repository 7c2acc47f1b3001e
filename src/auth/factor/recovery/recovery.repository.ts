import type { Millis } from "../../../core/clock.ts";
import { newId } from "../../../core/ids.ts";
import type { Database, SqlValue, Statement } from "../../../drivers/database/index.ts";

export interface RecoveryCodeRow {
  readonly id: string;
  readonly usedAt: Millis | null;
}

/** Owns `auth_recovery_codes`. Methods named for a change return the statement of a batch. */
export const createRecoveryRepository = (db: Database) => ({
  /** Of the account, so that a code of another one opens nothing. */
  find: (userId: string, hash: string) =>
    db.get<RecoveryCodeRow>(
      `select id, used_at as "usedAt" from auth_recovery_codes where user_id = $userId and code_hash = $hash`,
      { userId, hash },
    ),

  async left(userId: string): Promise<number> {
    const row = await db.get<{ n: number }>(
      "select count(*) as n from auth_recovery_codes where user_id = $userId and used_at is null",
      { userId },
    );
    return row?.n ?? 0;
  },

  /** Holds once for each code. */
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
      return `($id${index}, $userId, $hash${index})`;
    });
    return { sql: `insert into auth_recovery_codes (id, user_id, code_hash) values ${rows.join(", ")}`, params };
  },

  removeAll: (userId: string): Statement => ({
    sql: "delete from auth_recovery_codes where user_id = $userId",
    params: { userId },
  }),

  /** Where the account has no factor any more that they could stand in for. */
  removeUnset: (userId: string): Statement => ({
    sql: `delete from auth_recovery_codes where user_id = $userId
            and exists (select 1 from users u where u.id = $userId and u.factors = 0)`,
    params: { userId },
  }),
});

export type RecoveryRepository = ReturnType<typeof createRecoveryRepository>;
