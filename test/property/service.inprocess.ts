import { createHash } from "node:crypto";
import { createAuditRepository } from "../../src/audit/audit.repository.ts";
import { createAdmission, isChallenged, type SignedIn, type SignIn } from "../../src/auth/flow/admission.ts";
import type { AccessTokens } from "../../src/auth/session/access.token.ts";
import { createAttemptRepository } from "../../src/auth/pressure/attempt.repository.ts";
import { createJournal } from "../../src/auth/journal.ts";
import { createGrantRepository } from "../../src/auth/grant/grant.repository.ts";
import { createGrantService } from "../../src/auth/grant/grant.service.ts";
import { createMailedCodes } from "../../src/auth/grant/mailed.codes.ts";
import { createMailedTokens } from "../../src/auth/mailed.tokens.ts";
import { createTotpRepository } from "../../src/auth/factor/totp/totp.repository.ts";
import { createRecoveryRepository } from "../../src/auth/factor/recovery/recovery.repository.ts";
import { createStoredFactors } from "../../src/auth/factor/stored.factors.ts";
import { createMailRepository } from "../../src/auth/mail/mail.repository.ts";
import { createMemberships } from "../../src/organization/index.ts";
import type { Memberships } from "../../src/auth/index.ts";
import { createInvitationRepository } from "../../src/auth/invitation/invitation.repository.ts";
import { createDeletion } from "../../src/auth/flow/account/deletion.service.ts";
import { createLoginService } from "../../src/auth/flow/login.service.ts";
import type { PasswordHasher } from "../../src/auth/password/password.hash.ts";
import { createPasswordService } from "../../src/auth/flow/password.service.ts";
import { createDeviceProofs } from "../../src/auth/pressure/device.proof.ts";
import { createLocks } from "../../src/auth/pressure/locks.ts";
import { createPressure } from "../../src/auth/pressure/pressure.ts";
import { createRefusals } from "../../src/auth/pressure/refusals.ts";
import { createRefreshTokens } from "../../src/auth/session/refresh.token.ts";
import { createSessionRepository } from "../../src/auth/session/session.repository.ts";
import { createSessionService } from "../../src/auth/session/session.service.ts";
import { createEvictions } from "../../src/auth/flow/eviction/eviction.ts";
import { createChallengeRepository } from "../../src/auth/factor/challenge.repository.ts";
import { createChallenges } from "../../src/auth/factor/challenges.ts";
import { createFactors } from "../../src/auth/factor/factors.ts";
import type { FactorMethod } from "../../src/auth/factor/method.ts";
import { createChallengeService } from "../../src/auth/flow/factor/challenge.service.ts";
import { createRegistrationRules } from "../../src/auth/flow/registration.rules.ts";
import { createRegistrationService } from "../../src/auth/flow/registration.service.ts";
import { createAccounts } from "../../src/auth/people/accounts.ts";
import { createProfileService } from "../../src/auth/flow/account/profile.service.ts";
import { createReauthentication } from "../../src/auth/flow/account/reauthentication.service.ts";
import { createUnitOfWork } from "../../src/drivers/queue/unit.of.work.ts";
import { createTokenRepository } from "../../src/auth/token/token.repository.ts";
import { createMetadataRepository } from "../../src/auth/metadata/metadata.repository.ts";
import { usualPolicy } from "../support/passwords.ts";
import { createUserRepository } from "../../src/auth/user/user.repository.ts";
import { hour, type Clock } from "../../src/core/clock.ts";
import { webhookQueuePrefix } from "../../src/core/naming.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { createInprocEventBus } from "../../src/drivers/events/inproc.ts";
import { createJobMentions } from "../../src/drivers/queue/table/mention.repository.ts";
import { createDatabaseQueue } from "../../src/drivers/queue/table/database.ts";
import type { Log } from "../../src/observe/index.ts";
import { createIdentityRepository } from "../../src/oauth/index.ts";
import { sessionOf } from "./player.ts";

const secret = "a signing key of the test, of no use elsewhere";
const often = { attempts: 1_000_000, durationMs: hour };

const roomy = { maxPerPerson: 100, maxMembers: 100 };

const silent: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  with: () => silent,
};

/** Returns a quick hash. Argon2 would be nearly all of the time, and holds no state that an interleaving could get wrong. */
export const quickHash = (password: string): string => `quick$${createHash("sha256").update(password).digest("hex")}`;
const quickHasher: PasswordHasher = {
  hash: (password) => Promise.resolve(quickHash(password)),
  verify: (stored, password) => Promise.resolve({ valid: stored === quickHash(password), outdated: false }),
  hasRoom: () => true,
};

/** Access tokens whose claims have no signature, which would be half of the time. No interleaving can get a signature wrong. */
const quickAccessTokens: AccessTokens = {
  recall: (token) => ({ userId: "", sessionId: sessionOf(token), issuedAt: 0, expiresAt: Number.POSITIVE_INFINITY }),
  verify: () => Promise.resolve(undefined),
  claimsFor: () => Promise.resolve({}),
  sign: (_user, session) =>
    Promise.resolve(`.${Buffer.from(JSON.stringify({ sid: session.id })).toString("base64url")}.`),
};

interface ServiceOptions {
  readonly database: Database;
  /** The database without turns, for what is written behind the requests in its own time. */
  readonly behind: Database;
  readonly clock: Clock;
  /** The kinds of second factors. Default: none. */
  readonly methods?: readonly FactorMethod[];
  /** Default: those of the database. */
  readonly memberships?: Memberships;
}

/** Makes the services of one process on a database that others use too, without HTTP and routes. */
export function createServices({ database, behind, clock, methods = [], ...options }: ServiceOptions) {
  const { memberships = createMemberships({ config: roomy, database, clock }) } = options;
  const users = createUserRepository(database);
  const metadata = createMetadataRepository(database);
  const personalTokens = createTokenRepository(database);
  const sessionRows = createSessionRepository(database, "app");
  const workOn = (each: Database) =>
    createUnitOfWork(each, createDatabaseQueue({ app: "app", database: each, clock, name: "default", maxAttempts: 1 }));
  const events = createInprocEventBus({ name: "default", log: silent });
  const auditRows = createAuditRepository(database, { name: "app" });
  const audit = { row: auditRows.insert, ofSubject: auditRows.ofSubject };
  const journal = createJournal({ work: workOn(database), audit, events, clock });
  const refusals = createRefusals({
    journal: createJournal({ work: workOn(behind), audit, events, clock }),
    clock,
    log: silent,
  });
  const limits = { lockout: often, loginRateLimit: often, ipRateLimit: often, ipLoginFailures: 1_000_000 };
  const attempts = createAttemptRepository(database);
  const locks = createLocks({ config: limits, attempts, clock });
  const pressure = createPressure({
    config: limits,
    attempts,
    database,
    refusals,
    hasRoom: () => true,
    isRedeemable: () => Promise.resolve(false),
    clock,
  });
  const challengeRows = createChallengeRepository(database, "app");
  const challenges = createChallenges({ rows: challengeRows, factors: createFactors(methods), clock });
  const grants = createGrantService({
    database,
    users,
    grants: createGrantRepository(database),
    codes: createMailedCodes({ secret: "a secret of this test", previousSecrets: [] }),
    tokens: createMailedTokens("a secret of this test"),
    ttlMs: {
      password_reset: hour,
      first_password: hour,
      email_verification: hour,
      email_change_undo: hour,
      email_change_factor_undo: hour,
      email_login: hour,
      email_change_cancel: hour,
      factor_undo: hour,
      identity_undo: hour,
      session_undo: hour,
    },
    clock,
  });
  const storedFactors = createStoredFactors({
    stores: [createTotpRepository(database)],
    recovery: createRecoveryRepository(database),
  });
  const evictions = createEvictions({
    users,
    personalTokens,
    sessionRows,
    challenges,
    identities: createIdentityRepository(database),
    storedFactors,
    grants,
    clock,
  });
  const sessions = createSessionService({
    config: {
      sessionTtlMs: 24 * hour,
      rememberSessionTtlMs: 720 * hour,
      sessionIdleTtlMs: 2 * hour,
      maxSessions: 100,
      mfaRequired: false,
    },
    evictEverywhere: (userId) => evictions.evict(userId, "signed_out_everywhere", { onlyWithSessions: true }),
    database,
    journal,
    sessions: sessionRows,
    users,
    accessTokens: quickAccessTokens,
    refreshTokens: createRefreshTokens(secret, []),
    clock,
    log: silent,
  });
  const reauthentication = createReauthentication({
    journal,
    users,
    sessions,
    challenges,
    hasher: quickHasher,
    pressure,
  });
  const passwords = createPasswordService({
    returnToken: true,
    mailToo: false,
    journal,
    users,
    sessions,
    grants,
    hasher: quickHasher,
    policy: usualPolicy,
    pressure,
    locks,
    reauthentication,
    evictions,
    added: () => Promise.resolve([]),
    log: silent,
    clock,
  });
  const deletion = createDeletion({
    journal,
    users,
    sessions,
    pressure,
    invitations: createInvitationRepository(database),
    mails: createMailRepository(database),
    memberships,
    jobMentions: createJobMentions(database, { exceptQueues: webhookQueuePrefix }),
    reauthentication,
    clock,
  });
  const config = { registerRequiresEmailVerification: false };
  const devices = createDeviceProofs({ secret, previousSecrets: [], clock });
  const rules = createRegistrationRules({
    config: { auth: { registrationDomains: [] }, app: { termsVersion: undefined } },
    clock,
  });
  const admission = createAdmission({ config, rules, journal, users, sessions, challenges, devices, clock });
  const login = createLoginService({ admission, users, hasher: quickHasher, policy: usualPolicy, pressure, devices });
  const registration = createRegistrationService({
    config: { registrationEnabled: true },
    rules,
    admission,
    journal,
    users,
    metadata,
    hasher: quickHasher,
    policy: usualPolicy,
    pressure,
    clock,
  });
  const accounts = createAccounts({
    users,
    evictions,
    sessionRows,
    registration,
    passwords,
    deletion,
    pressure,
    locks,
    refusals,
    audit,
    journal,
    clock,
  });
  const profiles = createProfileService({
    config,
    rules,
    journal,
    users,
    metadata,
    grants,
    sessions,
    pressure,
    reauthentication,
    clock,
  });
  const challenge = createChallengeService({
    admission,
    users,
    challenges,
    // No sign-in of these services comes by an invitation.
    acceptance: { joiningByHash: () => Promise.resolve({ statements: [], tell: [] }) },
    pressure,
  });
  return {
    journal,
    users,
    grants,
    sessions,
    passwords,
    login,
    challenge,
    reauthentication,
    profiles,
    deletion,
    accounts,
    inviting: { admission, registration, pressure },
    close: () => refusals.close(),
  };
}

export type Services = ReturnType<typeof createServices>;

export { address } from "./address.ts";

/** Returns the session of a sign-in that asked for no second factor. Throws where one was asked for. */
export function sessionOfSignIn(signIn: SignIn): SignedIn {
  if (isChallenged(signIn)) throw new Error("a second factor is asked for");
  return signIn;
}
