import type { Millis } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { factorBits } from "./method.ts";
import type { UserRow } from "../user/user.columns.ts";
import { userFactors } from "../user/user.factors.repository.ts";
import type { RecoveryRepository } from "./recovery/recovery.repository.ts";

/** A second factor of an account, in the form for its owner and for staff. No secret is part of it. */
export interface StoredFactor {
  readonly id: string;
  readonly method: keyof typeof factorBits;
  /** The owner's name for the factor; null for a kind of which an account has only one. */
  readonly name: string | null;
  readonly addedAt: Millis;
  readonly lastUsedAt: Millis | null;
}

export interface FactorStore {
  readonly bit: (typeof factorBits)[keyof typeof factorBits];
  /** Returns the account's factors of this kind, the oldest first. */
  listStored(userId: string): Promise<readonly StoredFactor[]>;
  /** Removes factors of this kind where `users.factors` does not name the kind any more. Comes after the write of that row, in its batch. */
  removeUnset(userId: string): Statement;
  /** Removes factors that were set up later than `since`, except those with these ids. Returns `factor`, the kind, of each. */
  removeSince(userId: string, since: Millis, keep: readonly string[]): Statement;
  /** A condition: the account, whose row is `users`, has a factor of this kind. */
  readonly isSetUp: string;
}

export interface StoredFactorsOptions {
  readonly stores: readonly FactorStore[];
  readonly recovery: Pick<RecoveryRepository, "left" | "removeUnset">;
  /** Whether every user of the app must have a second factor. Default false. */
  readonly isRequired?: boolean;
  /** Throws where an account's password must not be left alone. Default: it may. */
  readonly requireAlone?: (user: Pick<UserRow, "passwordHash" | "passwordAtLeast">) => void;
}

/**
 * The second factors of an account, of all kinds together. Recovery codes are removed with the last factor, since they then stand in for
 * nothing.
 */
export const createStoredFactors = ({ stores, recovery, isRequired = false, requireAlone }: StoredFactorsOptions) => ({
  list: async (userId: string): Promise<readonly StoredFactor[]> =>
    (await Promise.all(stores.map((store) => store.listStored(userId)))).flat(),

  recoveryCodesLeft: recovery.left,

  /**
   * Returns the bits of `users.factors` without this one. Where none is left, throws `last_factor` if the app requires one, and
   * `weak_password` if the password is too short to stand alone.
   */
  without(
    user: Pick<UserRow, "factors" | "passwordHash" | "passwordAtLeast">,
    bit: (typeof factorBits)[keyof typeof factorBits],
  ): number {
    const left = user.factors & ~bit;
    if (left === 0 && isRequired) throw new AppError("last_factor");
    if (left === 0) requireAlone?.(user);
    return left;
  },

  /** Removes factors and codes without a bit, in the batch of a change that took bits from `users.factors`. */
  removeUnset: (userId: string): readonly Statement[] =>
    [...stores, recovery].map((store) => store.removeUnset(userId)),

  /**
   * Removes factors set up later than `since`, and recovery codes with the last factor. Then updates the bits in the user's row, which the
   * batch has written before.
   */
  removeSince: (userId: string, since: Millis, keep: readonly string[]): readonly Statement[] => [
    ...stores.map((store) => store.removeSince(userId, since, keep)),
    userFactors.recount(userId, stores),
    recovery.removeUnset(userId),
  ],
});

export type StoredFactors = ReturnType<typeof createStoredFactors>;
