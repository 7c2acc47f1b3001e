import type { Delegations } from "../delegation/delegations.ts";
import type { DelegatedRow } from "../delegation/delegation.columns.ts";
import type { ResponseHead } from "../../http/index.ts";
import type { ClientOf } from "../client.ts";
import type { Behind, Impersonations } from "../impersonation/impersonations.ts";
import type { Journal } from "../journal.ts";
import type { Pressure } from "../pressure/pressure.ts";
import { actorClaim, levelClaims, type AccessTokens } from "../session/access.token.ts";
import type { CallerRow, SessionRepository } from "../session/session.repository.ts";
import type { SessionService } from "../session/session.service.ts";
import type { AuthCookies } from "./session/cookies.ts";
import { credentialsOf, type Guard } from "./session/guard.ts";

interface ProviderAuthOptions {
  readonly delegations: Delegations;
  readonly guard: Guard;
  readonly clientOf: ClientOf;
  readonly journal: Journal;
  readonly cookies: AuthCookies;
  readonly sessions: SessionService;
  readonly sessionRows: Pick<SessionRepository, "proofOf">;
  readonly accessTokens: Pick<AccessTokens, "claimsFor">;
  readonly impersonations: Pick<Impersonations, "behind">;
  readonly pressure: Pressure;
}

/** The session of a browser whose person another program signs in. */
export interface Browsing extends Pick<
  CallerRow,
  "id" | "userId" | "username" | "displayName" | "email" | "roles" | "provedAt" | "remembered" | "expiresAt" | "cameBy"
> {
  readonly factor: CallerRow["factor"] & (string | null);
  /** Whether the account has a second factor by which the session could be raised. */
  readonly hasFactor: boolean;
  /** Whether the session may only set up the second factor that is required. */
  readonly isFactorMissing: boolean;
  /** The member of staff who acts in the person's name; null for the person. */
  readonly impersonator: Behind;
}

/** The parts of accounts and sessions that signing people in for other programs needs. */
export function createProviderAuth(options: ProviderAuthOptions) {
  const { delegations, guard, clientOf, journal, cookies, sessions, sessionRows, accessTokens } = options;
  const { impersonations, pressure } = options;
  return {
    delegations,
    guard,
    clientOf,
    journal,

    /** Returns the session of the browser: a bearer token stands for no browser. An expired access cookie is renewed. */
    async browsingOf(request: Request, head: ResponseHead): Promise<Browsing | undefined> {
      if (!request.headers.has("cookie")) return undefined;
      const found = await sessions.identify({ ...credentialsOf(request, cookies), bearer: undefined });
      if ("refused" in found) return undefined;
      const { session, reissuedAccess } = found;
      if (reissuedAccess !== undefined) cookies.setAccess(head, request, reissuedAccess);
      const proof = await sessionRows.proofOf(session.id);
      return {
        ...session,
        factor: session.factor ?? null,
        hasFactor: (proof?.factors ?? 0) !== 0,
        isFactorMissing: sessions.isFactorMissing(session),
        impersonator: await impersonations.behind(session),
      };
    },

    /** Ends the session of the browser, and what hangs on it, and takes its cookies. */
    async endBrowsing(
      { id, userId, impersonator }: Pick<Browsing, "id" | "userId" | "impersonator">,
      request: Request,
      head: ResponseHead,
    ): Promise<void> {
      await sessions.end([{ id, userId, impersonatorId: impersonator?.id ?? null }], clientOf(request));
      cookies.clear(head, request);
    },

    /** Returns the claims on how the person was proven, how strongly and when. */
    levelOf: levelClaims,
    /** Returns the claim that says who acts in the person's name, if it is not the person. */
    actorOf: actorClaim,
    /** Returns the claims that the operator wants in every token. Throws `denied_by_hook`. */
    claimsFor: (row: DelegatedRow) => accessTokens.claimsFor({ id: row.userId, username: row.username }, row),
    /** Charges a request to the client's address. Throws `rate_limited`. */
    limit: pressure.limitAddress,
    /** Charges one of the `limit` times an hour that a person may do this. Throws `rate_limited`. */
    limitHourly: pressure.limitHourly,
  };
}

export type ProviderAuth = ReturnType<typeof createProviderAuth>;
