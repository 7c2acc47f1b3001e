import { createHash } from "node:crypto";
import type { AccessTokens } from "../../src/auth/access.token.ts";
import { createAttemptRepository } from "../../src/auth/attempt.repository.ts";
import { createGrantRepository } from "../../src/auth/grant.repository.ts";
import { createGrantService } from "../../src/auth/grant.service.ts";
import { createLoginService } from "../../src/auth/login.service.ts";
import type { PasswordHasher } from "../../src/auth/password.hash.ts";
import { createPasswordPolicy } from "../../src/auth/password.policy.ts";
import { createPasswordService } from "../../src/auth/password.service.ts";
import { createPressure } from "../../src/auth/pressure.ts";
import { createRefreshTokens } from "../../src/auth/refresh.token.ts";
import { createSessionRepository } from "../../src/auth/session.repository.ts";
import { createSessionService, type IssuedSession } from "../../src/auth/session.service.ts";
import { createUserRepository } from "../../src/auth/user.repository.ts";
import { hour, type Clock } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { createDatabaseQueue } from "../../src/drivers/queue/database.ts";
import type { Log } from "../../src/observe/index.ts";
import { createIdentityRepository } from "../../src/oauth/index.ts";
import type { Answer } from "./history.ts";
import { sessionOf, type Cookies, type Service } from "./player.ts";

const secret = "a signing key of the test, of no use elsewhere";
const often = { attempts: 1_000_000, durationMs: hour };

const silent: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  with: () => silent,
};

/** Argon2 would be nearly all of the time, and holds no state that an interleaving could get wrong. */
export const quickHasher: PasswordHasher = {
  hash: (password) => Promise.resolve(`quick$${createHash("sha256").update(password).digest("hex")}`),
  verify: async (stored, password) => ({ valid: stored === (await quickHasher.hash(password)), outdated: false }),
};

/** The claims without a signature, which would be half of the time: no interleaving can get it wrong either. */
const quickAccessTokens: AccessTokens = {
  recall: (token) => ({ userId: "", sessionId: sessionOf(token), expiresAt: Number.POSITIVE_INFINITY }),
  verify: () => Promise.resolve(undefined),
  sign: (_user, session) =>
    Promise.resolve(`.${Buffer.from(JSON.stringify({ sid: session.id })).toString("base64url")}.`),
};

interface ServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
}

/** The services of one process on a database that others use too, without HTTP. Routes are what is left out. */
export function createServices({ database, clock }: ServiceOptions) {
  const users = createUserRepository(database);
  const sessionRows = createSessionRepository(database);
  const queue = createDatabaseQueue({ database, clock, name: "default", maxAttempts: 1 });
  const limits = { lockout: often, loginRateLimit: often, ipRateLimit: often };
  const pressure = createPressure({ config: limits, attempts: createAttemptRepository(database), database, clock });
  const sessions = createSessionService({
    config: { sessionTtlMs: 24 * hour, rememberSessionTtlMs: 720 * hour, sessionIdleTtlMs: 2 * hour },
    database,
    queue,
    sessions: sessionRows,
    users,
    accessTokens: quickAccessTokens,
    refreshTokens: createRefreshTokens(secret, []),
    clock,
    log: silent,
  });
  const grants = createGrantService({
    database,
    grants: createGrantRepository(database),
    ttlMs: { password_reset: hour, email_verification: hour },
    clock,
  });
  const policy = createPasswordPolicy({
    passwordMinLength: 8,
    passwordRequire: { upper: false, lower: false, number: false, symbol: false },
  });
  const passwords = createPasswordService({
    returnToken: true,
    queue,
    users,
    sessionRows,
    sessions,
    grants,
    hasher: quickHasher,
    policy,
    pressure,
    unlinkUnproven: createIdentityRepository(database).unlinkUnproven,
    clock,
  });
  const login = createLoginService({
    config: { registerRequiresEmailVerification: false },
    queue,
    users,
    sessions,
    hasher: quickHasher,
    pressure,
    clock,
  });
  return { users, sessions, passwords, login };
}

const address = { address: "127.0.0.1", bucket: "127.0.0.1", userAgent: "" };

const issuedAnswer = ({ access, refresh }: IssuedSession): Answer => ({
  outcome: "accepted",
  access,
  secret: refresh,
});

async function answered(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return { outcome: "refused", reason: error.reason };
    throw error;
  }
}

/** The services as a client calls them: what the routes do, less the reading and writing of HTTP. */
export function createService({ sessions, passwords, login }: ReturnType<typeof createServices>): Service {
  const authenticate = async ({ access, refresh }: Partial<Cookies>) => {
    const authenticated = await sessions.authenticate({ bearer: undefined, access, refresh: () => refresh });
    if ("refused" in authenticated) throw new AppError("unauthorized");
    return authenticated;
  };

  return {
    login: (name, password) =>
      answered(async () => {
        const { issued } = await login.login(name, password, address, false);
        return { ...issuedAnswer(issued), opened: sessionOf(issued.access) };
      }),
    hello: (access) =>
      answered(async () => {
        await authenticate({ access });
        return { outcome: "accepted" };
      }),
    fallback: (refresh) =>
      answered(async () => ({
        outcome: "accepted",
        access: (await authenticate({ refresh })).reissuedAccess,
      })),
    refresh: (refresh) => answered(async () => issuedAnswer((await sessions.rotate(refresh)).issued)),
    logout: (cookies) =>
      answered(async () => {
        await sessions.end((await authenticate(cookies)).session);
        return { outcome: "accepted" };
      }),
    logoutAll: (cookies) =>
      answered(async () => {
        await sessions.endAll((await authenticate(cookies)).session.userId);
        return { outcome: "accepted" };
      }),
    revoke: (cookies, target) =>
      answered(async () => {
        await sessions.revoke(target, (await authenticate(cookies)).session.userId);
        return { outcome: "accepted" };
      }),
    changePassword: (cookies, current, next) =>
      answered(async () => {
        const { session } = await authenticate(cookies);
        return issuedAnswer((await passwords.change(session, current, next, "127.0.0.1")).issued);
      }),
    requestReset: (name) => answered(async () => ({ outcome: "accepted", grant: await passwords.requestReset(name) })),
    confirmReset: (token, next) =>
      answered(async () => {
        await passwords.confirmReset(token, next);
        return { outcome: "accepted" };
      }),
  };
}
