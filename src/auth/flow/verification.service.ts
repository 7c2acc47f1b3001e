import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Client } from "../client.ts";
import type { GrantRow } from "../grant/grant.repository.ts";
import type { GrantService } from "../grant/grant.service.ts";
import { addressMovedJob, emailVerificationJob, passwordResetJob } from "../mail/jobs.ts";
import { byNobody, byUser, type Change, type Journal } from "../journal.ts";
import type { AddressProof } from "./address.proof.ts";
import type { AddressMove, UserRepository, UserRow } from "../user/user.repository.ts";

interface VerificationOptions {
  /** Local and testing only: the token is answered instead of mailed. */
  readonly returnToken: boolean;
  /** Local only: it is mailed as well, since the mail can be opened there. */
  readonly mailToo: boolean;
  readonly journal: Journal;
  readonly users: UserRepository;
  readonly grants: GrantService;
  readonly addressProof: AddressProof;
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

/** A grant that is being redeemed. `isOwn`: by a browser that is signed in to the account. */
interface Redemption {
  readonly grant: GrantRow;
  readonly user: UserRow;
  readonly isOwn: boolean;
}

export function createVerificationService(options: VerificationOptions) {
  const { returnToken, mailToo, journal, users, grants, addressProof, clock } = options;

  async function holderOf(grant: GrantRow | undefined): Promise<{ grant: GrantRow; user: UserRow }> {
    const user = grant === undefined ? undefined : await users.byId(grant.userId);
    if (grant === undefined || user === undefined) throw new AppError("invalid_verification_token");
    return { grant, user };
  }

  async function refuseTaken(user: UserRow, emailKey: string): Promise<void> {
    const owner = await users.byEmail(emailKey);
    if (owner !== undefined && owner.id !== user.id) throw new AppError("email_taken");
  }

  /**
   * The first proof of an address ends what the account held before, unless whoever brings it is signed in to the account
   * themselves, as whoever was answered the token was.
   */
  async function prove(
    { user, grant, isOwn }: Redemption,
    client: Client,
    proof: Required<Pick<Change, "statements" | "jobs" | "tell">>,
  ): Promise<boolean> {
    const ends = isOwn ? [] : grant.email === null ? addressProof.endUnproven(user.id) : addressProof.endMoved(user.id);
    const proven = await journal.commit({
      ...proof,
      statements: [users.hold(user.id, clock.now()), ...ends, ...proof.statements],
      tell: [...proof.tell, { topic: "auth.email-verified", payload: { user_id: grant.userId }, by: byUser(client) }],
    });
    if (proven.applied && ends.length > 0)
      await addressProof.record(user.id, proven.results.slice(1, 4), client, "verification");
    return proven.applied;
  }

  const verify = (redemption: Redemption, client: Client): Promise<boolean> =>
    prove(redemption, client, {
      statements: [
        ...grants.redeem(redemption.grant, "email_verification"),
        users.verifyEmail(redemption.user.id, redemption.grant.emailKey, clock.now()),
      ],
      jobs: [],
      tell: [],
    });

  /** The mailbox has confirmed the new address: the account moves. The old address is told, and can take it back. */
  async function move(redemption: Redemption, pending: string, client: Client): Promise<boolean> {
    const { user, grant } = redemption;
    if (pending !== user.pendingEmail) return false;
    await refuseTaken(user, grant.emailKey);
    return prove(redemption, client, {
      statements: [
        users.moveAddress(user.id, user.emailKey, moveTo(user, pending, grant.emailKey), clock.now()),
        ...grants.redeem(grant, "email_verification"),
        ...grants.voidOpen(user.id, "password_reset", "email_login"),
      ],
      jobs: user.emailVerifiedAt === null ? [] : [addressMovedJob(user, client)],
      tell: [{ topic: "auth.email-changed", payload: { user_id: user.id }, by: byUser(client) }],
    });
  }

  /** A link to each address of the account that is not proven yet. */
  async function mail(user: UserRow, client: Client): Promise<void> {
    const jobs = user.pendingEmailKey === null ? [] : [emailVerificationJob(user.id, client, user.pendingEmailKey)];
    if (user.emailVerifiedAt === null) jobs.push(emailVerificationJob(user.id, client));
    await journal.commit({ jobs });
  }

  return {
    /** The token only where return is on; nothing to do when no address waits for its confirmation. */
    async request(user: UserRow, client: Client): Promise<string | undefined> {
      const isProven = user.emailVerifiedAt !== null;
      if (isProven && user.pendingEmailKey === null) return undefined;
      if (!returnToken || mailToo) await mail(user, client);
      if (!returnToken) return undefined;
      return grants.forAnswer(pendingRecipient(user) ?? { id: user.id, emailKey: user.emailKey }, "email_verification");
    },

    /**
     * Verifies the address that the grant was sent to, if it still is the user's, or moves the account to it, if it still waits for
     * that. Throws `email_taken` when somebody else has confirmed it first.
     */
    async confirm(token: string, client: Client, signedInUserId: string | undefined): Promise<UserRow> {
      const { grant, user } = await holderOf(await grants.find(token, "email_verification"));
      const redemption = { grant, user, isOwn: signedInUserId === user.id || grant.mailed === 0 };
      const applied =
        grant.email === null ? await verify(redemption, client) : await move(redemption, grant.email, client);
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
      const isMove = grant.email !== null;
      const statements = isMove
        ? [users.cancelPending(user.id, grant.emailKey, now), ...grants.voidOpen(user.id, "email_verification")]
        : [
            users.hold(user.id, now),
            ...addressProof.endForReset(user.id, "address_rejected"),
            users.disown(user.id, grant.emailKey, now),
            ...grants.redeem(grant, "email_verification"),
            ...grants.voidOpen(user.id, "password_reset", "email_login"),
          ];
      const rejected = await journal.commit({
        statements,
        tell: [{ topic: "auth.address-rejected", payload: { user_id: user.id }, by: byNobody(client) }],
      });
      if (!rejected.applied) throw new AppError("invalid_verification_token");
      if (!isMove) await addressProof.record(user.id, rejected.results.slice(1, 4), client, "reset");
    },

    /**
     * Takes a change of the address back, by the link that its old mailbox got: ends every session, and mails a reset to it. Where the
     * account had no second factor when it moved, those that it has now go: whoever moved it would else keep its owner out.
     */
    async undoMove(token: string, client: Client): Promise<void> {
      const withFactors = await grants.find(token, "email_change_factor_undo");
      const { grant, user } = await holderOf(withFactors ?? (await grants.find(token, "email_change_undo")));
      await refuseTaken(user, grant.emailKey);
      const now = clock.now();
      const to = moveTo(user, grant.email ?? grant.emailKey, grant.emailKey);
      const purpose = withFactors === undefined ? "email_change_undo" : "email_change_factor_undo";
      const about = { payload: { user_id: user.id }, by: byUser(client) };
      const { applied } = await journal.commit({
        statements: [
          users.moveAddress(user.id, user.emailKey, to, now),
          ...addressProof.endUndone(user.id, withFactors !== undefined),
          ...grants.redeem(grant, purpose),
          ...grants.voidOpen(user.id, "email_change_undo", "email_change_factor_undo"),
          ...grants.voidOpen(user.id, "password_reset", "email_login", "email_verification"),
        ],
        jobs: [passwordResetJob(to.email, client)],
        tell: [
          { ...about, topic: "auth.email-changed", reason: "undone" },
          ...(withFactors !== undefined && user.factors !== 0
            ? [{ ...about, topic: "auth.factors-reset", reason: "undone" } as const]
            : []),
        ],
      });
      if (!applied) throw new AppError("invalid_verification_token");
    },
  };
}

export type VerificationService = ReturnType<typeof createVerificationService>;
