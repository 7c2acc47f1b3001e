import { byOperator, type Occurrence } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { Journal } from "../journal.ts";
import { hasAdmin, readRoles } from "../user/roles.ts";
import type { MetadataRepository } from "../metadata/metadata.repository.ts";
import type { Reservation, ReservationKind } from "../user/reservation.repository.ts";
import type { UserRepository } from "../user/user.repository.ts";
import type { TransferredAccount, TransferredIdentity } from "./account.record.ts";
import type { AccountKeys, TransferRepository } from "./transfer.repository.ts";

/** The part of the store of identities that an import needs; it belongs to another feature. */
export interface TransferredIdentities {
  /** Returns which of these identities have a user. */
  having(identities: readonly TransferredIdentity[]): Promise<readonly TransferredIdentity[]>;
  adopt(userId: string, identity: TransferredIdentity, at: number): Statement;
  ofUsers(ids: readonly string[]): Promise<readonly (TransferredIdentity & { readonly userId: string })[]>;
}

interface ImportOptions {
  readonly journal: Journal;
  readonly users: Pick<UserRepository, "insert" | "allReserved">;
  readonly metadata: Pick<MetadataRepository, "insert">;
  readonly rows: TransferRepository;
  readonly identities: TransferredIdentities;
  readonly clock: Clock;
}

/** The outcome for one account. `id` is that of the account which has the address now. `isAdmin`: its line made it an admin. */
export type ImportOutcome =
  | { readonly outcome: "imported"; readonly id: string; readonly isAdmin: boolean }
  | { readonly outcome: "present"; readonly id: string }
  | { readonly outcome: "refused"; readonly reason: string };

const refused = (reason: string): ImportOutcome => ({ outcome: "refused", reason });
const keyOf = ({ provider, issuer, subject }: TransferredIdentity): string =>
  JSON.stringify([provider, issuer, subject]);

/** Each account gets a row of its own in the audit log. Nothing else is told: a hundred thousand mails and messages would help no one. */
const recordOf = ({ user }: TransferredAccount): readonly Occurrence[] => [
  { topic: "auth.user-imported", payload: { user_id: user.id }, by: byOperator },
  ...readRoles(user.roles).map(
    (role) => ({ topic: "auth.role-added", payload: { user_id: user.id, role }, by: byOperator }) as const,
  ),
];

/** Imports accounts in batches that each are one short commit: the service may go on meanwhile. */
export function createImport({ journal, users, metadata, rows, identities, clock }: ImportOptions) {
  async function commit(accounts: readonly TransferredAccount[]): Promise<boolean> {
    const { applied } = await journal.commit({
      statements: [
        ...accounts.map(({ user }) => users.insert(user, clock.now())),
        ...accounts.flatMap(({ user, metadata: kept }) => (kept === undefined ? [] : [metadata.insert(user.id, kept)])),
        ...accounts.flatMap(({ user, identities: held }) =>
          held.map((identity) => identities.adopt(user.id, identity, user.createdAt)),
        ),
      ],
      record: accounts.flatMap(recordOf),
    });
    return applied;
  }

  /** Returns each account with its conflict, if any: with something stored, or with an earlier account of the batch. */
  async function judge(accounts: readonly TransferredAccount[]) {
    const stored = await rows.having(accounts.map(({ user }) => user));
    const linked = await identities.having(accounts.flatMap((account) => account.identities));
    const reserved = await users.allReserved(
      { email: accounts.map(({ user }) => user.emailKey), username: accounts.map(({ user }) => user.usernameKey) },
      clock.now(),
    );
    const taken = createTaken(stored, linked, reserved);
    return accounts.map((account) => {
      const conflict = taken.conflictOf(account);
      if (conflict === undefined) taken.add(account);
      return { account, conflict };
    });
  }

  async function attempt(accounts: readonly TransferredAccount[], isTrial: boolean) {
    const judged = await judge(accounts);
    const free = judged.flatMap(({ account, conflict }) => (conflict === undefined ? [account] : []));
    if (!isTrial && free.length > 0 && !(await commit(free))) return undefined;
    return judged.map(({ account: { user }, conflict }): ImportOutcome => {
      const isAdmin = hasAdmin(user.roles);
      return conflict ?? { outcome: "imported", id: user.id, isAdmin };
    });
  }

  /** Returns the outcome for each account, in their order. With `isTrial` nothing is written. */
  async function bring(accounts: readonly TransferredAccount[], isTrial: boolean): Promise<readonly ImportOutcome[]> {
    const outcomes = await attempt(accounts, isTrial);
    if (outcomes !== undefined) return outcomes;
    // Somebody registered one of the accounts at this moment. The rest can still be imported one by one.
    const each: ImportOutcome[] = [];
    for (const account of accounts)
      each.push(
        ...((await attempt([account], isTrial)) ?? [refused("was registered at this moment: import it again")]),
      );
    return each;
  }

  return { bring };
}

/** Collects the keys that are taken, each of which only one account may have. */
function createTaken(
  stored: readonly AccountKeys[],
  linked: readonly TransferredIdentity[],
  reserved: readonly Reservation[],
) {
  const byEmail = new Map(stored.map(({ emailKey, id }) => [emailKey, id]));
  const usernames = new Set(stored.map(({ usernameKey }) => usernameKey));
  const ids = new Set(stored.map(({ id }) => id));
  const externalIds = new Set(stored.map(({ externalId }) => externalId));
  const subjects = new Set(linked.map(keyOf));
  const isKept = (kind: ReservationKind, key: string, id: string): boolean =>
    reserved.some((each) => each.kind === kind && each.key === key && each.userId !== id);
  return {
    conflictOf({ user, identities: held }: TransferredAccount): ImportOutcome | undefined {
      const present = byEmail.get(user.emailKey);
      if (present !== undefined) return { outcome: "present", id: present };
      if (ids.has(user.id)) return refused("id: belongs to another account");
      if (isKept("email", user.emailKey, user.id)) return refused(`email: ${new AppError("email_taken").message}`);
      if (usernames.has(user.usernameKey) || isKept("username", user.usernameKey, user.id))
        return refused(`username: ${new AppError("username_taken").message}`);
      if (user.externalId !== null && externalIds.has(user.externalId))
        return refused(`external_id: ${new AppError("external_id_taken").message}`);
      if (held.some((identity) => subjects.has(keyOf(identity))))
        return refused(`identities: ${new AppError("identity_already_linked").message}`);
      return undefined;
    },

    add({ user, identities: held }: TransferredAccount): void {
      byEmail.set(user.emailKey, user.id);
      usernames.add(user.usernameKey);
      ids.add(user.id);
      externalIds.add(user.externalId);
      for (const identity of held) subjects.add(keyOf(identity));
    },
  };
}

export type ImportService = ReturnType<typeof createImport>;
