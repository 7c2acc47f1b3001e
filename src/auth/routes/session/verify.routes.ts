import { Elysia } from "elysia";
import type { AllowedOrigins } from "../../../core/address/origins.ts";
import { baseUrl } from "../../../core/address/url.parts.ts";
import { second, type Clock } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import { nextUrl } from "../../../core/address/next.url.ts";
import { errorResponses, errorResponsesAt, operation, type RequestFacts, grouped } from "../../../http/index.ts";
import type { Proof } from "../../factor/level.ts";
import { assuranceOf } from "../../session/access.token.ts";
import { organizationOf, type ActingSession } from "../../session/claims/claims.ts";
import { isImpersonated } from "../../session/session.columns.ts";
import type { CallerRow } from "../../session/session.repository.ts";
import type { JsonObject } from "../../metadata/merge.patch.ts";
import type { ShownClaims } from "../../session/claims/shown.claims.ts";
import { isPersonalToken } from "../../token/personal.token.ts";
import type { TokenBearers } from "../../token/token.bearers.ts";
import type { SessionService } from "../../session/session.service.ts";
import { readRoles } from "../../user/roles.ts";
import type { AuthCookies } from "./cookies.ts";
import { demandParameters, readDemands, type Demands } from "./demands.ts";
import { credentialsOf, signedInBy } from "./guard.ts";

interface VerifyOptions {
  readonly sessions: SessionService;
  /** Undefined where no claims are asked for. */
  readonly shownClaims: ShownClaims | undefined;
  /** Finds the bearer of a personal token; undefined where people make none. */
  readonly bearerOf: TokenBearers | undefined;
  /** Finds whose access token a program shows; undefined where no programs sign people in. */
  readonly programBearer: ProgramBearers | undefined;
  /** Whether sessions act for organizations. */
  readonly hasOrganizations: boolean;
  /** Whether staff act in people's names. */
  readonly hasImpersonation: boolean;
  readonly cookies: AuthCookies;
  readonly facts: RequestFacts;
  readonly appUrl: URL;
  readonly allowedOrigins: AllowedOrigins;
  readonly clock: Clock;
}

/** What the headers say of a caller. */
type Told = Pick<CallerRow, "id" | "userId" | "username" | "email" | "emailVerifiedAt" | "roles" | "impersonatorId"> &
  Proof &
  Partial<ActingSession>;

/** What a program's access token tells of its person, where what was not granted is empty, and of the program itself. */
export type ProgramBearer = Told & { readonly clientId: string; readonly scope: string };

/** Finds whose token a program shows to a resource server, or to a backend that names none. */
export type ProgramBearers = (token: string, resource: string | undefined) => Promise<ProgramBearer | undefined>;

const plain = /^[\w.@+-]*$/;
/** Encodes a header's text: UTF-8, percent-encoded where a header can't hold the plain text; every usual name and address stays readable. */
const encoded = (text: string): string => (plain.test(text) ? text : encodeURI(text.toWellFormed()));

interface Telling {
  readonly claims: JsonObject | undefined;
  readonly hasOrganizations: boolean;
  readonly hasImpersonation: boolean;
  readonly isResource: boolean;
}

/**
 * Answers with every header, even an empty one, so that a proxy that copies them overwrites headers of the client under their names. The
 * headers are set one by one, which takes the runtime half as long as a record of them does.
 */
function present(
  caller: Told | ProgramBearer,
  { claims, hasOrganizations, hasImpersonation, isResource }: Telling,
): Response {
  const response = new Response(null, { status: 204 });
  const { headers } = response;
  headers.set("x-auth-user-id", caller.userId);
  headers.set("x-auth-username", encoded(caller.username));
  headers.set("x-auth-email", encoded(caller.email));
  headers.set("x-auth-email-verified", caller.emailVerifiedAt === null ? "false" : "true");
  headers.set("x-auth-roles", caller.roles.replaceAll(" ", ","));
  headers.set("x-auth-session-id", caller.id);
  // A script is nobody who was proven at some time, and neither are staff in somebody's name.
  const isProven = caller.id !== "" && !isImpersonated(caller);
  headers.set("x-auth-acr", isProven ? assuranceOf(caller) : "");
  headers.set("x-auth-time", isProven ? String(Math.floor(caller.provedAt / second)) : "");
  if (hasOrganizations) {
    const organization = organizationOf(caller);
    headers.set("x-auth-org-id", organization?.id ?? "");
    headers.set("x-auth-org-slug", organization?.slug ?? "");
    headers.set("x-auth-org-roles", organization?.roles.join(",") ?? "");
  }
  if (hasImpersonation) headers.set("x-auth-impersonator", caller.impersonatorId ?? "");
  if (claims !== undefined) headers.set("x-auth-claims", Buffer.from(JSON.stringify(claims)).toString("base64url"));
  if (isResource) {
    headers.set("x-auth-client-id", "clientId" in caller ? caller.clientId : "");
    headers.set("x-auth-scope", "scope" in caller ? caller.scope : "");
  }
  headers.set("cache-control", "no-store");
  return response;
}

/** How long a proof is from now: being led back from the sign-in takes a moment. */
const nowSeconds = 5;

/** Whether a person waits for a page: a script that calls an API has no use for a redirect to a page. */
function isNavigation({ method, headers }: Request): boolean {
  const asked = headers.get("x-forwarded-method") ?? method;
  const mode = headers.get("sec-fetch-mode") ?? "navigate";
  return asked === "GET" && mode === "navigate" && (headers.get("accept") ?? "").includes("text/html");
}

/** Tells proxies and backends of other apps who sends a request. */
export function verifyRoutes({
  sessions,
  shownClaims,
  bearerOf,
  programBearer,
  hasOrganizations,
  hasImpersonation,
  cookies,
  facts,
  appUrl,
  allowedOrigins,
  clock,
}: VerifyOptions) {
  const signInPage = `${baseUrl(appUrl)}/login`;
  const destinations = { origin: appUrl.origin, allowed: allowedOrigins };

  /** Returns the sign-in page that leads back to the requested page; undefined where that is no page of a known origin. */
  function signInUrl(request: Request): string | undefined {
    const asked = isNavigation(request) ? facts.forwardedUrl(request) : undefined;
    const next = asked === undefined ? undefined : nextUrl(asked, destinations);
    return next === undefined ? undefined : `${signInPage}?next=${encodeURIComponent(next)}`;
  }

  /** Returns why the proxy must not let the signed-in user through; undefined where it may. */
  function refusalOf(caller: Told, demands: Demands): AppError | undefined {
    const { role, verified, maxAgeSeconds, org, orgRole, isOwn } = demands;
    if ((isOwn === true || maxAgeSeconds !== undefined) && isImpersonated(caller)) return new AppError("impersonated");
    if (role !== undefined && !readRoles(caller.roles).includes(role)) return new AppError("forbidden");
    if (org !== undefined && organizationOf(caller)?.id !== org) return new AppError("forbidden");
    if (orgRole !== undefined && organizationOf(caller)?.roles.includes(orgRole) !== true)
      return new AppError("forbidden");
    if (verified === true && caller.emailVerifiedAt === null) return new AppError("email_not_verified");
    // A proof from the future was made by a clock that was wrong, and proves nothing.
    if (
      maxAgeSeconds !== undefined &&
      Math.abs(clock.now() - caller.provedAt) >= (maxAgeSeconds || nowSeconds) * second
    )
      return new AppError("reauthentication_required", { status: 401 });
    return undefined;
  }

  /** Leads a person to the sign-in page in place of a 401. */
  function refuse(refusal: AppError, signIn: string | undefined): Response {
    if (refusal.status !== 401 || signIn === undefined) throw refusal;
    // A person who is signed in is asked for a proof there, and not whether to go on with that account.
    const location = refusal.reason === "unauthorized" ? signIn : `${signIn}&reauthenticate=true`;
    return new Response(null, { status: 302, headers: { location } });
  }

  const tell = (caller: Told | ProgramBearer, claims: JsonObject | undefined, { resource }: Demands): Response =>
    present(caller, { claims, hasOrganizations, hasImpersonation, isResource: resource !== undefined });

  /** Answers for the script of a person: it has no session, and a token is no proof of anybody who is there now. */
  async function answerScript(token: string, demands: Demands): Promise<Response> {
    const bearer = await bearerOf?.(token);
    if (bearer === undefined) throw new AppError("unauthorized");
    const caller = { ...bearer, id: "", provedAt: 0, cameBy: null, factor: null };
    const refusal = refusalOf(caller, demands);
    if (refusal !== undefined) throw refusal;
    return tell(caller, shownClaims?.(caller, []), demands);
  }

  /** Answers for a program; undefined where the token is none of a program. */
  async function answerProgram(token: string | undefined, demands: Demands): Promise<Response | undefined> {
    const bearer = token === undefined ? undefined : await programBearer?.(token, demands.resource);
    if (bearer === undefined) return undefined;
    const refusal = refusalOf(bearer, demands);
    if (refusal !== undefined) throw refusal;
    return tell(bearer, undefined, demands);
  }

  return new Elysia({ prefix: "/api/v1/auth", ...grouped("For your own apps") }).get(
    "/verify",
    ({ request, set }) => {
      const demands = readDemands(request.url);
      // Read before the database answers: a connection that has gone meanwhile has no address that could be trusted.
      const signIn = demands.redirect === true ? signInUrl(request) : undefined;
      const credentials = credentialsOf(request, cookies);
      if (isPersonalToken(credentials.bearer)) return answerScript(credentials.bearer, demands);
      return sessions.identify(credentials).then((authenticated) => {
        if ("refused" in authenticated) {
          const refusal = new AppError("unauthorized", { flaw: authenticated.refused });
          return answerProgram(credentials.bearer, demands).then((answer) => answer ?? refuse(refusal, signIn));
        }
        const { session, reissuedAccess } = authenticated;
        if (reissuedAccess !== undefined) cookies.setAccess(set, request, reissuedAccess);
        const refusal = sessions.isFactorMissing(session) ? new AppError("unauthorized") : refusalOf(session, demands);
        if (refusal !== undefined) return refuse(refusal, signIn);
        const tokens = [credentials.bearer ?? credentials.access, reissuedAccess];
        return tell(session, shownClaims?.(session, tokens), demands);
      });
    },
    {
      response: {
        ...errorResponses("invalid_payload", "forbidden", "impersonated", "email_not_verified"),
        ...errorResponsesAt(401, "unauthorized", "reauthentication_required"),
      },
      detail: operation("verify", {
        summary: "Who sends a request: for the proxies and backends of other apps",
        answers: {
          204: "Signed in, as the headers `X-Auth-*` say",
          302: "To the sign-in page, for a navigation with `redirect=login`",
        },
        parameters: demandParameters,
        ...signedInBy,
      }),
    },
  );
}
