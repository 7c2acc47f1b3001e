import { AppError, type ErrorCode } from "../../../core/errors.ts";
import type { Client } from "../../client.ts";
import type { FactorAnswer, FactorProof, FactorRefusal } from "../../factor/method.ts";
import type { SessionRow } from "../../session/session.repository.ts";
import type { UserRow } from "../../user/user.repository.ts";
import { tryAnew } from "../../../core/pace/anew.ts";
import type { Parts } from "../parts.ts";

/** A user as the password was checked against: guard later writes with this hash. */
export type ConfirmedUser = UserRow & { readonly passwordHash: string };

/** Asks a signed-in user "is this really you?" before an act that would hurt in other hands. */
export const createReauthentication = (
  options: Parts<"journal" | "users" | "sessions" | "challenges" | "hasher" | "pressure">,
) => {
  const { journal, users, sessions, challenges, hasher, pressure } = options;

  return {
    /**
     * Proves the session anew by the password. Throws `refusal` for a wrong password and for an account without one, `unauthorized` where the
     * account is gone, `rate_limited` or `account_locked` as a login would. Checks count only on counters of the session: strangers can't keep its owner from them, and a
     * thief of the session who guesses locks that session out of guessing, not the account. Where the account has a second factor, a
     * password proves nothing in a session that was never proven by one: `reauthentication_required`.
     */
    async confirm(session: SessionRow, password: string, client: Client, refusal: ErrorCode): Promise<ConfirmedUser> {
      await sessions.requireFactor(session);
      return pressure.attempt(
        { by: "session", sessionId: session.id, userId: session.userId },
        client,
        async (attempt) => {
          const user = await users.byId(session.userId);
          const { valid } = await hasher.verify(user?.passwordHash ?? null, password, attempt.place);
          if (user === undefined) {
            // The account was deleted since the session was looked at.
            await journal.commit({ statements: attempt.untried });
            throw new AppError("unauthorized");
          }
          if (user.passwordHash === null || !valid || attempt.isBlocked)
            throw await attempt.failed(refusal, { user, why: "wrong_current_password", sessionId: session.id });
          await journal.commit({ statements: [sessions.prove(session), ...attempt.succeeded] });
          return { ...user, passwordHash: user.passwordHash };
        },
      );
    },

    /**
     * Proves the session anew by any second factor, and raises its level: the session counts as proven by that factor. Wrong answers count
     * with wrong passwords of the session, and with all codes of the account's day. Throws `invalid_code`.
     */
    confirmByFactor: (session: SessionRow, answer: FactorAnswer, client: Client): Promise<void> =>
      pressure.attempt(
        { by: "factor", method: answer.method, sessionId: session.id, userId: session.userId },
        client,
        async (attempt) => {
          await tryAnew(async () => {
            const user = await users.byId(session.userId);
            const row = answer.method === "passkey" ? await challenges.ofSession(session) : undefined;
            const context = { webauthnChallenge: row?.webauthnChallenge, client };
            const checked: FactorProof | FactorRefusal =
              user === undefined
                ? { refused: "no_such_factor" }
                : await challenges.factors.check(user, answer, context);
            if (user === undefined || "refused" in checked || attempt.isBlocked) {
              const why = "refused" in checked ? checked.refused : "logins_blocked";
              const { passkey, notes } = "refused" in checked ? checked : {};
              throw await attempt.failed("invalid_code", { user, why, passkey, notes, sessionId: session.id });
            }
            const { applied } = await journal.commit({
              statements: [
                users.signedIn(user, null),
                sessions.prove(session, answer.method),
                ...(row === undefined ? [] : [challenges.answer(row)]),
                ...checked.guards,
                ...attempt.succeeded,
              ],
              jobs: checked.jobs ?? [],
              tell: checked.tell ?? [],
            });
            return applied ? true : undefined;
          });
        },
      ),

    /** Returns the second factors that can prove the session's user, and what a browser needs to ask for a passkey. */
    async prepare(session: SessionRow) {
      const user = await users.byId(session.userId);
      if (user === undefined) throw new AppError("unauthorized");
      const methods = await challenges.factors.of(user);
      // True even of a factor that can't be used here: then `methods` may be empty.
      const hasFactor = user.factors !== 0;
      const hasPassword = user.passwordHash !== null;
      if (!methods.includes("passkey")) return { hasFactor, hasPassword, methods, passkeyOptions: undefined };
      const { webauthnChallenge, statements } = challenges.issueTo(session, user);
      await journal.commit({ statements: [users.lock(user.id), ...statements] });
      return {
        hasFactor,
        hasPassword,
        methods,
        passkeyOptions: await challenges.factors.passkeyOptions(user, webauthnChallenge),
      };
    },
  };
};

export type ReauthenticationService = ReturnType<typeof createReauthentication>;
