import { emailKey } from "../user/identifiers.ts";
import type { NamedRow, TransferRepository } from "./transfer.repository.ts";

/** The names by which a file of another system knows an account. */
export interface AccountNames {
  readonly id?: string | undefined;
  readonly externalId?: string | undefined;
  readonly email?: string | undefined;
}

/** The account that is meant, or why none is: nobody has the names, several have one each, or the only one is an address that is not proven. */
export type NamedAccount = { readonly id: string } | { readonly flaw: "unknown" | "several" | "unproven" };

const namesAtOnce = 200;

/** An address alone names an account only where it is proven: anybody can register the address of somebody else. */
function accountOf(names: AccountNames, key: string | undefined, rows: readonly NamedRow[]): NamedAccount {
  const { id, externalId } = names;
  const found = rows.filter((row) => row.id === id || (externalId !== undefined && row.externalId === externalId));
  const byAddress = key === undefined ? undefined : rows.find((row) => row.emailKey === key);
  const ids = new Set([...found, ...(byAddress === undefined ? [] : [byAddress])].map((row) => row.id));
  const [only] = ids;
  if (only === undefined) return { flaw: "unknown" };
  if (ids.size > 1) return { flaw: "several" };
  return found.length === 0 && byAddress?.emailVerifiedAt === null ? { flaw: "unproven" } : { id: only };
}

/** Finds the accounts that a file names, in the order of their names. */
export const createNamedAccounts =
  (rows: Pick<TransferRepository, "named">) =>
  async (names: readonly AccountNames[]): Promise<readonly NamedAccount[]> => {
    const accounts: NamedAccount[] = [];
    for (let start = 0; start < names.length; start += namesAtOnce) {
      const some = names.slice(start, start + namesAtOnce).map((each) => ({
        names: each,
        key: each.email === undefined ? undefined : emailKey(each.email),
      }));
      const found = await rows.named({
        ids: some.flatMap((each) => each.names.id ?? []),
        externalIds: some.flatMap((each) => each.names.externalId ?? []),
        emailKeys: some.flatMap(({ key }) => key ?? []),
      });
      accounts.push(...some.map((each) => accountOf(each.names, each.key, found)));
    }
    return accounts;
  };
