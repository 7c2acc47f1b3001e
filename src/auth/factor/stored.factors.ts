import type { Millis } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { factorBits } from "./method.ts";
import { userFactors } from "../user/user.factors.repository.ts";
import type { RecoveryRepository } from "./recovery/recovery.repository.ts";

/** A second factor of an account, as its owner and those who look after accounts see it. No secret is part of it. */
export interface StoredFactor {
  readonly id: string;
  readonly method: keyof typeof factorBits;
  /** What its owner calls it, where there can be several. */
  readonly name: string | null;
  readonly addedAt: Millis;
  /** Null before the first use. */
  readonly lastUsedAt: Millis | null;
}

/** Where factors of one kind are kept. */
export interface FactorStore {
  readonly bit: (typeof factorBits)[keyof typeof factorBits];
  /** The oldest first. */
  listStored(userId: string): Promise<readonly StoredFactor[]>;
  /** Removes those of a kind that `users.factors` does not name any more. Comes after the write of that row, in its batch. */
  removeUnset(userId: string): Statement;
  /** Removes those set up later than `since`, but for those with these ids. Returns `factor`, the kind, of each. */
  removeSince(userId: string, since: Millis, keep: readonly string[]): Statement;
  /** A condition: the account, whose row is `users`, has one of this kind. */
  readonly isSetUp: string;
}

export interface StoredFactorsOptions {
  readonly stores: readonly FactorStore[];
  readonly recovery: Pick<RecoveryRepository, "left" | "removeUnset">;
  /** Whether the app lets nobody be without a second factor. Default false. */
  readonly isRequired?: boolean;
}

/** What an account has of all kinds together. Recovery codes go with the last factor: they would stand in for nothing. */
export const createStoredFactors = ({ stores, recovery, isRequired = false }: StoredFactorsOptions) => ({
  list: async (userId: string): Promise<readonly StoredFactor[]> =>
    (await Promise.all(stores.map((store) => store.listStored(userId)))).flat(),

  recoveryCodesLeft: recovery.left,

  /** The bits of `users.factors` that are left without one of them. Throws `last_factor` where none is left and the app requires one. */
  without(factors: number, bit: (typeof factorBits)[keyof typeof factorBits]): number {
    const left = factors & ~bit;
    if (left === 0 && isRequired) throw new AppError("last_factor");
    return left;
  },

  /** For the batch of whatever took bits from `users.factors`. */
  removeUnset: (userId: string): readonly Statement[] =>
    [...stores, recovery].map((store) => store.removeUnset(userId)),

  /** Removes what was set up later than `since`, and with the last factor the recovery codes. The user's row follows, which the batch has written before. */
  removeSince: (userId: string, since: Millis, keep: readonly string[]): readonly Statement[] => [
    ...stores.map((store) => store.removeSince(userId, since, keep)),
    userFactors.recount(userId, stores),
    recovery.removeUnset(userId),
  ],
});

export type StoredFactors = ReturnType<typeof createStoredFactors>;
