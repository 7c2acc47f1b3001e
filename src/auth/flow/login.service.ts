import type { Config } from "../../config/index.ts";
import type { Occurrence } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { LoginFlaw } from "../../core/flaws.ts";
import type { Client } from "../client.ts";
import { findByLogin } from "../user/find.ts";
import { loginKey } from "../user/identifiers.ts";
import { emailVerificationJob } from "../mail/jobs.ts";
import { byNobody, byUser, type Journal } from "../journal.ts";
import type { PasswordHasher } from "../password/password.hash.ts";
import type { Attempt, Pressure } from "../pressure/pressure.ts";
import type { IssuedSession, SessionService } from "../session/session.service.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";

interface LoginOptions {
  readonly config: Pick<Config["auth"], "registerRequiresEmailVerification">;
  readonly journal: Journal;
  readonly users: UserRepository;
  readonly sessions: SessionService;
  readonly hasher: PasswordHasher;
  readonly pressure: Pressure;
  readonly clock: Clock;
}

const maxChecks = 3;

export interface SignedIn {
  readonly user: UserRow;
  readonly issued: IssuedSession;
}

/** The counter that a login is held against: one per account whatever alias was typed; unknown ones have theirs too. */
function loginSubject(user: UserRow | undefined, login: string): string {
  if (user !== undefined) return user.id;
  const key = loginKey(login);
  return "email" in key ? key.email : key.username;
}

/** Why a login is refused: for the audit log, never for the client. */
function flawOf(user: UserRow | undefined, valid: boolean): LoginFlaw | undefined {
  if (user === undefined) return "unknown_login";
  if (user.passwordHash === null) return "no_password";
  if (!valid) return "wrong_password";
  return user.active === 1 ? undefined : "inactive";
}

const unverified = (userId: string, client: Client): Occurrence => ({
  topic: "auth.login-failed",
  payload: { user_id: userId, reason: "email_not_verified", count: 1 },
  by: byNobody(client),
  outcome: "failure",
});

export function createLoginService({ config, journal, users, sessions, hasher, pressure, clock }: LoginOptions) {
  async function signIn(
    user: UserRow,
    attempt: Attempt,
    rehashed: string | undefined,
    client: Client,
    remember: boolean,
  ) {
    const stored = user.passwordHash ?? "";
    const now = clock.now();
    const { id, statement, issued } = await sessions.open(user, client, remember);
    const loggedIn = users.loggedIn(user.id, stored, rehashed ?? stored, now);
    const { applied } = await journal.commit(
      [loggedIn, statement, ...attempt.succeeded],
      [],
      [{ topic: "auth.logged-in", payload: { user_id: user.id, session_id: id }, by: byUser(client) }],
    );
    return applied ? { user: { ...user, lastLoginAt: now, lastSeenAt: now }, issued } : undefined;
  }

  return {
    /** Unknown, wrong, inactive and without a password: the same answer after the same work (SECURITY L-01, L-02). */
    async login(login: string, password: string, client: Client, remember: boolean): Promise<SignedIn> {
      const subject = loginSubject(await findByLogin(users, login), login);
      return pressure.attempt(subject, client, async (attempt) => {
        let user: UserRow | undefined;
        // A stored hash that another login renews, or a password that is changed, between check and commit is checked anew.
        for (let tries = 0; tries < maxChecks; tries += 1) {
          user = await findByLogin(users, login);
          const { valid, outdated } = await hasher.verify(user?.passwordHash ?? null, password);
          const why = flawOf(user, valid);
          if (user === undefined || why !== undefined) {
            throw await attempt.failed("invalid_credentials", { user, why: why ?? "unknown_login" });
          }
          if (config.registerRequiresEmailVerification && user.emailVerifiedAt === null) {
            await journal.commit(attempt.succeeded, [emailVerificationJob(user.id)], [unverified(user.id, client)]);
            throw new AppError("email_not_verified");
          }
          const rehashed = outdated ? await hasher.hash(password) : undefined;
          const signedIn = await signIn(user, attempt, rehashed, client, remember);
          if (signedIn !== undefined) return signedIn;
        }
        throw await attempt.failed("invalid_credentials", { user, why: "changed_meanwhile" });
      });
    },
  };
}

export type LoginService = ReturnType<typeof createLoginService>;
