import { hour } from "../core/clock.ts";
import type { StaleRows } from "../core/module.ts";
import type { CleanupRepository } from "./cleanup.repository.ts";

interface StaleAuthRowsOptions {
  readonly rows: CleanupRepository;
  readonly sessionIdleTtlMs: number;
}

/** An ended session or grant, or a set-up that nobody confirmed, is kept for a day, so that its owner's mails and an operator's questions still find it. */
const keepEndedMs = 24 * hour;
/** Nobody asks where a mail is that was asked for a month ago. */
const keepMailsMs = 30 * 24 * hour;

/** For a month a link that is opened late says what became of the invitation, and a list whom to ask again. */
const keepInvitationsMs = 30 * 24 * hour;

/** What `auth:cleanup` deletes of the accounts' tables. */
export const staleAuthRows = ({ rows, sessionIdleTtlMs }: StaleAuthRowsOptions): readonly StaleRows[] => [
  { name: "expired_sessions", deleteSome: rows.expiredSessions },
  { name: "revoked_sessions", deleteSome: (now, limit) => rows.revokedSessions(now - keepEndedMs, limit) },
  { name: "idle_sessions", deleteSome: (now, limit) => rows.idleSessions(now - sessionIdleTtlMs - keepEndedMs, limit) },
  { name: "expired_grants", deleteSome: (now, limit) => rows.expiredGrants(now - keepEndedMs, limit) },
  { name: "expired_challenges", deleteSome: rows.expiredChallenges },
  { name: "ended_invitations", deleteSome: (now, limit) => rows.endedInvitations(now - keepInvitationsMs, limit) },
  { name: "unconfirmed_totp", deleteSome: (now, limit) => rows.unconfirmedTotp(now - keepEndedMs, limit) },
  { name: "old_mails", deleteSome: (now, limit) => rows.oldMails(now - keepMailsMs, limit) },
  { name: "expired_passkey_answers", deleteSome: rows.expiredPasskeyAnswers },
  { name: "expired_attempts", deleteSome: rows.expiredAttempts },
];
