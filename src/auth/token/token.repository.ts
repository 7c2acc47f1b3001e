import { minute, type Millis } from "../../core/clock.ts";
import {
  column,
  computed,
  sql,
  tableOf,
  together,
  type Database,
  type RowOf,
  type Statement,
} from "../../drivers/database/index.ts";
import { userColumns } from "../user/user.columns.ts";

/** Every column of `auth_personal_tokens`. */
const stored = tableOf("auth_personal_tokens", {
  id: column<string>("id"),
  userId: column<string>("user_id"),
  name: column<string>("name"),
  secretHash: column<string>("secret_hash"),
  createdAt: column<Millis>("created_at"),
  expiresAt: column<Millis>("expires_at"),
  lastUsedAt: column<Millis | null>("last_used_at"),
  revokedAt: column<Millis | null>("revoked_at"),
});
const shown = stored.pick("id", "name", "createdAt", "expiresAt", "lastUsedAt");
export type PersonalToken = RowOf<typeof shown>;

/** The most tokens of an account that are good. */
const mostTokens = 50;

const isGood = "revoked_at is null and expires_at > $now";
const inserted = stored.insert({ createdAt: "$now", lastUsedAt: "null", revokedAt: "null" });
const insertToken = `insert into ${inserted.into} select ${inserted.values}
  where (select count(*) from auth_personal_tokens where user_id = $userId and ${isGood}) < ${mostTokens}`;

/** What a token and its account tell of its bearer. */
const bearer = together(
  stored.as("t").pick("id", "userId", "createdAt", "expiresAt", "lastUsedAt"),
  userColumns
    .as("u")
    .pick("username", "email", "emailVerifiedAt", "displayName", "roles", "factors", "externalId", "locale"),
  computed<{ appMetadata: string | null }>({
    appMetadata: "(select m.app_metadata from account_metadata m where m.user_id = u.id)",
  }),
);
export type TokenBearer = RowOf<typeof bearer>;

const found = {
  bearer: sql`select ${bearer} from auth_personal_tokens t join users u on u.id = t.user_id
    where t.secret_hash = $secretHash and t.revoked_at is null and t.expires_at > $now and u.active = 1`,
  good: sql`select ${shown} from auth_personal_tokens where user_id = $userId and ${isGood} order by id desc limit ${mostTokens}`,
  all: sql`select ${together(shown, stored.pick("revokedAt"))} from auth_personal_tokens where user_id = $userId order by id desc limit 1000`,
};

/** Owns `auth_personal_tokens`. Methods named for a change return the statement of a batch. */
export const createTokenRepository = (db: Database) => ({
  /** Returns the bearer of a token that is good, of an account that is active. */
  bearerOf: (secretHash: string, now: Millis) => db.get(found.bearer, { secretHash, now }),

  /** Returns the account's good tokens, the newest first. */
  list: (userId: string, now: Millis) => db.all(found.good, { userId, now }),

  /** Returns all tokens of the account that are still kept. */
  listStored: (userId: string) => db.all(found.all, { userId }),

  /** The guard fails for an account that has the most tokens already. */
  insert: (
    token: Pick<RowOf<typeof stored>, "id" | "userId" | "name" | "secretHash" | "expiresAt">,
    now: Millis,
  ): Statement => ({ guard: true, sql: insertToken, params: { ...inserted.params(token), now } }),

  revoke: (id: string, userId: string, now: Millis): Statement => ({
    guard: true,
    sql: `update auth_personal_tokens set revoked_at = $now where id = $id and user_id = $userId and ${isGood}`,
    params: { id, userId, now },
  }),

  revokeAll: (userId: string, now: Millis): Statement => ({
    sql: `update auth_personal_tokens set revoked_at = $now where user_id = $userId and revoked_at is null`,
    params: { userId, now },
  }),

  /** Writes when a token was used last, to the minute. */
  async touch(id: string, now: Millis): Promise<void> {
    await db.run(
      `update auth_personal_tokens set last_used_at = $now where id = $id and (last_used_at is null or last_used_at <= $before)`,
      { id, now, before: now - minute },
    );
  },
});

export type TokenRepository = ReturnType<typeof createTokenRepository>;
