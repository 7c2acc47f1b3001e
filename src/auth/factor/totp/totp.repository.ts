import type { Millis } from "../../../core/clock.ts";
import { sql, column, tableOf, type Database, type Statement } from "../../../drivers/database/index.ts";
import { factorBits } from "../method.ts";
import type { FactorStore, StoredFactor } from "../stored.factors.ts";
import { beginOfStep, lastUsableStep } from "./totp.ts";

const stored = tableOf("auth_totp", {
  userId: column<string>("user_id"),
  /** The secret in base32. */
  secret: column<string>("secret"),
  /** Null until a first code has shown that the app has the secret: an unconfirmed app is no factor. */
  confirmedAt: column<Millis | null>("confirmed_at"),
  /** The time step of the code that was used last. */
  lastStep: column<number>("last_step"),
  createdAt: column<Millis>("created_at"),
  /** How far the clock was off by which the last wrong code was right, and when that was. */
  offMs: column<Millis | null>("off_ms"),
  offAt: column<Millis | null>("off_at"),
});
const columns = stored.except("userId");

const found = sql`select ${columns} from auth_totp where user_id = $userId`;
const inserted = stored.insert({ confirmedAt: "null", lastStep: "0", offMs: "null", offAt: "null" });
const insertTotp = `insert into ${inserted.into} values (${inserted.values})
  on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at where auth_totp.confirmed_at is null`;

/** The id of the app as a factor: an account has one at most. */
const totpId = "totp";

/** Owns `auth_totp`. Methods named for a change return the statement of a batch. */
export function createTotpRepository(db: Database) {
  const find = (userId: string) => db.get(found, { userId });

  return {
    bit: factorBits.totp,
    isSetUp: "exists (select 1 from auth_totp t where t.user_id = users.id and t.confirmed_at is not null)",
    find,

    /** Begins a set-up. Replaces an unconfirmed one, and fails beside a confirmed one. */
    begin: (userId: string, secret: string, now: Millis): Statement => ({
      guard: true,
      sql: insertTotp,
      params: inserted.params({ userId, secret, createdAt: now }),
    }),

    /** Confirms the app. Holds only for this very set-up, once. */
    confirm: (userId: string, secret: string, step: number, now: Millis): Statement => ({
      guard: true,
      sql: `update auth_totp set confirmed_at = $now, last_step = $step
          where user_id = $userId and secret = $secret and confirmed_at is null`,
      params: { userId, secret, step, now },
    }),

    /** Compares and sets the step: of two requests with one code one wins, in whatever processes they are. */
    useStep: (userId: string, secret: string, step: number): Statement => ({
      guard: true,
      sql: `update auth_totp set last_step = $step
          where user_id = $userId and secret = $secret and confirmed_at is not null
            and (last_step < $step or last_step > $horizon)`,
      params: { userId, secret, step, horizon: lastUsableStep(step) },
    }),

    /** Notes that a wrong code was right by a clock that is off. The code itself is kept nowhere. */
    noteClock: (userId: string, secret: string, offMs: Millis, now: Millis): Statement => ({
      sql: "update auth_totp set off_ms = $offMs, off_at = $now where user_id = $userId and secret = $secret",
      params: { userId, secret, offMs, now },
    }),

    /** Returns how far the clock was off by which the last wrong code was right; undefined where none was. */
    async clockOf(userId: string): Promise<{ readonly offMs: Millis; readonly at: Millis } | undefined> {
      const { offMs = null, offAt = null } = (await find(userId)) ?? {};
      return offMs === null || offAt === null ? undefined : { offMs, at: offAt };
    },

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
