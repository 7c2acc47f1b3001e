import type { By, Occurrence } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import { randomToken } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";
import { placeOf, placeOfActor, type Client } from "../client.ts";
import type { GrantService } from "../grant/grant.service.ts";
import { byUser, type Journal } from "../journal.ts";
import { noticeJob, passwordResetJob } from "../mail/jobs.ts";
import type { PasswordHasher } from "../password/password.hash.ts";
import type { PasswordPolicy } from "../password/password.policy.ts";
import type { Locks } from "../pressure/locks.ts";
import type { Pressure } from "../pressure/pressure.ts";
import type { SessionRepository, SessionRow } from "../session/session.repository.ts";
import type { SessionService } from "../session/session.service.ts";
import { findByLogin } from "../user/find.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";
import type { AddressProof } from "./address.proof.ts";
import type { SignedIn } from "./admission.ts";
import type { ReauthenticationService } from "./reauthentication.service.ts";

interface PasswordOptions {
  /** Local and testing only: the token is answered instead of mailed. */
  readonly returnToken: boolean;
  /** Local only: it is mailed as well, since the mail can be opened there. */
  readonly mailToo: boolean;
  readonly journal: Journal;
  readonly users: UserRepository;
  readonly sessionRows: SessionRepository;
  readonly sessions: SessionService;
  readonly grants: GrantService;
  readonly hasher: PasswordHasher;
  readonly policy: PasswordPolicy;
  readonly pressure: Pressure;
  readonly locks: Pick<Locks, "ofAll">;
  readonly reauthentication: ReauthenticationService;
  readonly addressProof: AddressProof;
  readonly clock: Clock;
}

export function createPasswordService(options: PasswordOptions) {
  const { returnToken, mailToo, journal, users, sessionRows, sessions, grants, hasher, policy, pressure, clock } =
    options;
  const { reauthentication, addressProof, locks } = options;

  /** Tells of the lock that a new password lifts, where there is one. */
  async function unlocked(
    user: UserRow,
    by: By,
    reason: "password_changed" | "password_reset",
  ): Promise<readonly Occurrence[]> {
    const lifted = (await locks.ofAll([user])).get(user.id) ?? [];
    return lifted.length === 0 ? [] : [{ topic: "auth.user-unlocked", payload: { user_id: user.id }, by, reason }];
  }

  /** The account whose password the token of a mail sets anew, and whether that takes its second factors back. */
  async function resettable(token: string) {
    const asked = await grants.find(token, "password_reset");
    const grant = asked ?? (await grants.find(token, "factor_undo"));
    const user = grant === undefined ? undefined : await users.byId(grant.userId);
    if (grant === undefined || user === undefined) throw new AppError("invalid_reset_token");
    return { grant, user, isUndo: asked === undefined };
  }

  const takenBack = ({ id }: UserRow, client: Client): Occurrence => ({
    topic: "auth.factors-reset",
    payload: { user_id: id },
    by: byUser(client),
    reason: "taken_back",
  });

  return {
    /** Ends the other sessions; the current one goes on under a new refresh secret. */
    async change(session: SessionRow, current: string, next: string, client: Client): Promise<SignedIn> {
      const user = await reauthentication.confirm(session, current, client, "invalid_credentials");
      await policy.enforce(next, user, "new_password");
      const now = clock.now();
      const passwordHash = await hasher.hash(next, placeOf(client, user.id));
      const rekeyed = sessions.rekey(session, user);
      const changed = await journal.commit({
        statements: [
          users.changePassword(user.id, user.passwordHash, passwordHash, now),
          rekeyed.statement,
          sessionRows.revokeAll(user.id, now, "password_changed", session.id),
          ...grants.voidOpen(user.id, "password_reset", "email_login"),
          ...pressure.forgive(user),
        ],
        jobs: [noticeJob("password_changed", { userId: user.id }, { client })],
        tell: [
          {
            topic: "auth.password-changed",
            payload: { user_id: user.id },
            by: byUser(client),
            sessionId: session.id,
          },
          ...(await unlocked(user, byUser(client), "password_changed")),
        ],
      });
      if (!changed.applied) throw new AppError(changed.failedGuard === 0 ? "invalid_credentials" : "unauthorized");
      const changedUser = { ...user, passwordHash, deviceEpoch: user.deviceEpoch + 1 };
      return { user: changedUser, issued: await rekeyed.issued(changed.results[1]?.rows ?? []) };
    },

    /** Looks nobody up, so that neither answer nor time tells whether the account exists. The token only where return is on. */
    async requestReset(login: string, client: Client): Promise<string | undefined> {
      if (!returnToken || mailToo) await journal.commit({ jobs: [passwordResetJob(login, client)] });
      if (!returnToken) return undefined;
      const user = await findByLogin(users, login);
      return user?.active === 1
        ? grants.forAnswer({ id: user.id, emailKey: user.emailKey }, "password_reset")
        : randomToken();
    },

    /**
     * A refused new password leaves the grant usable. Ends all sessions and lifts the lockout; signs nobody in. Whoever
     * registered an address that is not theirs keeps no way in: what was linked before the address was proven goes. By the link of the
     * mail that told of the account's first second factor, all of its factors go, too: without it there would be none.
     */
    async confirmReset(token: string, next: string, client: Client): Promise<void> {
      const { grant, user, isUndo } = await resettable(token);
      await policy.enforce(next, user, "new_password");
      const now = clock.now();
      const passwordHash = await hasher.hash(next, placeOf(client, user.id));
      const reset = await journal.commit({
        statements: [
          // The row is held before what hangs on it, and written after: what is unlinked depends on the address being unproven.
          users.hold(user.id, now),
          ...(isUndo ? addressProof.endWithFactors(user.id) : addressProof.endForReset(user.id, "password_reset")),
          ...grants.redeem(grant, isUndo ? "factor_undo" : "password_reset"),
          ...grants.voidOpen(user.id, "email_login", ...(isUndo ? (["password_reset"] as const) : [])),
          users.resetPassword(user.id, passwordHash, grant.mailed === 1 ? now : null, now),
          ...(isUndo ? pressure.forgiveWithCodes(user) : pressure.forgive(user)),
        ],
        jobs: [noticeJob(isUndo ? "factors_taken_back" : "password_reset", { userId: user.id }, { client })],
        tell: [
          { topic: "auth.password-reset", payload: { user_id: user.id }, by: byUser(client) },
          ...(isUndo && user.factors !== 0 ? [takenBack(user, client)] : []),
          ...(await unlocked(user, byUser(client), "password_reset")),
        ],
      });
      if (!reset.applied) throw new AppError("invalid_reset_token");
      await addressProof.record(user.id, reset.results.slice(1, isUndo ? 3 : 4), client, "reset");
    },

    /** By an operator. Ends all sessions, as a reset does. */
    async set(user: UserRow, next: string, by: By): Promise<void> {
      await policy.enforce(next, user, "password");
      const now = clock.now();
      const passwordHash = await hasher.hash(next, placeOfActor(by));
      const { applied } = await journal.commit({
        statements: [
          users.setPassword(user.id, passwordHash, now),
          sessionRows.revokeAll(user.id, now, "password_changed"),
          ...grants.voidOpen(user.id, "password_reset", "email_login"),
          ...pressure.forgive(user),
        ],
        jobs: [noticeJob("password_changed", { userId: user.id })],
        tell: [
          { topic: "auth.password-changed", payload: { user_id: user.id }, by },
          ...(await unlocked(user, by, "password_changed")),
        ],
      });
      if (!applied) throw new AppError("not_found");
    },
  };
}

export type PasswordService = ReturnType<typeof createPasswordService>;
