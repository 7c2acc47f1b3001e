import type { Millis } from "../../../core/clock.ts";
import { takeBackTtlMs } from "../../grant/grant.service.ts";
import type { Parts } from "../parts.ts";

/** An addition to an account in the last days, which its owner can take back by a mail. */
export interface Added {
  readonly kind: "identity" | "totp" | "passkey";
  readonly id: string;
  /** The account at the provider, or the owner's name for a passkey; empty for an authenticator app. */
  readonly name: string;
  readonly at: Millis;
}

export interface AddedIdentities {
  /** Returns the identities that were linked later than `since`, except the one that the account was made with. */
  listSince(userId: string, since: Millis): Promise<readonly Omit<Added, "kind">[]>;
}

type AddedOptions = Parts<"storedFactors" | "clock"> & { readonly identities: AddedIdentities };

/** Lists, newest first, what an eviction removes that takes back additions. */
export const createAddedList =
  ({ identities, storedFactors, clock }: AddedOptions) =>
  async (userId: string): Promise<readonly Added[]> => {
    const since = clock.now() - takeBackTtlMs;
    const [linked, factors] = await Promise.all([identities.listSince(userId, since), storedFactors.list(userId)]);
    return [
      ...linked.map((identity): Added => ({ kind: "identity", ...identity })),
      ...factors
        .filter(({ addedAt }) => addedAt > since)
        .map(({ id, method, name, addedAt }): Added => ({ kind: method, id, name: name ?? "", at: addedAt })),
    ].toSorted((a, b) => b.at - a.at);
  };
