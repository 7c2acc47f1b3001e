import type { Clock, Millis } from "../../core/clock.ts";
import type { SessionFlaw } from "../../core/flaws.ts";
import type { SessionRepository, SessionRow } from "./session.repository.ts";

type Judged = Pick<SessionRow, "revokedAt" | "expiresAt" | "remembered" | "lastSeenAt" | "userActive">;

/** Decides by time and row whether a session has ended: revoked, past its absolute or idle expiry, or its user inactive. */
export const createLiveness = ({ idleTtlMs, clock }: { readonly idleTtlMs: number; readonly clock: Clock }) => ({
  /** Returns the moment before which unremembered sessions must have been seen last to have expired. */
  idleSince: (): Millis => clock.now() - idleTtlMs,

  /** Returns why the session has ended; undefined for a live one. */
  flawOf(row: Judged | undefined, now: Millis): SessionFlaw | undefined {
    if (row === undefined) return "session_not_found";
    if (row.revokedAt !== null) return "session_revoked";
    if (row.expiresAt <= now) return "session_expired";
    if (row.remembered === 0 && row.lastSeenAt + idleTtlMs <= now) return "session_idle_expired";
    return row.userActive === 1 ? undefined : "user_inactive";
  },
});

/** Returns the better reason for a session that was ended because two clients had its refresh token. */
export const flawBehind = async (
  flaw: SessionFlaw,
  row: Pick<SessionRow, "id"> | undefined,
  sessions: Pick<SessionRepository, "revokedReason">,
): Promise<SessionFlaw> =>
  flaw === "session_revoked" && row !== undefined && (await sessions.revokedReason(row.id)) === "refresh_reused"
    ? "refresh_reused"
    : flaw;

export type Liveness = ReturnType<typeof createLiveness>;
