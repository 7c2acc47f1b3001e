import type { ErrorCode } from "../../core/errors.ts";
import type { Client } from "../client.ts";
import type { Journal } from "../journal.ts";
import type { PasswordHasher } from "../password/password.hash.ts";
import type { Pressure } from "../pressure/pressure.ts";
import type { SessionRow } from "../session/session.repository.ts";
import type { SessionService } from "../session/session.service.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";

interface ReauthenticationOptions {
  readonly journal: Journal;
  readonly users: UserRepository;
  readonly sessions: Pick<SessionService, "prove">;
  readonly hasher: PasswordHasher;
  readonly pressure: Pressure;
}

/** A user as the password was checked against: guard what follows with this hash. */
export type ConfirmedUser = UserRow & { readonly passwordHash: string };

/** Asks a signed-in user "is this really you?" before an act that would hurt in other hands. */
export const createReauthentication = ({ journal, users, sessions, hasher, pressure }: ReauthenticationOptions) => ({
  /**
   * Throws `refusal` for a wrong password and for an account without one, `rate_limited` or `account_locked` as a
   * login would. Checks count on counters of the session alone: strangers can't keep its owner from them, and who guesses
   * with a session that is not theirs locks that session out of guessing, not the
   * account. From then on the session has a fresh proof.
   */
  confirm: (session: SessionRow, password: string, client: Client, refusal: ErrorCode): Promise<ConfirmedUser> =>
    pressure.attempt({ by: "session", sessionId: session.id, userId: session.userId }, client, async (attempt) => {
      const user = await users.byId(session.userId);
      const { valid } = await hasher.verify(user?.passwordHash ?? null, password, client.bucket);
      if (user === undefined || user.passwordHash === null || !valid || attempt.isBlocked)
        throw await attempt.failed(refusal, { user, why: "wrong_current_password", sessionId: session.id });
      await journal.commit({ statements: [sessions.prove(session), ...attempt.succeeded] });
      return { ...user, passwordHash: user.passwordHash };
    }),
});

export type ReauthenticationService = ReturnType<typeof createReauthentication>;
