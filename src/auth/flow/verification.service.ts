import { AppError } from "../../core/errors.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { Client } from "../client.ts";
import type { GrantPurpose, GrantRow } from "../grant/grant.columns.ts";
import {
  addressMovedJob,
  addressTakenBackJob,
  emailVerificationJob,
  passwordResetJob,
  undoLink,
} from "../mail/jobs.ts";
import { byNobody, byUser, type Change } from "../journal.ts";
import type { DomainArrivals } from "./organization/domain.arrivals.ts";
import type { Eviction } from "./eviction/eviction.rules.ts";
import { recordEvicted, type Evictions } from "./eviction/eviction.ts";
import type { AddressMove, UserRow } from "../user/user.repository.ts";
import type { Parts } from "./parts.ts";
import type { ProviderDemand } from "./organization/provider.demand.ts";
import type { RegistrationRules } from "./registration.rules.ts";

type VerificationOptions = Parts<"journal" | "users" | "grants" | "clock" | "log"> & {
  readonly evictions: Evictions;
  readonly rules: Pick<RegistrationRules, "requireDomain">;
  readonly demand?: ProviderDemand;
  readonly arrived?: DomainArrivals | undefined;
  /** Local and testing only: answers the token instead of mailing it. */
  readonly returnToken: boolean;
  /** Local only: mails the token as well, since the mail can be opened there. */
  readonly mailToo: boolean;
};
/** Returns the recipient of a token for the new address. Its grant carries the typed address; a grant for the account's own carries none. */
const pendingRecipient = ({ id, pendingEmail, pendingEmailKey }: UserRow) =>
  pendingEmail === null || pendingEmailKey === null
    ? undefined
    : { id, emailKey: pendingEmailKey, email: pendingEmail };

/** A user name that is the address moves with it. */
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

/** The mailed links that take a change of the address back, each with its eviction. */
const takeBacks = [
  ["email_change_cancel", "address_change_cancelled"],
  ["email_change_undo", "address_change_undone"],
  ["email_change_factor_undo", "factor_change_undone"],
] as const satisfies readonly (readonly [GrantPurpose, Eviction])[];

export function createVerificationService(options: VerificationOptions) {
  const { returnToken, mailToo, journal, users, grants, evictions, rules, demand, arrived, clock, log } = options;

  async function holderOf(grant: GrantRow | undefined): Promise<{ grant: GrantRow; user: UserRow }> {
    const user = grant === undefined ? undefined : await users.byId(grant.userId);
    if (grant === undefined || user === undefined) throw new AppError("invalid_verification_token");
    return { grant, user };
  }

  async function takenBackBy(token: string) {
    for (const [purpose, eviction] of takeBacks) {
      const grant = await grants.find(token, purpose);
      if (grant !== undefined) return { ...(await holderOf(grant)), purpose, eviction };
    }
    throw new AppError("invalid_verification_token");
  }

  async function refuseTaken(user: UserRow, emailKey: string): Promise<void> {
    const owner = await users.claimantOfEmail(emailKey, clock.now());
    if (owner !== undefined && owner.id !== user.id) throw new AppError("email_taken");
  }

  /**
   * The first proof of an address ends what the account held before. An account keeps it where the proof comes from a browser that is
   * signed in to the account, as the one that was answered the token is.
   */
  async function prove(
    { user, grant, isOwn }: Redemption,
    client: Client,
    proof: Required<Pick<Change, "statements" | "jobs" | "tell">>,
  ): Promise<boolean> {
    const isMove = grant.email !== null;
    const now = clock.now();
    const ends = { exceptGrant: grant.id };
    const evicted = isOwn
      ? isMove && evictions.evict(user.id, "address_confirmed", ends)
      : evictions.evict(user.id, isMove ? "address_moved" : "address_proven", ends);
    const proven = await journal.commit({
      ...proof,
      statements: [
        isMove ? users.holdPending(user.id, grant.emailKey, now) : users.hold(user.id, now),
        ...(evicted === false ? [] : evicted.statements),
        ...proof.statements,
      ],
      tell: [...proof.tell, { topic: "auth.email-verified", payload: { user_id: grant.userId }, by: byUser(client) }],
    });
    if (proven.applied && evicted !== false)
      await recordEvicted(journal, log, evicted.tell(proven.results.slice(1), client));
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

  /** Keeps the left address from others where a mailed link will lead back to it. A name that is the address is nobody else's anyway. */
  const givenUp = (user: UserRow, to: AddressMove): readonly Statement[] => [
    ...(user.emailVerifiedAt === null ? [] : [users.keepAddress(user.emailKey, user.id, clock.now())]),
    users.release(user.id, { email: to.emailKey, username: to.usernameKey }),
  ];

  /** Moves the account to the new address, which its mailbox has confirmed. The old address is told, and can take the move back. */
  async function move(redemption: Redemption, pending: string, client: Client): Promise<boolean> {
    const { user, grant } = redemption;
    if (pending !== user.pendingEmail) return false;
    // The operator may have named the domains only after the change was asked for.
    rules.requireDomain(grant.emailKey);
    if ((await demand?.concerns(user)) === true) throw new AppError("invalid_verification_token");
    await refuseTaken(user, grant.emailKey);
    const to = moveTo(user, pending, grant.emailKey);
    const link = user.emailVerifiedAt === null ? undefined : undoLink(user);
    return prove(redemption, client, {
      statements: [
        users.moveAddress(user.id, user.emailKey, to, clock.now()),
        ...givenUp(user, to),
        ...grants.redeem(grant, "email_verification"),
        ...(link === undefined
          ? []
          : [grants.issue({ id: user.id, emailKey: user.emailKey, email: user.email }, link.purpose, link.request)]),
      ],
      jobs: link === undefined ? [] : [addressMovedJob(user, link, client)],
      tell: [{ topic: "auth.email-changed", payload: { user_id: user.id }, by: byUser(client) }],
    });
  }

  /** Mails a link to each address of the account that is not proven yet. */
  async function mail(user: UserRow, client: Client): Promise<void> {
    const jobs = user.pendingEmailKey === null ? [] : [emailVerificationJob(user.id, client, user.pendingEmailKey)];
    if (user.emailVerifiedAt === null) jobs.push(emailVerificationJob(user.id, client));
    await journal.commit({ jobs });
  }

  return {
    /** Asks for the mails. Returns the token only where return is on. Does nothing when no address waits for its confirmation. */
    async request(user: UserRow, client: Client): Promise<string | undefined> {
      const isProven = user.emailVerifiedAt !== null;
      if (isProven && user.pendingEmailKey === null) return undefined;
      if (!returnToken || mailToo) await mail(user, client);
      if (!returnToken) return undefined;
      return grants.forAnswer(pendingRecipient(user) ?? { id: user.id, emailKey: user.emailKey }, "email_verification");
    },

    /**
     * Verifies the address that the grant was sent to, if the user still has it, or moves the account to it, if it still waits for that.
     * Throws `email_taken` when somebody else has confirmed it first.
     */
    async confirm(token: string, client: Client, signedInUserId: string | undefined): Promise<UserRow> {
      const { grant, user } = await holderOf(await grants.find(token, "email_verification"));
      const redemption = { grant, user, isOwn: signedInUserId === user.id || grant.mailed === 0 };
      const applied =
        grant.email === null ? await verify(redemption, client) : await move(redemption, grant.email, client);
      const confirmed = applied ? await users.byId(grant.userId) : undefined;
      if (confirmed === undefined) throw new AppError("invalid_verification_token");
      await arrived?.(confirmed, client);
      return confirmed;
    },

    /**
     * "This was not me", said by the owner of the mailbox. An account that was made with the address loses every way in. An account that
     * only asked to move to it stays as it is, without the move.
     */
    async reject(token: string, client: Client): Promise<void> {
      const { grant, user } = await holderOf(await grants.find(token, "email_verification"));
      const now = clock.now();
      const isMove = grant.email !== null;
      const evicted = isMove ? undefined : evictions.evict(user.id, "address_rejected", { exceptGrant: grant.id });
      const statements =
        evicted === undefined
          ? [users.cancelPending(user.id, grant.emailKey, now), grants.voidOpen(user.id, ["email_verification"])]
          : [
              users.hold(user.id, now),
              ...evicted.statements,
              users.disown(user.id, grant.emailKey, now),
              ...grants.redeem(grant, "email_verification"),
            ];
      const rejected = await journal.commit({
        statements,
        tell: [{ topic: "auth.address-rejected", payload: { user_id: user.id }, by: byNobody(client) }],
      });
      if (!rejected.applied) throw new AppError("invalid_verification_token");
      if (evicted !== undefined) await recordEvicted(journal, log, evicted.tell(rejected.results.slice(1), client));
    },

    /**
     * Takes a change of the address back, by a link that the proven address got: a waiting change is given up, and a completed one is
     * undone. Ends every session, removes what a thief may have added, and mails a reset to the address. Where the account had no second
     * factor when it moved, factors added since are removed: otherwise a thief could lock the owner out.
     */
    async takeBack(token: string, client: Client): Promise<void> {
      const { grant, user, purpose, eviction } = await takenBackBy(token);
      await refuseTaken(user, grant.emailKey);
      // The link of the mail that told of the wish goes on working once the account has moved.
      const isUndo = user.emailKey !== grant.emailKey;
      const now = clock.now();
      const about = { payload: { user_id: user.id }, by: byUser(client) };
      const to = moveTo(user, grant.email ?? grant.emailKey, grant.emailKey);
      const evicted = evictions.evict(user.id, eviction, { exceptGrant: grant.id });
      const undone = await journal.commit({
        statements: [
          isUndo ? users.moveAddress(user.id, user.emailKey, to, now) : users.hold(user.id, now),
          ...evicted.statements,
          ...(isUndo ? [users.release(user.id, { email: to.emailKey, username: to.usernameKey })] : []),
          ...grants.redeem(grant, purpose),
          // Links of this moment and later may be a thief's; an earlier link leads back to an address that the account had before.
          grants.voidOpen(user.id, ["email_change_cancel", "email_change_undo", "email_change_factor_undo"], {
            before: grant.id,
          }),
        ],
        jobs: [
          passwordResetJob(isUndo ? to.email : user.email, client),
          ...(isUndo && user.emailVerifiedAt !== null ? [addressTakenBackJob(user, client)] : []),
        ],
        tell: [
          isUndo
            ? { ...about, topic: "auth.email-changed", reason: "undone" }
            : { ...about, topic: "auth.address-rejected", reason: "cancelled" },
          ...(eviction === "factor_change_undone" && user.factors !== 0
            ? [{ ...about, topic: "auth.factors-reset", reason: "undone" } as const]
            : []),
        ],
      });
      if (!undone.applied) throw new AppError("invalid_verification_token");
      await recordEvicted(journal, log, evicted.tell(undone.results.slice(1), client));
    },
  };
}

export type VerificationService = ReturnType<typeof createVerificationService>;
