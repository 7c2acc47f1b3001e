import type { Millis } from "../../core/clock.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";

export type GrantPurpose = "password_reset" | "email_verification";

export interface GrantRow {
  readonly id: string;
  readonly userId: string;
  readonly emailKey: string;
  /** 0 where the token was answered instead of mailed. */
  readonly mailed: number;
}

/** Owns `auth_grants`: single-use proofs sent by mail. Only the token's hash is stored. */
export const createGrantRepository = (db: Database) => ({
  insert: (
    grant: GrantRow & { purpose: GrantPurpose; tokenHash: string; now: Millis; expiresAt: Millis },
  ): Statement => ({
    sql: `insert into auth_grants (id, purpose, user_id, email_key, token_hash, mailed, created_at, expires_at)
          values ($id, $purpose, $userId, $emailKey, $tokenHash, $mailed, $now, $expiresAt)`,
    params: { ...grant },
  }),

  voidOpen: (userId: string, purpose: GrantPurpose, now: Millis): Statement => ({
    sql: `update auth_grants set voided_at = $now
          where user_id = $userId and purpose = $purpose and redeemed_at is null and voided_at is null`,
    params: { userId, purpose, now },
  }),

  findOpen: (tokenHash: string, purpose: GrantPurpose, now: Millis) =>
    db.get<GrantRow>(
      `select g.id, g.user_id as "userId", g.email_key as "emailKey", g.mailed from auth_grants g
       where g.token_hash in ($tokenHash) and g.purpose = $purpose and g.redeemed_at is null and g.voided_at is null
         and g.expires_at > $now`,
      { tokenHash, purpose, now },
    ),

  /** Single use: of any number of racing redemptions one changes the row. */
  redeem: (id: string, now: Millis): Statement => ({
    guard: true,
    sql: `update auth_grants set redeemed_at = $now
          where id = $id and redeemed_at is null and voided_at is null and expires_at > $now
            and exists (select 1 from users u where u.id = auth_grants.user_id and u.active = 1
              and u.email_key = auth_grants.email_key)`,
    params: { id, now },
  }),

  countSince: async (userId: string, purpose: GrantPurpose, since: Millis): Promise<number> => {
    const row = await db.get<{ n: number }>(
      `select count(*) as n from auth_grants where user_id = $userId and purpose = $purpose and created_at > $since`,
      { userId, purpose, since },
    );
    return row?.n ?? 0;
  },
});

export type GrantRepository = ReturnType<typeof createGrantRepository>;
