import { hour, minute, type Clock, type Millis } from "../../core/clock.ts";
import { randomToken, tokenHash } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import type { UserRepository } from "../user/user.repository.ts";
import type { GrantPurpose, GrantRepository, GrantRow } from "./grant.repository.ts";

interface GrantOptions {
  readonly database: Database;
  readonly users: Pick<UserRepository, "lock">;
  readonly grants: GrantRepository;
  readonly ttlMs: Readonly<Record<GrantPurpose, number>>;
  readonly clock: Clock;
}

/** Whom a token is for, and the address that it is sent to. */
interface Recipient {
  readonly id: string;
  readonly emailKey: string;
  /** The address as it was typed, where redeeming puts it back. */
  readonly email?: string;
}

/**
 * `token` goes into one mail and is kept nowhere. `joined`: a mail of the last few minutes holds a good link already.
 * `account_gone`: there is nobody to mail any more.
 */
export type GrantForMail =
  | { readonly token: string; readonly expiresAt: Millis }
  | { readonly withheld: "joined" | "cap_reached" | "account_gone" };

/** How long the old address can take a change of address back: a weekend and a day. */
export const undoTtlMs = 72 * hour;
/** Mails of one purpose that a user can be sent in an hour. Requests are counted, not the attempts to deliver their mails. */
const requestsPerHour = 12;
/**
 * With twelve an hour at most, nobody can use them up for somebody else: who asks in vain has a link in the mailbox that is younger
 * than this.
 */
const joinMs = 5 * minute;

/**
 * Single-use proofs that reach a user by mail: 256-bit tokens, stored by hash, bound to user, purpose and address. They stand side by
 * side: a stranger's request voids no link that the owner holds. The first one that is redeemed voids the rest of its purpose.
 */
export function createGrantService({ database, users, grants, ttlMs, clock }: GrantOptions) {
  const newGrant = (user: Recipient, purpose: GrantPurpose, requestId: string, mailed: 0 | 1, now: Millis) => {
    const token = randomToken();
    const grant = {
      id: newId(),
      purpose,
      userId: user.id,
      emailKey: user.emailKey,
      email: user.email ?? null,
      tokenHash: tokenHash(token),
      requestId,
      mailed,
      now,
      expiresAt: now + ttlMs[purpose],
    };
    return { token, grant };
  };

  return {
    /**
     * The token for one attempt to deliver the mail of the request. Only the first attempt of a request counts; each gets a token
     * of its own, because an attempt that was reported as failed may have arrived.
     */
    async forMail(user: Recipient, purpose: GrantPurpose, requestId: string): Promise<GrantForMail> {
      const now = clock.now();
      const { token, grant } = newGrant(user, purpose, requestId, 1, now);
      const bounds = {
        limit: requestsPerHour,
        countSince: now - hour,
        joinSince: purpose === "email_change_undo" ? now : now - joinMs,
      };
      // The user's row is held first, so that of two requests at once the second one sees the first.
      const issued = await database.batch([users.lock(user.id), grants.insertWithin(grant, bounds)]);
      if (issued.applied) return { token, expiresAt: grant.expiresAt };
      if (issued.failedGuard === 0) return { withheld: "account_gone" };
      const { emailKey, joinSince } = { ...grant, ...bounds };
      const isJoined = await grants.hasJoinable(user.id, purpose, { emailKey, joinSince, now });
      return { withheld: isJoined ? "joined" : "cap_reached" };
    },

    /** A token that is answered instead of mailed. Once the account is gone it is good for nothing, like any made-up one. */
    async forAnswer(user: Recipient, purpose: GrantPurpose): Promise<string> {
      const { token, grant } = newGrant(user, purpose, newId(), 0, clock.now());
      await database.batch([users.lock(user.id), grants.insert(grant)]);
      return token;
    },

    find: (token: string, purpose: GrantPurpose): Promise<GrantRow | undefined> =>
      grants.findOpen(tokenHash(token), purpose, clock.now()),

    /** For the batch that the grant permits: its guard, and the end of all other grants of the purpose. */
    redeem: (grant: GrantRow, purpose: GrantPurpose): readonly [Statement, Statement] => [
      grants.redeem(grant.id, clock.now()),
      grants.voidOpen(grant.userId, purpose, clock.now()),
    ],

    /** Voids what was sent and not yet used. */
    voidOpen: (userId: string, ...purposes: readonly GrantPurpose[]): readonly Statement[] =>
      purposes.map((purpose) => grants.voidOpen(userId, purpose, clock.now())),
  };
}

export type GrantService = ReturnType<typeof createGrantService>;
