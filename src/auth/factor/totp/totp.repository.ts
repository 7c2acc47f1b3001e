import type { Millis } from "../../../core/clock.ts";
import type { Database, Statement } from "../../../drivers/database/index.ts";
import { factorBits } from "../method.ts";
import type { FactorStore, StoredFactor } from "../stored.factors.ts";
import { beginOfStep, lastUsableStep } from "./totp.ts";

export interface TotpRow {
  /** In base32. */
  readonly secret: string;
  /** Null until a first code has shown that the app has the secret: it is no factor before that. */
  readonly confirmedAt: Millis | null;
  /** The time step of the code that was used last. */
  readonly lastStep: number;
  readonly createdAt: Millis;
}

/** An account has one at most. */
const totpId = "totp";

/** Owns `auth_totp`. Methods named for a change return the statement of a batch. */
export function createTotpRepository(db: Database) {
  const find = (userId: string) =>
    db.get<TotpRow>(
      `select secret, confirmed_at as "confirmedAt", last_step as "lastStep", created_at as "createdAt"
       from auth_totp where user_id = $userId`,
      { userId },
    );

  return {
    bit: factorBits.totp,
    isSetUp: "exists (select 1 from auth_totp t where t.user_id = users.id and t.confirmed_at is not null)",
    find,

    /** Takes the place of a set-up that was not confirmed, and fails beside a confirmed one. */
    begin: (userId: string, secret: string, now: Millis): Statement => ({
      guard: true,
      sql: `insert into auth_totp (user_id, secret, created_at) values ($userId, $secret, $now)
          on conflict (user_id) do update set secret = $secret, created_at = $now where auth_totp.confirmed_at is null`,
      params: { userId, secret, now },
    }),

    /** Holds only for this very set-up, once. */
    confirm: (userId: string, secret: string, step: number, now: Millis): Statement => ({
      guard: true,
      sql: `update auth_totp set confirmed_at = $now, last_step = $step
          where user_id = $userId and secret = $secret and confirmed_at is null`,
      params: { userId, secret, step, now },
    }),

    /** A compare-and-set on the step: of two requests with one code one wins, whichever process they reach. */
    useStep: (userId: string, secret: string, step: number): Statement => ({
      guard: true,
      sql: `update auth_totp set last_step = $step
          where user_id = $userId and secret = $secret and confirmed_at is not null
            and (last_step < $step or last_step > $horizon)`,
      params: { userId, secret, step, horizon: lastUsableStep(step) },
    }),

    async listStored(userId: string): Promise<readonly StoredFactor[]> {
      const row = await find(userId);
      if (row === undefined || row.confirmedAt === null) return [];
      return [
        { id: totpId, method: "totp", name: null, addedAt: row.confirmedAt, lastUsedAt: beginOfStep(row.lastStep) },
      ];
    },

    removeUnset: (userId: string): Statement => ({
      sql: `delete from auth_totp where user_id = $userId
            and exists (select 1 from users u where u.id = $userId and (u.factors & ${factorBits.totp}) = 0)`,
      params: { userId },
    }),

    removeSince: (userId: string, since: Millis, keep: readonly string[]): Statement => ({
      sql: `delete from auth_totp where user_id = $userId and confirmed_at > $since and $isKept = 0 returning 'totp' as factor`,
      params: { userId, since, isKept: keep.includes(totpId) ? 1 : 0 },
    }),
  } satisfies FactorStore & Record<string, unknown>;
}

export type TotpRepository = ReturnType<typeof createTotpRepository>;
