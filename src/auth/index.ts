import { Elysia } from "elysia";
import type { Config } from "../config/index.ts";
import type { By } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { SessionDebug } from "../core/flaws.ts";
import type { Job } from "../core/job.ts";
import type { Module } from "../core/module.ts";
import type { Database, Statement } from "../drivers/database/index.ts";
import type { EventBus } from "../drivers/events/index.ts";
import type { Mailer } from "../drivers/mail/index.ts";
import type { Queue } from "../drivers/queue/index.ts";
import { password, text, type RequestFacts, type ResponseHead } from "../http/index.ts";
import type { Log } from "../observe/index.ts";
import type { AuthProvider, Metrics, ProviderFlow } from "../observe/metrics.ts";
import { createAccessTokens } from "./session/access.token.ts";
import { accountRoutes } from "./routes/account.routes.ts";
import { createAccountService, readRegistration, type Registration } from "./flow/account.service.ts";
import { createAttemptRepository } from "./pressure/attempt.repository.ts";
import { staleAuthRows } from "./cleanup.ts";
import { createCleanupRepository } from "./cleanup.repository.ts";
import { createClientOf, type ClientOf } from "./client.ts";
import { createAuthCookies, type AuthCookies } from "./routes/cookies.ts";
import { createFederation, type Federation } from "./flow/federation.ts";
import { createFlows, measureServices } from "./flow/flows.ts";
import { createGrantRepository } from "./grant/grant.repository.ts";
import { createGrantService } from "./grant/grant.service.ts";
import { createGuard, credentialsOf, type Guard } from "./routes/guard.ts";
import { createJobHandlers } from "./mail/job.handlers.ts";
import { noticeJob } from "./mail/jobs.ts";
import { byOperator, createJournal, type Journal, type JournalOptions } from "./journal.ts";
import { createLoginService } from "./flow/login.service.ts";
import { findByLogin } from "./user/find.ts";
import { createLetters } from "./mail/letters.ts";
import { createPasswordHasher } from "./password/password.hash.ts";
import { createPasswordPolicy } from "./password/password.policy.ts";
import { passwordRoutes } from "./routes/password.routes.ts";
import { createPasswordService } from "./flow/password.service.ts";
import { createPressure } from "./pressure/pressure.ts";
import { createRefreshTokens } from "./session/refresh.token.ts";
import { createRefusals } from "./pressure/refusals.ts";
import { createSessionRepository, type SessionRow } from "./session/session.repository.ts";
import { sessionRoutes } from "./routes/session.routes.ts";
import { createSessionService } from "./session/session.service.ts";
import { watchSessions } from "./session/session.watch.ts";
import { createUserRepository, type UserRow } from "./user/user.repository.ts";
import { verificationRoutes } from "./routes/verification.routes.ts";
import { createVerificationService } from "./flow/verification.service.ts";

export type { Proof } from "./flow/federation.ts";
export type { SignedIn } from "./flow/login.service.ts";
export type { SessionRow } from "./session/session.repository.ts";
export type { Client } from "./client.ts";
export type { UserRow } from "./user/user.repository.ts";
export { securitySchemes } from "./routes/guard.ts";
export type { Guard };

interface AuthOptions {
  readonly config: Config;
  readonly database: Database;
  readonly queue: Queue;
  readonly audit: JournalOptions["audit"];
  readonly events: EventBus;
  readonly mailer: Mailer;
  readonly facts: RequestFacts;
  /** Removes what others have linked to an account whose address was never proven (see PasswordService.confirmReset). */
  readonly unlinkUnproven: (userId: string) => Statement;
  readonly metrics: Metrics;
  /** Who wants to see why requests are refused. */
  readonly watch?: AuthWatch | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

interface AuthWatch {
  session(event: SessionDebug): void;
  refused(refusal: AppError): void;
}

/** What signing in through somebody else needs of accounts and sessions. */
export interface FederatedAuth extends Federation {
  readonly guard: Guard;
  readonly clientOf: ClientOf;
  readonly journal: Journal;
  readonly cookies: Pick<AuthCookies, "set" | "isSecure">;
  userById(id: string): Promise<UserRow | undefined>;
  /** The session of a request whose route is open to anyone; an access cookie that ran out is renewed. */
  sessionOf(request: Request, head: ResponseHead): Promise<SessionRow | undefined>;
  /** Guards of a batch: the session is live; the user is active, and no other batch that holds the user runs beside it. */
  holdSession(session: SessionRow): Statement;
  holdUser(userId: string): Statement;
  /** Charges the start of a sign-in to the client's address. Throws `rate_limited`. */
  limitStart(bucket: string): Promise<void>;
  /** Tells the user that `about` was linked or unlinked. */
  noticeOf(change: "identity_linked" | "identity_unlinked", userId: string, about: string): Job;
  /** Counts how a flow of a provider ends. */
  measure<T>(flow: ProviderFlow, work: () => Promise<T>, provider: AuthProvider): Promise<T>;
  /** Counts a refusal from before the flow began. */
  refused(flow: ProviderFlow, error: unknown, provider: AuthProvider): void;
  announceProviders(providers: readonly AuthProvider[]): void;
}

/** What operators do to accounts from the command line. Throws AppError. */
export interface Accounts {
  create(registration: Registration & { verified: boolean }, by?: By): Promise<UserRow>;
  setPassword(login: string, password: string): Promise<void>;
  /** Resolves to how many sessions were ended. */
  revokeSessions(login: string): Promise<number>;
  idOf(login: string): Promise<string>;
}

export async function createAuth(options: AuthOptions) {
  const { config, database, queue, audit, events, mailer, facts, unlinkUnproven, metrics, watch, clock, log } = options;
  const { auth, app } = config;
  const appUrl = app.url;

  const users = createUserRepository(database);
  const sessionRows = createSessionRepository(database);
  const journal = createJournal({ queue, audit, events, clock });
  const refusals = createRefusals({ journal, clock, log });
  const attempts = createAttemptRepository(database);
  const pressure = createPressure({ config: auth, attempts, database, refusals, clock });
  const accessTokens = await createAccessTokens({
    secret: auth.jwtSecret,
    previousSecrets: auth.jwtPreviousSecrets,
    issuer: appUrl.href.replace(/\/$/, ""),
    audience: app.name,
    ttlMs: auth.accessTtlMs,
    clock,
  });
  const refreshTokens = createRefreshTokens(auth.jwtSecret, auth.jwtPreviousSecrets);
  const plainSessions = createSessionService({
    config: auth,
    database,
    journal,
    sessions: sessionRows,
    users,
    accessTokens,
    refreshTokens,
    clock,
    log,
  });
  const sessions = watch === undefined ? plainSessions : watchSessions(plainSessions, watch.session);
  const grants = createGrantService({
    database,
    grants: createGrantRepository(database),
    ttlMs: { password_reset: auth.passwordResetTtlMs, email_verification: auth.emailVerificationTtlMs },
    clock,
  });
  const hasher = await createPasswordHasher({ concurrency: auth.hashConcurrency, queueLimit: auth.hashQueue, log });
  const policy = createPasswordPolicy(auth);
  const accounts = createAccountService({
    config: auth,
    journal,
    users,
    sessions,
    grants,
    hasher,
    policy,
    pressure,
    clock,
  });
  const login = createLoginService({ config: auth, journal, users, sessions, hasher, pressure, clock });
  const passwords = createPasswordService({
    returnToken: auth.passwordResetReturnToken,
    queue,
    journal,
    users,
    sessionRows,
    sessions,
    grants,
    hasher,
    policy,
    pressure,
    unlinkUnproven,
    clock,
    log,
  });
  const verification = createVerificationService({
    returnToken: auth.emailVerificationReturnToken,
    queue,
    journal,
    users,
    grants,
    clock,
  });

  const cookies = createAuthCookies({
    secure: auth.cookieSecure,
    appUrl,
    accessTtlMs: auth.accessTtlMs,
    facts,
    clock,
  });
  const guard = createGuard({ sessions, cookies, log });
  const clientOf = createClientOf(facts);

  async function named(loginName: string): Promise<UserRow> {
    const user = await findByLogin(users, text("login", loginName));
    if (user === undefined) throw new AppError("not_found");
    return user;
  }
  const operatorAccounts: Accounts = {
    create: async ({ verified, ...registration }, by = byOperator) =>
      accounts.create({ ...readRegistration(registration), verified }, by),
    setPassword: async (loginName, secret) => passwords.set(await named(loginName), password(secret), byOperator),
    revokeSessions: async (loginName) =>
      sessions.endAll((await named(loginName)).id, "auth.session-revoked", byOperator),
    idOf: async (loginName) => (await named(loginName)).id,
  };

  const flows = createFlows(metrics, watch?.refused);
  const federation: FederatedAuth = {
    ...createFederation({ config: auth, journal, users, sessions, clock }),
    guard,
    journal,
    clientOf,
    cookies,
    userById: (id) => users.byId(id),
    async sessionOf(request, head) {
      const authenticated = await sessions.authenticate(credentialsOf(request));
      if ("refused" in authenticated) return undefined;
      const { session, reissuedAccess } = authenticated;
      if (reissuedAccess !== undefined) cookies.setAccess(head, request, reissuedAccess);
      return session;
    },
    holdSession: (session) => sessions.hold(session),
    holdUser: (userId) => users.hold(userId, clock.now()),
    limitStart: (bucket) => pressure.limitAddress("oauth-start", bucket),
    noticeOf: (change, userId, about) => noticeJob(change, { userId }, about),
    measure: flows.measure,
    refused: flows.refused,
    announceProviders: metrics.announceProviders,
  };

  const measured = measureServices({ login, accounts, sessions, passwords, verification, pressure }, flows);
  const routes = new Elysia({ prefix: "/api/v1/auth" })
    .onAfterHandle(({ set }) => {
      set.headers["cache-control"] = "no-store";
    })
    .use(sessionRoutes({ ...measured, cookies, guard, clientOf }))
    .use(accountRoutes({ ...measured, cookies, guard, clientOf }))
    .use(passwordRoutes({ ...measured, cookies, guard, clientOf }))
    .use(verificationRoutes({ ...measured, guard, clientOf }));

  /** The work behind the routes, for every app on the database: jobs, old rows, and what is written behind an answer. */
  const module: Module = {
    name: "auth",
    jobs: createJobHandlers({ users, grants, letters: createLetters({ appUrl }), mailer }),
    stale: staleAuthRows({ rows: createCleanupRepository(database), sessionIdleTtlMs: auth.sessionIdleTtlMs }),
    close: () => refusals.close(),
  };
  const api: Module<typeof routes> = { name: "auth-api", routes };
  return { module, api, guard, accounts: operatorAccounts, journal, federation };
}
