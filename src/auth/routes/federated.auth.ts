import { AppError } from "../../core/errors.ts";
import type { Clock } from "../../core/clock.ts";
import type { ResponseHead } from "../../http/index.ts";
import type { Client, ClientOf } from "../client.ts";
import type { AcceptanceService } from "../flow/invitation/invitation.acceptance.ts";
import type { Federation } from "../flow/federation.service.ts";
import type { NewcomerWelcome } from "../flow/organization/newcomer.welcome.ts";
import type { Vouchers } from "../flow/organization/vouchers.ts";
import type { Flows } from "./flows.ts";
import type { Journal } from "../journal.ts";
import { noticeJob } from "../mail/jobs.ts";
import type { Pressure } from "../pressure/pressure.ts";
import { isImpersonated } from "../session/session.columns.ts";
import type { SessionRow } from "../session/session.repository.ts";
import type { SessionService } from "../session/session.service.ts";
import type { UserRepository } from "../user/user.repository.ts";
import type { AuthCookies } from "./session/cookies.ts";
import { credentialsOf, type Guard } from "./session/guard.ts";

interface FederatedOptions {
  readonly federation: Federation;
  readonly acceptance: AcceptanceService;
  readonly welcomeOf: NewcomerWelcome;
  readonly vouchers: Pick<Vouchers, "issue">;
  readonly guard: Guard;
  readonly clientOf: ClientOf;
  readonly journal: Journal;
  readonly cookies: AuthCookies;
  readonly users: UserRepository;
  readonly sessions: SessionService;
  readonly pressure: Pressure;
  readonly flows: Flows;
  readonly clock: Clock;
}

/** What signing in by the provider of an organization needs besides. */
const forOrganizations = ({ users, welcomeOf, vouchers, cookies, clock }: FederatedOptions) => ({
  /** Returns the user who has the address, or has given it up and may still come back to it. */
  claimantOf: (emailKey: string) => users.claimantOfEmail(emailKey, clock.now()),
  welcomeOf,
  /** Guards a batch, as its first lock: the user is active, with the proven address and the roles that were read. */
  holdAddress: users.holdAddress,
  /** Notes in the browser that the provider of an organization has just spoken for an account. */
  setVouched(
    head: ResponseHead,
    request: Request,
    { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
  ): void {
    cookies.setVouched(head, request, vouchers.issue(userId, organizationId));
  },
});

/** The parts of accounts and sessions that signing in through a provider needs. */
export function createFederatedAuth(options: FederatedOptions) {
  const { federation, acceptance, guard, clientOf, journal, cookies, users, sessions, pressure, flows, clock } =
    options;
  async function sessionOf(request: Request, head: ResponseHead): Promise<SessionRow | undefined> {
    const authenticated = await sessions.authenticate(credentialsOf(request, cookies));
    if ("refused" in authenticated) return undefined;
    const { session, reissuedAccess } = authenticated;
    if (reissuedAccess !== undefined) cookies.setAccess(head, request, reissuedAccess);
    return session;
  }

  return {
    ...federation,
    acceptance,
    guard,
    clientOf,
    journal,
    cookies,
    userById: users.byId,
    ...forOrganizations(options),
    /** Charges an attempt with the token of an invitation to the client's address. Throws `rate_limited`. */
    limitInvitation: (client: Client, token: string) => pressure.limitAddress("invitation", client, { token }),
    /**
     * Returns the session of a request whose route is open to anyone; an expired access cookie is renewed. Undefined for a session that may
     * only set up its second factor, and for staff in somebody's name.
     */
    async sessionOf(request: Request, head: ResponseHead) {
      const session = await sessionOf(request, head);
      if (session === undefined) return undefined;
      return sessions.isFactorMissing(session) || isImpersonated(session) ? undefined : session;
    },
    /** Whether somebody is signed in, if only to set up their second factor. A person to whom a hook refuses the token is not. */
    async isSignedIn(request: Request, head: ResponseHead): Promise<boolean> {
      try {
        return (await sessionOf(request, head)) !== undefined;
      } catch (error) {
        if (error instanceof AppError && error.reason === "denied_by_hook") return false;
        throw error;
      }
    },
    setChallenge: cookies.setChallenge,
    /** Guards a batch, as its first lock: the user is active, and no other batch that holds the user runs beside it. */
    holdUser: (userId: string) => users.hold(userId, clock.now()),
    holdSession: sessions.hold,
    requireFreshProof: sessions.requireFreshProof,
    /** Charges the start of a sign-in to the client's address. `isProven`: within a session or by an invitation. Throws `rate_limited`. */
    limitStart: (client: Client, isProven: boolean) => pressure.limitAddress("oauth-start", client, { isProven }),
    /** Returns the mail that tells the user that `about` was linked or unlinked. */
    noticeOf: (change: "identity_linked" | "identity_unlinked", userId: string, about: string, client: Client) =>
      noticeJob(change, { userId }, { about, client }),
    watch: flows.watch,
    refused: flows.refused,
  };
}

export type FederatedAuth = ReturnType<typeof createFederatedAuth>;
