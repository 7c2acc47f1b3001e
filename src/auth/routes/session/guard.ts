import { Elysia } from "elysia";
import { AppError } from "../../../core/errors.ts";
import { bearerToken, readCookie, readCookies, type ResponseHead } from "../../../http/index.ts";
import type { Log } from "../../../observe/index.ts";
import type { AppName } from "../../../config/index.ts";
import { cookieNamesOf, type AuthCookies } from "./cookies.ts";
import { requireOwnSession } from "./own.session.ts";
import { isImpersonated } from "../../session/session.columns.ts";
import type { SessionRow } from "../../session/session.repository.ts";
import type { Authentication, Credentials } from "../../session/authentication.service.ts";
import type { SessionService } from "../../session/session.service.ts";

interface GuardOptions {
  readonly sessions: Pick<SessionService, "authenticate" | "isFactorMissing">;
  readonly cookies: Pick<AuthCookies, "names" | "setAccess">;
  readonly log: Pick<Log, "debug">;
}

interface Visit {
  readonly request: Request;
  readonly set: ResponseHead;
}

/** Returns the ways to be signed in to an app, as the OpenAPI document names them. */
export function securitySchemesOf(app: AppName) {
  const { access, refresh } = cookieNamesOf(app);
  return {
    session: { type: "apiKey", in: "cookie", name: access, description: "Of a login" },
    refresh: { type: "apiKey", in: "cookie", name: refresh, description: "Of a login; swapped by each refresh" },
    bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "What the access cookie holds" },
    diagnostic: { type: "http", scheme: "bearer", description: "`APP_DIAG_TOKEN`" },
  } as const;
}
/** The two ways that satisfy `RequireAuth`: either is enough. */
export const signedInBy = { security: [{ session: [] }, { bearer: [] }] };

export function credentialsOf(request: Request, { names }: Pick<AuthCookies, "names">): Credentials {
  return {
    bearer: bearerToken(request),
    access: readCookie(request, names.access),
    refresh: () => readCookie(request, names.refresh),
    all: (most) => ({
      access: readCookies(request, names.access, most),
      refresh: readCookies(request, names.refresh, most),
    }),
  };
}

/**
 * Returns the signed-in user on a route that is open to everybody. Undefined for nobody, for a session that does not serve, for one that may
 * only set up its second factor, and for staff in the user's name.
 */
export async function signedInUserOf(
  sessions: SessionService,
  cookies: Pick<AuthCookies, "names">,
  request: Request,
): Promise<string | undefined> {
  if (!request.headers.has("cookie") && !request.headers.has("authorization")) return undefined;
  const recognized = await sessions.recognize(credentialsOf(request, cookies));
  if ("refused" in recognized) return undefined;
  const { session } = recognized;
  return sessions.isFactorMissing(session) || isImpersonated(session) ? undefined : session.userId;
}

/** Adds `RequireAuth`. A route that asks for it gets the session row; a caller who is not signed in gets 401 and keeps their cookies. */
export function createGuard({ sessions, cookies, log }: GuardOptions) {
  function refuse(refused: Extract<Authentication, { refused: unknown }>): never {
    log.debug("request not authenticated", { reason: refused.refused });
    throw new AppError("unauthorized", { flaw: refused.refused });
  }

  const signedIn = new WeakMap<Request, SessionRow>();

  return new Elysia({ name: "require-auth" }).macro({
    /**
     * Requires a session. `even_without_factor`: the route is also open to a session that may only set up the second factor that the app
     * requires. Other routes refuse such a session with `mfa_setup_required`. Staff in somebody's name read, and change nothing:
     * own.session.ts says so for all routes at once.
     */
    requireAuth: (need: true | "even_without_factor") => ({
      detail: signedInBy,
      /**
       * Runs before the body is validated: a caller who is not signed in gets 401, whatever was sent. Elysia reads the source of a function to
       * find out what it takes: of a method that the build has put on one line it finds nothing, and gives no `route`.
       */
      transform: ({ request, set, route }: Visit & { readonly route?: string }) =>
        sessions.authenticate(credentialsOf(request, cookies)).then((authenticated) => {
          if ("refused" in authenticated) return refuse(authenticated);
          const { session, reissuedAccess } = authenticated;
          if (reissuedAccess !== undefined) cookies.setAccess(set, request, reissuedAccess);
          requireOwnSession(session, { method: request.method, route });
          if (need === true && sessions.isFactorMissing(session)) throw new AppError("mfa_setup_required");
          signedIn.set(request, session);
        }),
      resolve({ request }: Visit) {
        const session = signedIn.get(request);
        if (session === undefined) throw new AppError("unauthorized");
        return { session };
      },
    }),
  });
}

export type Guard = ReturnType<typeof createGuard>;
