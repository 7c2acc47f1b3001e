import type { Millis } from "../core/clock.ts";
import { computed, sql, tableOf, type Database, type RowOf, type Statement } from "../drivers/database/index.ts";

/** A whole row of `oauth_states`. */
interface StoredState {
  readonly stateHash: string;
  readonly provider: string;
  readonly browserHash: string;
  readonly codeVerifier: string;
  readonly nonce: string;
  readonly next: string;
  readonly linkUserId: string | null;
  readonly linkSessionId: string | null;
  /** The hash of an invitation's token: the person who comes back accepts that invitation. */
  readonly invitationHash: string | null;
  /** With it, the provider has answered: what it has said of a newcomer who has yet to accept the terms, as JSON. */
  readonly profile: string | null;
  readonly createdAt: Millis;
  readonly expiresAt: Millis;
  readonly consumedAt: Millis | null;
}

const stored = tableOf<StoredState>("oauth_states", {
  stateHash: "state_hash",
  provider: "provider",
  browserHash: "browser_hash",
  codeVerifier: "code_verifier",
  nonce: "nonce",
  next: "next",
  linkUserId: "link_user_id",
  linkSessionId: "link_session_id",
  invitationHash: "invitation_hash",
  profile: "profile",
  createdAt: "created_at",
  expiresAt: "expires_at",
  consumedAt: "consumed_at",
});
const columns = stored.except("stateHash", "provider", "browserHash", "createdAt", "expiresAt", "consumedAt");

/** What comes next: the answer of the provider, or that of a newcomer to whom it has vouched. */
export type Step = "sign_in" | "newcomer";
export type StateRow = RowOf<typeof columns>;
/** What a returning state must match: it is good for the provider and the browser that it was made for. */
export type StateKey = Pick<StoredState, "stateHash" | "provider" | "browserHash">;

const inserted = stored.insert({ consumedAt: "null" });
const purpose = computed<{ isLinking: number; isInvited: number }>({
  isLinking: "case when link_user_id is null then 0 else 1 end",
  isInvited: "case when invitation_hash is null then 0 else 1 end",
});

/** Uses a state up: one that a provider has yet to answer, or one with its answer. */
const consuming = (which: "is null" | "is not null") => sql`update oauth_states set consumed_at = $now
    where state_hash = $stateHash and provider = $provider and browser_hash = $browserHash
      and profile ${which} and consumed_at is null and expires_at > $now
    returning ${columns}`;

const texts = {
  insert: `insert into ${inserted.into} select ${inserted.values}`,
  consume: { sign_in: consuming("is null"), newcomer: consuming("is not null") },
  countExpired: sql`select ${computed<{ found: number }>({ found: "count(*)" })} from oauth_states where expires_at <= $now`,
  purposeOf: sql`select ${purpose}
    from oauth_states where state_hash = $stateHash and provider = $provider and browser_hash = $browserHash`,
};

/** Owns `oauth_states`: sign-ins that were sent to a provider and have not come back yet. */
export const createStateRepository = (db: Database) => ({
  /** A guard: it changes nothing where a linking is to a user who is gone. */
  insert: ({ now, ...state }: StateRow & StateKey & { now: Millis; expiresAt: Millis }): Statement => ({
    guard: true,
    sql: `${texts.insert} ${state.linkUserId === null ? "" : "where exists (select 1 from users u where u.id = $linkUserId)"}`,
    params: inserted.params({ ...state, createdAt: now }),
  }),

  /** Uses the state up: only one of any number of racing requests changes the row and gets what it holds. */
  async consume(key: StateKey, step: Step, now: Millis): Promise<StateRow | undefined> {
    const { rows } = await db.run(texts.consume[step], { ...key, now });
    return rows[0];
  },

  /** Deletes at most `limit` states that have expired, used or not. Resolves to how many. */
  async deleteExpired(now: Millis, limit: number): Promise<number> {
    const { changes } = await db.run(
      `delete from oauth_states where state_hash in
         (select state_hash from oauth_states where expires_at <= $now limit $limit)`,
      { now, limit },
    );
    return changes;
  },

  countExpired: async (now: Millis): Promise<number> => (await db.get(texts.countExpired, { now }))?.found ?? 0,

  /** Returns what the state was made for, used or not; undefined for an unknown state. Leaves the state as it is. */
  purposeOf: ({ stateHash, provider, browserHash }: StateKey) =>
    db.get(texts.purposeOf, { stateHash, provider, browserHash }),
});

export type StateRepository = ReturnType<typeof createStateRepository>;
