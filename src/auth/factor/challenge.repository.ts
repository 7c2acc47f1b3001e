import type { AppName } from "../../config/index.ts";
import type { Millis } from "../../core/clock.ts";
import { sql, tableOf, type Database, type RowOf, type Statement } from "../../drivers/database/index.ts";
import type { WayIn } from "./level.ts";

/** A whole row of `auth_challenges`. */
interface StoredChallenge {
  readonly id: string;
  readonly app: string;
  readonly userId: string;
  /** The session whose user must give a new proof; null for a sign-in. */
  readonly sessionId: string | null;
  /** The identity at a provider that vouched for the user. Unlinking it deletes the challenge. */
  readonly identityId: string | null;
  readonly secretHash: string;
  readonly webauthnChallenge: string;
  readonly cameBy: WayIn;
  /** The hash of the token of the invitation that the sign-in was to accept. */
  readonly invitationHash: string | null;
  readonly remembered: number;
  readonly deviceEpoch: number;
  readonly emailKey: string;
  /** The keys of the counters that a success clears, with a space between them. */
  readonly forgives: string;
  readonly createdAt: Millis;
  readonly expiresAt: Millis;
}

const stored = tableOf<StoredChallenge>("auth_challenges", {
  id: "id",
  app: "app",
  userId: "user_id",
  sessionId: "session_id",
  identityId: "identity_id",
  secretHash: "secret_hash",
  webauthnChallenge: "webauthn_challenge",
  cameBy: "came_by",
  invitationHash: "invitation_hash",
  remembered: "remembered",
  deviceEpoch: "device_epoch",
  emailKey: "email_key",
  forgives: "forgives",
  createdAt: "created_at",
  expiresAt: "expires_at",
});
const columns = stored.except("app");
export type ChallengeRow = RowOf<typeof columns>;

const found = {
  byId: sql`select ${columns} from auth_challenges where id = $id and app = $app`,
  ofSession: sql`select ${columns} from auth_challenges where session_id = $sessionId and app = $app order by created_at desc, id desc limit 1`,
};
const inserted = stored.insert();
const insertChallenge = `insert into ${inserted.into} values (${inserted.values})`;

/** Owns `auth_challenges`. Methods named for a change return the statement of a batch. A challenge is answered in the app that gave it. */
export const createChallengeRepository = (db: Database, app: AppName) => ({
  find: (id: string) => db.get(found.byId, { id, app }),

  /** Returns the session's newest challenge. */
  ofSession: (sessionId: string) => db.get(found.ofSession, { sessionId, app }),

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
