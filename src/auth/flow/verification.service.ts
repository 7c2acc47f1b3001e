import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { Client } from "../client.ts";
import type { GrantRow } from "../grant/grant.repository.ts";
import type { GrantService } from "../grant/grant.service.ts";
import { addressMovedJob, emailVerificationJob, passwordResetJob } from "../mail/jobs.ts";
import { byNobody, byUser, type Journal } from "../journal.ts";
import type { SessionRepository } from "../session/session.repository.ts";
import { mailAddress } from "../user/identifiers.ts";
import type { AddressMove, UserRepository, UserRow } from "../user/user.repository.ts";

interface VerificationOptions {
  /** Local only: the token is answered instead of mailed. */
  readonly returnToken: boolean;
  readonly journal: Journal;
  readonly users: UserRepository;
  readonly sessionRows: SessionRepository;
  readonly grants: GrantService;
  /** Takes from an account whose address was never proven whatever else signs in to it. */
  readonly unlinkUnproven: (userId: string) => Statement;
  readonly clock: Clock;
}

/** Whom a token for the new address is for. The grant carries the address as it was typed, which tells it from the account's own. */
const pendingRecipient = ({ id, pendingEmail, pendingEmailKey }: UserRow) =>
  pendingEmail === null || pendingEmailKey === null
    ? undefined
    : { id, emailKey: pendingEmailKey, email: pendingEmail };

/** Whoever is named by the address is renamed when it moves. */
const moveTo = (user: UserRow, email: string, emailKey: string): AddressMove =>
  user.usernameKey === user.emailKey
    ? { email, emailKey, username: email, usernameKey: emailKey }
    : { email, emailKey, username: user.username, usernameKey: user.usernameKey };

export function createVerificationService(options: VerificationOptions) {
  const { returnToken, journal, users, sessionRows, grants, unlinkUnproven, clock } = options;

  async function holderOf(grant: GrantRow | undefined): Promise<{ grant: GrantRow; user: UserRow }> {
    const user = grant === undefined ? undefined : await users.byId(grant.userId);
    if (grant === undefined || user === undefined) throw new AppError("invalid_verification_token");
    return { grant, user };
  }

  async function refuseTaken(user: UserRow, emailKey: string): Promise<void> {
    const owner = await users.byEmail(emailKey);
    if (owner !== undefined && owner.id !== user.id) throw new AppError("email_taken");
  }

  async function verify(user: UserRow, grant: GrantRow, client: Client): Promise<boolean> {
    const { applied } = await journal.commit({
      statements: [
        users.verifyEmail(user.id, grant.emailKey, clock.now()),
        ...grants.redeem(grant, "email_verification"),
      ],
      tell: [{ topic: "auth.email-verified", payload: { user_id: user.id }, by: byUser(client) }],
    });
    return applied;
  }

  /** The mailbox has confirmed the new address: the account moves. The old address is told, and can take it back. */
  async function move(user: UserRow, grant: GrantRow, pending: string, client: Client): Promise<boolean> {
    if (pending !== user.pendingEmail) return false;
    await refuseTaken(user, grant.emailKey);
    const told = user.emailVerifiedAt !== null;
    const { applied } = await journal.commit({
      statements: [
        users.moveAddress(user.id, user.emailKey, moveTo(user, pending, grant.emailKey), clock.now()),
        ...grants.redeem(grant, "email_verification"),
        ...grants.voidOpen(user.id, "password_reset"),
      ],
      jobs: told ? [addressMovedJob(user.id, { to: mailAddress(user), email: user.email }, client)] : [],
      tell: [
        { topic: "auth.email-changed", payload: { user_id: user.id }, by: byUser(client) },
        { topic: "auth.email-verified", payload: { user_id: user.id }, by: byUser(client) },
      ],
    });
    return applied;
  }

  return {
    /** The token only where return is on; nothing to do when no address waits for its confirmation. */
    async request(user: UserRow, client: Client): Promise<string | undefined> {
      const isProven = user.emailVerifiedAt !== null;
      if (isProven && user.pendingEmailKey === null) return undefined;
      if (returnToken)
        return grants.forAnswer(
          pendingRecipient(user) ?? { id: user.id, emailKey: user.emailKey },
          "email_verification",
        );
      const jobs = user.pendingEmailKey === null ? [] : [emailVerificationJob(user.id, client, user.pendingEmailKey)];
      if (!isProven) jobs.push(emailVerificationJob(user.id, client));
      await journal.commit({ jobs });
      return undefined;
    },

    /**
     * Verifies the address that the grant was sent to, if it still is the user's, or moves the account to it, if it still waits for
     * that. Throws `email_taken` when somebody else has confirmed it first.
     */
    async confirm(token: string, client: Client): Promise<UserRow> {
      const { grant, user } = await holderOf(await grants.find(token, "email_verification"));
      const applied =
        grant.email === null ? await verify(user, grant, client) : await move(user, grant, grant.email, client);
      const confirmed = applied ? await users.byId(grant.userId) : undefined;
      if (confirmed === undefined) throw new AppError("invalid_verification_token");
      return confirmed;
    },

    /**
     * "This was not me", said by the owner of the mailbox. An account that was made with the address loses every way in; one
     * that only asked to move to it stays as it is, without the move.
     */
    async reject(token: string, client: Client): Promise<void> {
      const { grant, user } = await holderOf(await grants.find(token, "email_verification"));
      const now = clock.now();
      const statements =
        grant.email === null
          ? [
              users.disown(user.id, grant.emailKey, now),
              sessionRows.revokeAll(user.id, now),
              unlinkUnproven(user.id),
              ...grants.redeem(grant, "email_verification"),
              ...grants.voidOpen(user.id, "password_reset"),
            ]
          : [users.cancelPending(user.id, grant.emailKey, now), ...grants.voidOpen(user.id, "email_verification")];
      const { applied } = await journal.commit({
        statements,
        tell: [{ topic: "auth.address-rejected", payload: { user_id: user.id }, by: byNobody(client) }],
      });
      if (!applied) throw new AppError("invalid_verification_token");
    },

    /** Takes a change of the address back, by the link that its old mailbox got: ends every session, and mails a reset to it. */
    async undoMove(token: string, client: Client): Promise<void> {
      const { grant, user } = await holderOf(await grants.find(token, "email_change_undo"));
      await refuseTaken(user, grant.emailKey);
      const now = clock.now();
      const to = moveTo(user, grant.email ?? grant.emailKey, grant.emailKey);
      const { applied } = await journal.commit({
        statements: [
          users.moveAddress(user.id, user.emailKey, to, now),
          sessionRows.revokeAll(user.id, now),
          ...grants.redeem(grant, "email_change_undo"),
          ...grants.voidOpen(user.id, "password_reset", "email_verification"),
        ],
        jobs: [passwordResetJob(to.email, client)],
        tell: [{ topic: "auth.email-changed", payload: { user_id: user.id }, by: byUser(client), reason: "undone" }],
      });
      if (!applied) throw new AppError("invalid_verification_token");
    },
  };
}

export type VerificationService = ReturnType<typeof createVerificationService>;
