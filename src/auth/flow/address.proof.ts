import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Occurrence } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import type { RunResult, Statement } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import type { Client } from "../client.ts";
import { byUser, type Journal } from "../journal.ts";
import type { StoredFactors } from "../factor/stored.factors.ts";
import type { SessionRepository } from "../session/session.repository.ts";
import { userFactors } from "../user/user.factors.repository.ts";

/** Statements that take identities of providers from an account; each returns `id` and `provider` of what it removed. */
export interface LinkedIdentities {
  unlinkAll(userId: string): Statement;
  /** All of them, while the address is not proven. */
  unlinkUnproven(userId: string): Statement;
  /** Those linked before the address was proven: all of them, while it is not. */
  unlinkBeforeProof(userId: string): Statement;
}

interface AddressProofOptions {
  readonly journal: Journal;
  readonly sessionRows: SessionRepository;
  readonly identities: LinkedIdentities;
  readonly storedFactors: Pick<StoredFactors, "removeUnset">;
  readonly clock: Clock;
  readonly log: Log;
}

const UnlinkedRow = Type.Object({ id: Type.String(), provider: Type.String() });

/**
 * What goes when the mailbox of an account is proven. Anybody can register an address that is not theirs, sign in and link a
 * provider of their own before the owner of the mailbox comes: none of it may still open the account afterwards.
 */
export function createAddressProof(options: AddressProofOptions) {
  const { journal, sessionRows, identities, storedFactors, clock, log } = options;

  /** A second factor keeps out whoever does not have it: one of an unproven account would keep out the owner of the mailbox. */
  const endFactors = (userId: string): readonly Statement[] => [
    userFactors.clearUnproven(userId),
    ...storedFactors.removeUnset(userId),
  ];

  const clearFactors = (userId: string): readonly Statement[] => [
    { ...userFactors.clear(userId, clock.now()), guard: false },
    ...storedFactors.removeUnset(userId),
  ];

  return {
    /**
     * For the first proof of the address by somebody who is not signed in to the account: ends its sessions and removes its
     * identities and second factors. Goes between the hold of the user's row and the write that proves the address, which it depends on.
     */
    endUnproven: (userId: string): readonly Statement[] => [
      sessionRows.revokeUnproven(userId, clock.now()),
      identities.unlinkUnproven(userId),
      ...endFactors(userId),
    ],

    /** The same for an account that moves to an address: however well its former one was proven, this one is proven now. */
    endMoved: (userId: string): readonly Statement[] => [
      sessionRows.revokeAll(userId, clock.now(), "address_changed"),
      identities.unlinkAll(userId),
      ...endFactors(userId),
    ],

    /** For each reset: ends every session, and removes what was linked before the address was proven. A second factor goes only
     * where the address is not proven at all: a reset of the password is no way round it. Its place is the same. */
    endForReset: (userId: string, reason: "password_reset" | "address_rejected"): readonly Statement[] => [
      sessionRows.revokeAll(userId, clock.now(), reason),
      identities.unlinkBeforeProof(userId),
      ...endFactors(userId),
    ],

    /** The same for whoever takes back a second factor that another has set up: every factor goes, however well the address is proven. */
    endWithFactors: (userId: string): readonly Statement[] => [
      sessionRows.revokeAll(userId, clock.now(), "factors_reset"),
      identities.unlinkBeforeProof(userId),
      ...clearFactors(userId),
    ],

    /** For an account that goes back to an address, with its second factors where it had none when it left. */
    endUndone: (userId: string, withFactors: boolean): readonly Statement[] => [
      sessionRows.revokeAll(userId, clock.now(), "address_change_undone"),
      ...(withFactors ? clearFactors(userId) : []),
    ],

    /**
     * Writes down what the first three statements have ended, which is known only once they are committed. A failure here undoes
     * nothing: the address is proven. A reset ends the sessions in any case, and its own row says so.
     */
    async record(
      userId: string,
      [ended, unlinked, reset]: readonly RunResult[],
      client: Client,
      by: "verification" | "reset",
    ): Promise<void> {
      const circumstances = { by: byUser(client), reason: "address_not_proven" };
      const tell = (unlinked?.rows ?? []).flatMap((row): Occurrence[] => {
        if (!Value.Check(UnlinkedRow, row)) return [];
        const payload = { user_id: userId, identity_id: row.id, provider: row.provider };
        return [{ ...circumstances, topic: "auth.identity-unlinked", payload }];
      });
      if (by === "verification" && (ended?.changes ?? 0) > 0)
        tell.unshift({
          ...circumstances,
          topic: "auth.session-revoked",
          payload: { user_id: userId, session_id: null },
        });
      if ((reset?.changes ?? 0) > 0)
        tell.push({ ...circumstances, topic: "auth.factors-reset", payload: { user_id: userId } });
      if (tell.length === 0) return;
      try {
        await journal.commit({ tell });
      } catch (error) {
        log.error("what the proof of an address has ended is not in the audit log", {
          user: userId,
          unlinked: unlinked?.rows,
          error,
        });
      }
    },
  };
}

export type AddressProof = ReturnType<typeof createAddressProof>;
