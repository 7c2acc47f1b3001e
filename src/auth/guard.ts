import { Elysia } from "elysia";
import { AppError } from "../core/errors.ts";
import type { Log } from "../observe/index.ts";
import { accessCookie, readAuthCookie, refreshCookie, type AuthCookies } from "./cookies.ts";
import type { Authentication, Credentials, SessionService } from "./session.service.ts";

interface GuardOptions {
  readonly sessions: SessionService;
  readonly cookies: AuthCookies;
  readonly log: Log;
}

export function credentialsOf(request: Request): Credentials {
  const authorization = request.headers.get("authorization");
  return {
    bearer: authorization?.startsWith("Bearer ") === true ? authorization.slice(7) : undefined,
    access: readAuthCookie(request, accessCookie),
    refresh: () => readAuthCookie(request, refreshCookie),
  };
}

/** `RequireAuth` (SEED §1.8): the route gets the session row, everybody else 401 and untouched cookies. */
export function createGuard({ sessions, cookies, log }: GuardOptions) {
  function refuse(refused: Extract<Authentication, { refused: unknown }>): never {
    log.debug("request not authenticated", { reason: refused.refused });
    throw new AppError("unauthorized");
  }

  return new Elysia({ name: "require-auth" }).macro({
    requireAuth: {
      async resolve({ request, set }) {
        const authenticated = await sessions.authenticate(credentialsOf(request));
        if ("refused" in authenticated) return refuse(authenticated);
        const { session, reissuedAccess } = authenticated;
        if (reissuedAccess !== undefined) cookies.setAccess(set, request, reissuedAccess);
        return { session };
      },
    },
  });
}

export type Guard = ReturnType<typeof createGuard>;
