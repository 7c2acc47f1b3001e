import { byOperator } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { Journal } from "../journal.ts";
import type { MetadataRepository } from "../metadata/metadata.repository.ts";
import type { UserRepository } from "../user/user.repository.ts";
import { accountRecord, createAccountReader } from "./account.record.ts";
import { createImportRun } from "./import.run.ts";
import { type TransferredIdentities, createImport } from "./import.service.ts";
import { createNamedAccounts } from "./named.accounts.ts";
import { createTransferRepository } from "./transfer.repository.ts";

interface TransferOptions {
  readonly database: Database;
  readonly journal: Journal;
  readonly users: UserRepository;
  readonly metadata: MetadataRepository;
  readonly identities: TransferredIdentities;
  readonly clock: Clock;
}

/** Imports the accounts of another installation or system, and exports all accounts. */
export function createTransfer({ database, clock, ...stores }: TransferOptions) {
  const rows = createTransferRepository(database);
  const { bring } = createImport({ ...stores, rows, clock });
  return {
    import: createImportRun({ bring, read: createAccountReader(clock) }),
    /** Finds the accounts that a file of another kind names. */
    named: createNamedAccounts(rows),
    countAccounts: () => rows.count(),
    /** Yields all accounts, in the form that an import reads. */
    pages: createAccountPages(stores),
  };
}

interface ExportOptions {
  readonly journal: Journal;
  readonly users: Pick<UserRepository, "page">;
  readonly metadata: Pick<MetadataRepository, "ofUsers">;
  readonly identities: Pick<TransferredIdentities, "ofUsers">;
}

const accountsPerPage = 500;

/**
 * Writes accounts out, page by page: an account that is made, changed or deleted meanwhile is in the export or not, and whole. The audit
 * log tells of the export before its first page.
 */
const createAccountPages = ({ journal, users, metadata, identities }: ExportOptions) =>
  async function* pages(withHashes: boolean): AsyncGenerator<readonly ReturnType<typeof accountRecord>[]> {
    const reason = withHashes ? "with_hashes" : "without_hashes";
    await journal.commit({
      record: [{ topic: "auth.users-exported", payload: { count: 1 }, by: byOperator, reason }],
    });
    let after = "";
    for (;;) {
      const page = await users.page(after, accountsPerPage);
      const last = page.at(-1);
      if (last === undefined) return;
      const ids = page.map(({ id }) => id);
      const linked = Map.groupBy(await identities.ofUsers(ids), ({ userId }) => userId);
      const kept = await metadata.ofUsers(ids);
      yield page.map((user) =>
        accountRecord({ user, metadata: kept.get(user.id), identities: linked.get(user.id) ?? [] }, withHashes),
      );
      after = last.id;
    }
  };
