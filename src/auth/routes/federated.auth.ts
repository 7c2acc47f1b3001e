import type { Clock } from "../../core/clock.ts";
import type { Job } from "../../core/job.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { ResponseHead } from "../../http/index.ts";
import type { AuthProvider, ProviderFlow } from "../../observe/metrics/flows.ts";
import type { Client, ClientOf } from "../client.ts";
import type { IssuedChallenge } from "../factor/challenges.ts";
import type { AcceptanceService } from "../flow/invitation/invitation.acceptance.ts";
import type { Federation } from "../flow/federation.service.ts";
import type { Flows } from "./flows.ts";
import type { Journal } from "../journal.ts";
import { noticeJob } from "../mail/jobs.ts";
import type { Pressure } from "../pressure/pressure.ts";
import type { SessionRow } from "../session/session.repository.ts";
import type { SessionService } from "../session/session.service.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";
import type { AuthCookies } from "./session/cookies.ts";
import { credentialsOf, type Guard } from "./session/guard.ts";

/** The parts of accounts and sessions that signing in through a provider needs. */
export interface FederatedAuth extends Federation {
  readonly acceptance: Pick<AcceptanceService, "welcomeByHash">;
  /** Charges an attempt with the token of an invitation to the client's address. Throws `rate_limited`. */
  limitInvitation(client: Client, token: string): Promise<void>;
  readonly guard: Guard;
  readonly clientOf: ClientOf;
  readonly journal: Journal;
  readonly cookies: Pick<AuthCookies, "signIn" | "isSecure">;
  userById(id: string): Promise<UserRow | undefined>;
  /**
   * Returns the session of a request whose route is open to anyone; an expired access cookie is renewed. Undefined for a session that may
   * only set up its second factor.
   */
  sessionOf(request: Request, head: ResponseHead): Promise<SessionRow | undefined>;
  /** Whether somebody is signed in, if only to set up their second factor. */
  isSignedIn(request: Request, head: ResponseHead): Promise<boolean>;
  /** Gives the browser the challenge at which its sign-in has ended. */
  setChallenge(head: ResponseHead, request: Request, challenge: IssuedChallenge): void;
  /** Guards a batch, as its first lock: the user is active, and no other batch that holds the user runs beside it. */
  holdUser(userId: string): Statement;
  /** Guards a batch: the session is live. */
  holdSession(session: SessionRow): Statement;
  /** Throws `reauthentication_required` unless the session's user was proven minutes ago. */
  requireFreshProof(session: SessionRow): Promise<void>;
  /** Charges the start of a sign-in to the client's address. `isProven`: within a session or by an invitation. Throws `rate_limited`. */
  limitStart(client: Client, isProven: boolean): Promise<void>;
  /** Returns the mail that tells the user that `about` was linked or unlinked. */
  noticeOf(change: "identity_linked" | "identity_unlinked", userId: string, about: string, client: Client): Job;
  /** Runs a flow of a provider and counts how it ends. */
  watch<T>(flow: ProviderFlow, work: () => Promise<T>, provider: AuthProvider): Promise<T>;
  /** Counts a refusal from before the flow began. */
  refused(flow: ProviderFlow, error: unknown, provider: AuthProvider): void;
}

interface FederatedAuthOptions {
  readonly federation: Federation;
  readonly acceptance: AcceptanceService;
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

export function createFederatedAuth(options: FederatedAuthOptions): FederatedAuth {
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
    limitInvitation: (client, token) => pressure.limitAddress("invitation", client, { token }),
    guard,
    clientOf,
    journal,
    cookies,
    userById: (id) => users.byId(id),
    async sessionOf(request, head) {
      const session = await sessionOf(request, head);
      return session === undefined || sessions.isFactorMissing(session) ? undefined : session;
    },
    isSignedIn: async (request, head) => (await sessionOf(request, head)) !== undefined,
    setChallenge: cookies.setChallenge,
    holdUser: (userId) => users.hold(userId, clock.now()),
    holdSession: (session) => sessions.hold(session),
    requireFreshProof: (session) => sessions.requireFreshProof(session),
    limitStart: (client, isProven) => pressure.limitAddress("oauth-start", client, { isProven }),
    noticeOf: (change, userId, about, client) => noticeJob(change, { userId }, { about, client }),
    watch: flows.watch,
    refused: flows.refused,
  };
}
