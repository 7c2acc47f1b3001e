import { Elysia } from "elysia";
import type { Module } from "../core/module.ts";
import { createBrowserBinding, type RequestFacts } from "../http/index.ts";
import type { Metrics } from "../observe/metrics.ts";
import { staleAuthRows } from "./cleanup.ts";
import { createCleanupRepository } from "./cleanup.repository.ts";
import { createClientOf, createProxyWarning } from "./client.ts";
import { passkeyChallengeTtlMs } from "./factor/passkey/passkey.challenges.ts";
import { createPasskeyLogin } from "./flow/factor/passkey.login.ts";
import { createPasskeyService } from "./flow/factor/passkey.service.ts";
import { createFlows, watchPressure, watchServices } from "./routes/flows.ts";
import { createJobHandlers } from "./mail/job.handlers.ts";
import { createLetters } from "./mail/letters.ts";
import { createMailCap } from "./mail/withheld.ts";
import { createAccounts } from "./people/accounts.ts";
import { createFoldNames } from "./people/fold.names.ts";
import { createNameRepository } from "./people/names.repository.ts";
import { createPeople } from "./people/people.ts";
import { accountRoutes } from "./routes/account.routes.ts";
import { challengeRoutes } from "./routes/factor/challenge.routes.ts";
import { createAuthCookies } from "./routes/cookies.ts";
import { createDeliveries } from "./routes/delivery.ts";
import { emailLoginRoutes } from "./routes/email.login.routes.ts";
import { createFederatedAuth } from "./routes/federated.auth.ts";
import { createGuard } from "./routes/guard.ts";
import { invitationRoutes } from "./routes/invitation.routes.ts";
import { keyRoutes } from "./routes/key.routes.ts";
import { createPageAuth } from "./routes/page/page.auth.ts";
import { createPageFactors } from "./routes/page/page.factors.ts";
import { mfaRoutes } from "./routes/factor/mfa.routes.ts";
import { passkeyRoutes } from "./routes/factor/passkey.routes.ts";
import { passwordRoutes } from "./routes/password.routes.ts";
import { personalDataRoutes } from "./routes/personal.data.routes.ts";
import { sessionRoutes } from "./routes/session.routes.ts";
import { verificationRoutes } from "./routes/verification.routes.ts";
import { verifyRoutes } from "./routes/verify.routes.ts";
import { createTransfer } from "./transfer/transfer.ts";
import { createAuthServices, type AuthServiceOptions } from "./services.ts";

export type { Client } from "./client.ts";
export { bootstrapFaults } from "./flow/bootstrap.ts";
export type { Added } from "./flow/added.ts";
export type { SignIn } from "./flow/admission.ts";
export type { MailKind, WithheldReason } from "./mail/kinds.ts";
export type { InvitationForm } from "./flow/invitation.form.ts";
export type { Invitation, Invitations } from "./flow/invitation.service.ts";
export type { ProviderProof } from "./flow/federation.service.ts";
export type { FederatedAuth } from "./routes/federated.auth.ts";
export { cookieWords } from "./routes/cookies.ts";
export type { PageAuth, Viewer } from "./routes/page/page.auth.ts";
export type { PageFactors } from "./routes/page/page.factors.ts";
export type { FactorOverview } from "./flow/factor/factor.service.ts";
export type { StoredFactor } from "./factor/stored.factors.ts";
export type { FactorName } from "./factor/method.ts";
export { AccountFields, invitationRefusals } from "./routes/schemas.ts";
export { securitySchemesOf, type Guard } from "./routes/guard.ts";
export type { Accounts } from "./people/accounts.ts";
export type { People } from "./people/people.ts";
export type { PeopleCounts } from "./people/counts.ts";
export type { PeoplePage, PeopleQuery, Person, PersonSession, PersonSummary } from "./people/person.ts";
export { deviceLabel } from "./device.ts";
export { passwordRules } from "./password/password.policy.ts";
export type { StoredEvent as PersonEvent, StoredIdentity as PersonIdentity } from "./flow/export.service.ts";
export type { AccountName } from "./people/names.repository.ts";
export type { SessionRow } from "./session/session.repository.ts";
export { adminRole } from "./user/roles.ts";
export type { UserRow } from "./user/user.repository.ts";

interface AuthOptions extends AuthServiceOptions {
  readonly facts: RequestFacts;
  readonly metrics: Metrics;
}

/** Local accounts: services, the routes under `/api/v1/auth`, the `RequireAuth` guard, mails and cleanup. */
export async function createAuth({ facts, metrics, ...options }: AuthOptions) {
  const { config, database, clock, log } = options;
  const { auth, app } = config;
  const services = await createAuthServices(options);
  const { users, journal, grants, fates, sessions } = services;

  const cookies = createAuthCookies({
    app: app.name,
    secure: auth.cookieSecure,
    domain: auth.cookieDomain,
    appUrl: app.url,
    accessTtlMs: auth.accessTtlMs,
    devices: services.devices,
    facts,
    clock,
  });
  const guard = createGuard({ sessions, cookies, log });
  const clientOf = createClientOf({
    facts,
    onForgottenProxy: createProxyWarning({ log, clock, count: metrics.forgottenProxy }),
  });
  const flows = createFlows(metrics, options.watch);
  const federation = createFederatedAuth({
    ...services,
    flows,
    guard,
    clientOf,
    cookies,
    clock,
  });

  const deliveries = createDeliveries({ cookies, devices: services.devices, accessTtlMs: auth.accessTtlMs, clock });
  const withPasskeys = { ...services, ...services.passkeyParts, clock };
  const browsers = createBrowserBinding({
    name: cookies.names.passkey,
    isSecure: cookies.isSecure,
    https: app.url.protocol === "https:",
    ttlMs: passkeyChallengeTtlMs,
  });
  const watched = {
    ...watchServices(
      { ...services, passkeys: createPasskeyService(withPasskeys), passkeyLogin: createPasskeyLogin(withPasskeys) },
      flows,
    ),
    pressure: watchPressure(services.pressure, flows),
    browsers,
    cookies,
    deliveries,
    guard,
    clientOf,
    clock,
  };
  const accountsApi = new Elysia({ prefix: "/api/v1/auth" })
    .onAfterHandle(({ set }) => {
      set.headers["cache-control"] = "no-store";
    })
    .use(sessionRoutes(watched))
    .use(challengeRoutes(watched))
    .use(accountRoutes(watched))
    .use(passwordRoutes(watched))
    .use(verificationRoutes(watched))
    .use(passkeyRoutes(watched))
    .use(
      emailLoginRoutes({
        ...watched,
        ttlMs: auth.emailLoginTtlMs,
      }),
    )
    .use(invitationRoutes(watched))
    .use(mfaRoutes(watched))
    .use(personalDataRoutes(watched));
  // Asked about every request of other apps: this route makes its headers itself, and pays for no hook.
  const { allowedOrigins } = config.http;
  const verify = verifyRoutes({ ...watched, facts, appUrl: app.url, allowedOrigins });
  const routes = new Elysia().use(accountsApi).use(verify);

  const cap = createMailCap({
    journal,
    hourlyShare: services.pressure.hourlyShare,
    fates,
    counter: metrics.mailsWithheld,
    log,
  });
  /** The work behind the routes, for every app on the database: jobs, old rows, and writes that follow an answer. */
  const module: Module = {
    jobs: createJobHandlers({
      users,
      grants,
      invitations: services.invitationTokens,
      cap,
      letters: createLetters({ appUrl: app.url, product: app.displayName, accent: app.accent }),
      fates,
      clock,
    }),
    schedules: [createFoldNames({ database, people: services.people, log })],
    stale: staleAuthRows({
      rows: createCleanupRepository(database, app.name),
      sessionIdleTtlMs: auth.sessionIdleTtlMs,
    }),
    close: () => services.close(),
  };
  const api: Module<typeof routes> = { routes };
  const { introspect, publishedKeys } = services;
  const published = keyRoutes(publishedKeys);
  const keys: Module<typeof published> =
    publishedKeys.length > 0 ? { routes: published } : { described: published.routes };
  return {
    module,
    api,
    keys,
    guard,
    clientOf,
    introspect,
    invitations: services.invitations,
    accounts: createAccounts({ ...services, audit: options.audit, clock }),
    transfer: createTransfer({ ...services, database, identities: options.identities, clock }),
    people: createPeople({ ...services, config: auth, audit: options.audit, identities: options.identities, clock }),
    /** Returns the names of the people with these ids. */
    namesOf: createNameRepository(database).of,
    /** Returns the faults with which no account may be made. */
    registrationFaults: services.registration.faults,
    /** Returns the fates of the mails to an account. */
    mails: { ofUser: fates.ofUser },
    journal,
    federation,
    pages: createPageAuth({ ...watched, onRefusal: options.watch?.refused }),
    pageFactors: createPageFactors(watched),
  };
}
