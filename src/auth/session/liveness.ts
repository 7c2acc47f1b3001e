import type { Clock, Millis } from "../../core/clock.ts";
import type { SessionFlaw } from "../../core/flaws.ts";
import type { SessionRepository, SessionRow } from "./session.repository.ts";

type Judged = Pick<SessionRow, "revokedAt" | "expiresAt" | "remembered" | "lastSeenAt" | "userActive">;

/** What ends a session by time and by its row: revoked, past its absolute or idle expiry, or its user inactive. */
export const createLiveness = ({ idleTtlMs, clock }: { readonly idleTtlMs: number; readonly clock: Clock }) => ({
  /** Sessions that are not remembered and were seen before this moment have expired. */
  idleSince: (): Millis => clock.now() - idleTtlMs,

  /** Undefined for a session that is live. */
  flawOf(row: Judged | undefined, now: Millis): SessionFlaw | undefined {
    if (row === undefined) return "session_not_found";
    if (row.revokedAt !== null) return "session_revoked";
    if (row.expiresAt <= now) return "session_expired";
    if (row.remembered === 0 && row.lastSeenAt + idleTtlMs <= now) return "session_idle_expired";
    return row.userActive === 1 ? undefined : "user_inactive";
  },
});

/** A session that was ended because its refresh token was in two hands says so. */
export const flawBehind = async (
  flaw: SessionFlaw,
  row: Pick<SessionRow, "id"> | undefined,
  sessions: Pick<SessionRepository, "revokedReason">,
): Promise<SessionFlaw> =>
  flaw === "session_revoked" && row !== undefined && (await sessions.revokedReason(row.id)) === "refresh_reused"
    ? "refresh_reused"
    : flaw;

export type Liveness = ReturnType<typeof createLiveness>;
