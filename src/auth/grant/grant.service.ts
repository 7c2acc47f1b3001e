import { hour, type Clock } from "../../core/clock.ts";
import { randomToken, tokenHash } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import type { GrantPurpose, GrantRepository, GrantRow } from "./grant.repository.ts";

interface GrantOptions {
  readonly database: Database;
  readonly grants: GrantRepository;
  readonly ttlMs: Readonly<Record<GrantPurpose, number>>;
  readonly clock: Clock;
}

/** Mails of one purpose that a user can be sent in an hour; more are dropped without a word. */
const grantsPerHour = 10;

/** Single-use proofs that reach a user by mail: 256-bit tokens, stored by hash, bound to user, purpose and address. */
export function createGrantService({ database, grants, ttlMs, clock }: GrantOptions) {
  return {
    /** The raw token, to be put into one mail; older grants of the purpose are void. Undefined when the hour's share is used up. */
    async issue(
      user: { id: string; emailKey: string },
      purpose: GrantPurpose,
      delivery: "mailed" | "returned" = "mailed",
    ): Promise<string | undefined> {
      const now = clock.now();
      if ((await grants.countSince(user.id, purpose, now - hour)) >= grantsPerHour) return undefined;
      const token = randomToken();
      await database.batch([
        grants.voidOpen(user.id, purpose, now),
        grants.insert({
          id: newId(),
          purpose,
          userId: user.id,
          emailKey: user.emailKey,
          tokenHash: tokenHash(token),
          mailed: delivery === "mailed" ? 1 : 0,
          now,
          expiresAt: now + ttlMs[purpose],
        }),
      ]);
      return token;
    },

    find: (token: string, purpose: GrantPurpose): Promise<GrantRow | undefined> =>
      grants.findOpen(tokenHash(token), purpose, clock.now()),

    /** The guard of the batch that the grant permits. */
    redeem: (grant: GrantRow): Statement => grants.redeem(grant.id, clock.now()),

    /** Voids what was sent and not yet used. */
    voidOpen: (userId: string, ...purposes: readonly GrantPurpose[]): readonly Statement[] =>
      purposes.map((purpose) => grants.voidOpen(userId, purpose, clock.now())),
  };
}

export type GrantService = ReturnType<typeof createGrantService>;
