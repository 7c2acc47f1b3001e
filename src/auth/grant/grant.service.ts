import { hour, minute, type Clock, type Millis } from "../../core/clock.ts";
import { randomToken, tokenHash } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import type { UserRepository } from "../user/user.repository.ts";
import type { GrantPurpose, GrantRow } from "./grant.columns.ts";
import type { GrantRepository, NewGrant, Spared } from "./grant.repository.ts";
import type { MailedCodes } from "./mailed.codes.ts";
import type { MailedTokens } from "../mailed.tokens.ts";

interface GrantOptions {
  readonly database: Database;
  readonly users: Pick<UserRepository, "lock">;
  readonly grants: GrantRepository;
  readonly codes: MailedCodes;
  readonly tokens: MailedTokens;
  readonly ttlMs: Readonly<Record<GrantPurpose, number>>;
  readonly clock: Clock;
}

interface Recipient {
  readonly id: string;
  readonly emailKey: string;
  /** The address as it was typed, where redeeming restores it. */
  readonly email?: string;
}

/**
 * The secrets of one mail, kept nowhere else, or why there is none. `joined`: a mail of the last few minutes holds a good link already.
 * `account_gone`: there is nobody to mail any more. `link_ended`: the link was used or voided before its mail was tried again.
 */
export type GrantForMail<Mailed = { readonly token: string; readonly expiresAt: Millis }> = Mailed | Withheld;
interface Withheld {
  readonly withheld: "joined" | "cap_reached" | "account_gone" | "link_ended";
}

export interface MailedCode {
  readonly token: string;
  readonly code: string;
  readonly expiresAt: Millis;
}

/** How long the old address can take a change of address back: a weekend and a day. */
export const undoTtlMs = 72 * hour;
/** How long additions to an account can be taken back by mail: an owner who is away for a week still comes in time. */
export const takeBackTtlMs = 7 * 24 * hour;
/** Mails of one purpose that a user can be sent in an hour. Requests are counted, not the attempts to deliver their mails. */
const requestsPerHour = 12;
/**
 * How long a request joins the mail of an earlier one. With twelve mails an hour at most, nobody can use them up for somebody else: a
 * person who asks in vain has a link in the mailbox that is younger than this.
 */
const joinMs = 5 * minute;
/** Purposes of mails that nobody asks for: each mail tells of something that has happened, and has a link of its own. */
const unasked: readonly GrantPurpose[] = [
  "email_change_cancel",
  "email_change_undo",
  "email_change_factor_undo",
  "factor_undo",
  "identity_undo",
  "session_undo",
];

/**
 * Single-use proofs that reach a user by mail: 256-bit tokens, stored by hash, bound to user, purpose and address. They stand side by side:
 * a stranger's request voids no link that the owner holds. The first one that is redeemed voids the rest of its purpose.
 */
export function createGrantService({ database, users, grants, codes, tokens, ttlMs, clock }: GrantOptions) {
  function newGrant(user: Recipient, purpose: GrantPurpose, token: string, requestId: string, mailed: 0 | 1): NewGrant {
    const now = clock.now();
    return {
      id: newId(),
      purpose,
      userId: user.id,
      emailKey: user.emailKey,
      email: user.email ?? null,
      tokenHash: tokenHash(token),
      codeHash: null,
      browserHash: null,
      requestId,
      mailed,
      now,
      expiresAt: now + ttlMs[purpose],
    };
  }

  function grantOfMail(user: Recipient, purpose: GrantPurpose, requestId: string) {
    const token = tokens.tokenOf([purpose, requestId, user.id, user.emailKey]);
    return { token, grant: newGrant(user, purpose, token, requestId, 1) };
  }

  /**
   * Stores the grant. Returns undefined, or why its mail is held back. The first attempt to deliver a mail makes the grant, and every later
   * one renews it.
   */
  async function store(grant: NewGrant): Promise<Withheld | undefined> {
    const { userId, purpose, emailKey, tokenHash, now } = grant;
    if (await grants.isKnown(tokenHash)) {
      const renewed = await database.batch([grants.renew(grant)]);
      return renewed.applied ? undefined : { withheld: "link_ended" };
    }
    const bounds = {
      limit: requestsPerHour,
      countSince: now - hour,
      joinSince: unasked.includes(purpose) ? now : now - joinMs,
    };
    // The user's row is held first, so that of two requests at once the second one sees the first.
    const issued = await database.batch([users.lock(userId), grants.insertWithin(grant, bounds)]);
    if (issued.applied) return undefined;
    if (issued.failedGuard === 0) return { withheld: "account_gone" };
    const isJoined = await grants.hasJoinable(userId, purpose, { emailKey, joinSince: bounds.joinSince, now });
    return { withheld: isJoined ? "joined" : "cap_reached" };
  }

  async function admitBrowser({ userId, purpose, emailKey, now }: NewGrant, browserHash: string): Promise<void> {
    const asked = { emailKey, browserHash, joinSince: now - joinMs, now };
    await database.batch([users.lock(userId), ...grants.admitBrowser(userId, purpose, asked)]);
  }

  return {
    /**
     * Returns the token for an attempt to deliver the mail of the request. Only the first attempt of a request counts. All attempts have
     * the same token, which is good for its whole time from the last attempt on.
     */
    async forMail(user: Recipient, purpose: GrantPurpose, requestId: string): Promise<GrantForMail> {
      const { token, grant } = grantOfMail(user, purpose, requestId);
      return (await store(grant)) ?? { token, expiresAt: grant.expiresAt };
    },

    /**
     * Makes the grant in the batch of the change that its mail tells of. The grant is there from then on, so that an act which takes the
     * account back in the meantime voids the link before its mail is sent.
     */
    issue: (user: Recipient, purpose: GrantPurpose, requestId: string): Statement =>
      grants.insert(grantOfMail(user, purpose, requestId).grant),

    /** Returns whether the mailbox has another good link of that purpose. */
    hasOther: (user: Recipient, purpose: GrantPurpose, requestId: string): Promise<boolean> =>
      grants.hasOther(grantOfMail(user, purpose, requestId).grant),

    /**
     * Makes the grant of a mail that also shows a code. The code counts only in the browser with this hash, and only the newest of several
     * codes counts there.
     */
    async forMailWithCode(
      user: Recipient,
      purpose: GrantPurpose,
      requestId: string,
      browserHash: string,
    ): Promise<GrantForMail<MailedCode>> {
      const { token, grant } = grantOfMail(user, purpose, requestId);
      const code = codes.codeOf(requestId);
      const withheld = await store({ ...grant, browserHash, codeHash: codes.hash(grant.id, code) });
      if (withheld?.withheld === "joined") await admitBrowser(grant, browserHash);
      return withheld ?? { token, code, expiresAt: grant.expiresAt };
    },

    /** Returns a token that is answered instead of mailed. Once the account is gone the token is good for nothing, like a made-up one. */
    async forAnswer(user: Recipient, purpose: GrantPurpose): Promise<string> {
      const token = randomToken();
      await database.batch([users.lock(user.id), grants.insert(newGrant(user, purpose, token, newId(), 0))]);
      return token;
    },

    find: (token: string, purpose: GrantPurpose): Promise<GrantRow | undefined> =>
      grants.findOpen(tokenHash(token), purpose, clock.now()),

    /** Returns whether the token is good for anything now. */
    isOpen: (token: string): Promise<boolean> => grants.isOpen(tokenHash(token), clock.now()),

    /** Returns the grant whose code is for this browser, and whether this is the code. Without a grant as much work is done. */
    async findByCode(
      browserHash: string,
      typed: string,
      purpose: GrantPurpose,
    ): Promise<{ readonly grant: GrantRow | undefined; readonly isRight: boolean }> {
      const grant = await grants.findNewestOf(browserHash, purpose, clock.now());
      const matches = codes.matches(typed, grant?.id ?? "", grant?.codeHash ?? "");
      return { grant, isRight: grant !== undefined && matches };
    },

    /** Guards a batch that the grant permits, without using the grant up. */
    hold: ({ id }: GrantRow): Statement => grants.hold(id, clock.now()),

    /** Redeems the grant in the batch that it permits: returns the guard, and the end of all other grants of the purpose. */
    redeem: (grant: GrantRow, purpose: GrantPurpose): readonly [Statement, Statement] => [
      grants.redeem(grant.id, clock.now()),
      grants.voidOpen(grant.userId, [purpose], clock.now()),
    ],

    voidOpen: (userId: string, purposes: readonly GrantPurpose[], spared?: Spared): Statement =>
      grants.voidOpen(userId, purposes, clock.now(), spared),
  };
}

export type GrantService = ReturnType<typeof createGrantService>;
