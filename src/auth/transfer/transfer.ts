import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { Journal } from "../journal.ts";
import type { UserRepository } from "../user/user.repository.ts";
import { createAccountReader } from "./account.record.ts";
import { createAccountPages } from "./export.service.ts";
import { createImportRun } from "./import.run.ts";
import { createImport, type TransferredIdentities } from "./import.service.ts";
import { createTransferRepository } from "./transfer.repository.ts";

interface TransferOptions {
  readonly database: Database;
  readonly journal: Journal;
  readonly users: UserRepository;
  readonly identities: TransferredIdentities;
  readonly clock: Clock;
}

/** Imports the accounts of another installation or system, and exports all accounts. */
export function createTransfer({ database, clock, ...stores }: TransferOptions) {
  const rows = createTransferRepository(database);
  const { bring } = createImport({ ...stores, rows, clock });
  return {
    import: createImportRun({ bring, read: createAccountReader(clock) }),
    countAccounts: () => rows.count(),
    /** Yields all accounts, in the form that an import reads. */
    pages: createAccountPages(stores),
  };
}
