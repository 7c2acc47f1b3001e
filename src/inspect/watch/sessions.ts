import type { Config } from "../../config/index.ts";
import { timestamp } from "../../core/clock.ts";
import type { SessionDebug } from "../../core/flaws.ts";
import type { RequestFacts } from "../../http/index.ts";
import type { Timeline } from "../../observe/timeline.ts";

interface SessionDebugOptions {
  readonly config: Pick<Config, "app" | "auth">;
  readonly timeline: Timeline;
  readonly facts: RequestFacts;
}

/**
 * Outcomes that are recorded even without APP_DEBUG. Others matter only on a close look: nearly every request is accepted, and the refusal
 * of a login tells its reason.
 */
const toldAlways: ReadonlySet<SessionDebug["outcome"]> = new Set([
  "access_cookie_rejected",
  "refresh_cookie_rejected",
  "refresh_cookie_recovered",
  "request_auth_failed",
]);

/**
 * Records what became of the cookies of a request, of a login or of a registration: the outcome and the reason. With APP_DEBUG it adds the
 * sender, the configured lifetimes, and when the session was last seen and when it ends.
 */
export function sessionListener({ config, timeline, facts }: SessionDebugOptions) {
  const { app, auth } = config;
  const debug = app.debug > 0;
  const name = debug ? "auth session debug" : "auth session";
  const lifetimes = {
    access_ttl_ms: auth.accessTtlMs,
    session_ttl_ms: auth.sessionTtlMs,
    session_idle_ttl_ms: auth.sessionIdleTtlMs,
    remember_session_ttl_ms: auth.rememberSessionTtlMs,
  };

  function detail(request: Request | undefined, { session, userId }: Pick<SessionDebug, "session" | "userId">) {
    return {
      ...(request && {
        method: request.method,
        path: URL.parse(request.url)?.pathname ?? "",
        ip_address: facts.clientAddress(request),
        user_agent: request.headers.get("user-agent") ?? "",
      }),
      ...lifetimes,
      ...(userId !== undefined && { user_id: userId }),
      ...(session && {
        session_id: session.id,
        user: session.username ?? null,
        user_id: session.userId,
        session_created_at: timestamp(session.createdAt ?? null),
        session_remembered: session.remembered === 1,
        session_last_seen_at: timestamp(session.lastSeenAt),
        session_expires_at: timestamp(session.expiresAt),
        session_revoked_at: timestamp(session.revokedAt),
      }),
    };
  }

  return ({ outcome, reason, ...about }: SessionDebug): void => {
    const recording = timeline.current();
    if (recording === undefined) return;
    const userId = about.session?.userId ?? about.userId;
    if (userId !== undefined) timeline.concerns(userId);
    if (!debug && !toldAlways.has(outcome)) return;
    timeline.record({
      kind: "auth",
      level: outcome === "request_auth_failed" ? "info" : "debug",
      name,
      message: name,
      attributes: {
        auth_outcome: outcome,
        auth_reason: reason,
        ...(debug ? detail(recording.request, about) : {}),
      },
    });
  };
}
