import type { AppName } from "../../config/index.ts";
import type { Millis } from "../../core/clock.ts";
import {
  sql,
  column,
  computed,
  tableOf,
  type Database,
  type RowOf,
  type Statement,
} from "../../drivers/database/index.ts";
import type { WayIn } from "./level.ts";

const stored = tableOf("auth_challenges", {
  id: column<string>("id"),
  app: column<string>("app"),
  userId: column<string>("user_id"),
  /** The session whose user must give a new proof; null for a sign-in. */
  sessionId: column<string | null>("session_id"),
  /** The identity at a provider that vouched for the user. Unlinking it deletes the challenge. */
  identityId: column<string | null>("identity_id"),
  secretHash: column<string>("secret_hash"),
  webauthnChallenge: column<string>("webauthn_challenge"),
  cameBy: column<WayIn>("came_by"),
  /** The provider of the first proof, by the name under which it is counted. */
  provider: column<string | null>("provider"),
  /** The hash of the token of the invitation that the sign-in was to accept. */
  invitationHash: column<string | null>("invitation_hash"),
  remembered: column<number>("remembered"),
  deviceEpoch: column<number>("device_epoch"),
  emailKey: column<string>("email_key"),
  /** The keys of the counters that a success clears, with a space between them. */
  forgives: column<string>("forgives"),
  createdAt: column<Millis>("created_at"),
  expiresAt: column<Millis>("expires_at"),
});
const columns = stored.except("app");
export type ChallengeRow = RowOf<typeof columns>;

const found = {
  byId: sql`select ${columns} from auth_challenges where id = $id and app = $app`,
  ofSession: sql`select ${columns} from auth_challenges where session_id = $sessionId and app = $app order by created_at desc, id desc limit 1`,
};
const counted = {
  unanswered: sql`select ${computed<{ count: number; last: Millis | null }>({ count: "count(*)", last: "max(created_at)" })}
    from auth_challenges where user_id = $userId and session_id is null and created_at > $since`,
};
const inserted = stored.insert();
const insertChallenge = `insert into ${inserted.into} values (${inserted.values})`;

/** Owns `auth_challenges`. Methods named for a change return the statement of a batch. A challenge is answered in the app that gave it. */
export const createChallengeRepository = (db: Database, app: AppName) => ({
  find: (id: string) => db.get(found.byId, { id, app }),

  ofSession: (sessionId: string) => db.get(found.ofSession, { sessionId, app }),

  /** Returns how many questions of sign-ins nobody has answered since then, in either app, and when the last one was asked. */
  async unanswered(userId: string, since: Millis): Promise<{ readonly count: number; readonly last: Millis }> {
    const found = await db.get(counted.unanswered, { userId, since });
    return { count: found?.count ?? 0, last: found?.last ?? 0 };
  },

  insert: (row: ChallengeRow): Statement => ({ sql: insertChallenge, params: inserted.params({ ...row, app }) }),

  /** Deletes the account's oldest challenges of sign-ins, so that `most` are left. */
  trim: (userId: string, most: number): Statement => ({
    sql: `delete from auth_challenges where user_id = $userId and session_id is null
            and id not in (select id from auth_challenges where user_id = $userId and session_id is null
              order by created_at desc, id desc limit $most)`,
    params: { userId, most },
  }),

  /** Single use: of any number of racing answers one deletes the row. */
  answer: (id: string, now: Millis): Statement => ({
    guard: true,
    sql: `delete from auth_challenges where id = $id and expires_at > $now`,
    params: { id, now },
  }),

  endOfSession: (sessionId: string): Statement => ({
    sql: `delete from auth_challenges where session_id = $sessionId`,
    params: { sessionId },
  }),

  voidAll: (userId: string): Statement => ({
    sql: `delete from auth_challenges where user_id = $userId`,
    params: { userId },
  }),
});

export type ChallengeRepository = ReturnType<typeof createChallengeRepository>;
