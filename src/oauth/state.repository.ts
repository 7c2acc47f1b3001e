import type { Millis } from "../core/clock.ts";
import type { Database, Statement } from "../drivers/database/index.ts";

export interface StateRow {
  readonly codeVerifier: string;
  readonly nonce: string;
  readonly next: string;
  readonly linkUserId: string | null;
  readonly linkSessionId: string | null;
  /** The hash of an invitation's token: the person who comes back accepts that invitation. */
  readonly invitationHash: string | null;
}

/** What a returning state must match: the provider and the browser that it was made for. */
export interface StateKey {
  readonly stateHash: string;
  readonly provider: string;
  readonly browserHash: string;
}

/** Owns `oauth_states`: sign-ins that were sent to a provider and have not come back yet. */
export const createStateRepository = (db: Database) => ({
  /** Stores a state. Fails the batch where the user of a linking is gone. */
  insert: (state: StateRow & StateKey & { now: Millis; expiresAt: Millis }): Statement => ({
    guard: true,
    sql: `insert into oauth_states (state_hash, provider, browser_hash, code_verifier, nonce, next, link_user_id,
            link_session_id, invitation_hash, created_at, expires_at)
          select $stateHash, $provider, $browserHash, $codeVerifier, $nonce, $next, $linkUserId,
            $linkSessionId, $invitationHash, $now, $expiresAt
          ${state.linkUserId === null ? "" : "where exists (select 1 from users u where u.id = $linkUserId)"}`,
    params: { ...state },
  }),

  /** Uses the state up: only one of any number of racing callbacks changes the row and gets what it holds. */
  async consume(key: StateKey, now: Millis): Promise<StateRow | undefined> {
    const { rows } = await db.run<StateRow>(
      `update oauth_states set consumed_at = $now
       where state_hash = $stateHash and provider = $provider and browser_hash = $browserHash
         and consumed_at is null and expires_at > $now
       returning code_verifier as "codeVerifier", nonce, next, link_user_id as "linkUserId",
         link_session_id as "linkSessionId", invitation_hash as "invitationHash"`,
      { ...key, now },
    );
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

  async countExpired(now: Millis): Promise<number> {
    const sql = "select count(*) as found from oauth_states where expires_at <= $now";
    return (await db.get<{ readonly found: number }>(sql, { now }))?.found ?? 0;
  },

  /** Returns what the state was made for, used or not; undefined for an unknown state. Leaves the state as it is. */
  purposeOf: ({ stateHash, provider, browserHash }: StateKey) =>
    db.get<{ readonly isLinking: number; readonly isInvited: number }>(
      `select case when link_user_id is null then 0 else 1 end as "isLinking",
         case when invitation_hash is null then 0 else 1 end as "isInvited"
       from oauth_states where state_hash = $stateHash and provider = $provider and browser_hash = $browserHash`,
      { stateHash, provider, browserHash },
    ),
});

export type StateRepository = ReturnType<typeof createStateRepository>;
