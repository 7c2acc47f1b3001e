import type { Journal } from "../journal.ts";
import { byOperator } from "../../core/audit.ts";
import type { UserRepository } from "../user/user.repository.ts";
import { accountRecord } from "./account.record.ts";
import type { TransferredIdentities } from "./import.service.ts";

interface ExportOptions {
  readonly journal: Journal;
  readonly users: Pick<UserRepository, "page">;
  readonly identities: Pick<TransferredIdentities, "ofUsers">;
}

const accountsPerPage = 500;

/**
 * Writes accounts out, page by page: an account that is made, changed or deleted meanwhile is in the export or not, and whole. The audit
 * log tells of the export before its first page.
 */
export const createAccountPages = ({ journal, users, identities }: ExportOptions) =>
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
      const linked = Map.groupBy(await identities.ofUsers(page.map(({ id }) => id)), ({ userId }) => userId);
      yield page.map((user) => accountRecord({ user, identities: linked.get(user.id) ?? [] }, withHashes));
      after = last.id;
    }
  };
