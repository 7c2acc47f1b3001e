import { hour } from "../core/clock.ts";
import type { StaleRows } from "../core/module.ts";
import type { CleanupRepository, OldRows } from "./cleanup.repository.ts";

interface StaleAuthRowsOptions {
  readonly rows: CleanupRepository;
  readonly sessionIdleTtlMs: number;
}

/** An ended session or grant, or a set-up that nobody confirmed, is kept for a day, so that its owner's mails and an operator's questions still find it. */
const keepEndedMs = 24 * hour;
/** For a week staff see that a second step was asked for and nobody answered: a phone that was lost on a Friday is told of on Monday. */
const keepChallengesMs = 7 * 24 * hour;
/** Nobody asks for a mail that is a month old. */
const keepMailsMs = 30 * 24 * hour;

/** For a month a link that is opened late tells the invitation's fate, and a list tells whom to ask again. */
const keepInvitationsMs = 30 * 24 * hour;
/** For a month somebody whose script fails learns that its token has ended. */
const keepTokensMs = 30 * 24 * hour;

/** The rows of the accounts' tables that `auth:cleanup` deletes. */
export const staleAuthRows = ({ rows, sessionIdleTtlMs }: StaleAuthRowsOptions): readonly StaleRows[] => [
  // Before the rows go, so that a count beforehand is that of what happens.
  { name: "addresses_of_ended_sessions", ...keptFor(sessionIdleTtlMs, rows.addressesOfEnded) },
  { name: "expired_sessions", ...rows.expiredSessions },
  { name: "revoked_sessions", ...keptFor(keepEndedMs, rows.revokedSessions) },
  { name: "idle_sessions", ...keptFor(sessionIdleTtlMs + keepEndedMs, rows.idleSessions) },
  { name: "expired_grants", ...keptFor(keepEndedMs, rows.expiredGrants) },
  { name: "expired_challenges", ...keptFor(keepChallengesMs, rows.expiredChallenges) },
  { name: "ended_invitations", ...keptFor(keepInvitationsMs, rows.endedInvitations) },
  { name: "unconfirmed_totp", ...keptFor(keepEndedMs, rows.unconfirmedTotp) },
  { name: "old_mails", ...keptFor(keepMailsMs, rows.oldMails) },
  { name: "expired_reservations", ...rows.expiredReservations },
  { name: "expired_passkey_answers", ...rows.expiredPasskeyAnswers },
  { name: "ended_personal_tokens", ...keptFor(keepTokensMs, rows.endedPersonalTokens) },
  { name: "expired_impersonations", ...keptFor(keepEndedMs, rows.expiredImpersonations) },
  { name: "expired_attempts", ...rows.expiredAttempts },
];

const keptFor = (keepMs: number, { deleteSome, count }: OldRows): OldRows => ({
  deleteSome: (now, limit) => deleteSome(now - keepMs, limit),
  count: (now) => count(now - keepMs),
});
