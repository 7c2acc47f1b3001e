import type { AppName } from "../../config/index.ts";
import type { Millis } from "../../core/clock.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import type { WayIn } from "./level.ts";

export interface ChallengeRow {
  readonly id: string;
  readonly userId: string;
  /** The session whose user is to be proven once more; null for a sign-in. */
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

const columns = `id, user_id as "userId", session_id as "sessionId", identity_id as "identityId", secret_hash as "secretHash",
  webauthn_challenge as "webauthnChallenge", came_by as "cameBy", invitation_hash as "invitationHash", remembered,
  device_epoch as "deviceEpoch", email_key as "emailKey", forgives, created_at as "createdAt", expires_at as "expiresAt"`;

/** Owns `auth_challenges`. Methods named for a change return the statement of a batch. A challenge is answered in the app that gave it. */
export const createChallengeRepository = (db: Database, app: AppName) => ({
  find: (id: string) =>
    db.get<ChallengeRow>(`select ${columns} from auth_challenges where id = $id and app = $app`, { id, app }),

  /** The newest of a session. */
  ofSession: (sessionId: string) =>
    db.get<ChallengeRow>(
      `select ${columns} from auth_challenges where session_id = $sessionId and app = $app order by created_at desc, id desc limit 1`,
      { sessionId, app },
    ),

  insert: (row: ChallengeRow): Statement => ({
    sql: `insert into auth_challenges (id, app, user_id, session_id, identity_id, secret_hash, webauthn_challenge, came_by,
            invitation_hash, remembered, device_epoch, email_key, forgives, created_at, expires_at)
          values ($id, $app, $userId, $sessionId, $identityId, $secretHash, $webauthnChallenge, $cameBy,
            $invitationHash, $remembered, $deviceEpoch, $emailKey, $forgives, $createdAt, $expiresAt)`,
    params: { ...row, app },
  }),

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
