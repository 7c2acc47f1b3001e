import type { Database } from "../../drivers/database/index.ts";

/** What people are called where an id alone would say nothing. An account that is gone has no name. */
export interface AccountName {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
}

const mostNames = 200;

export const createNameRepository = (db: Database) => ({
  /** By id; of at most 200. */
  async of(ids: Iterable<string>): Promise<ReadonlyMap<string, AccountName>> {
    const wanted = [...new Set(ids)].slice(0, mostNames);
    if (wanted.length === 0) return new Map();
    const params = Object.fromEntries(wanted.map((id, index) => [`id${index}`, id]));
    const rows = await db.all<AccountName>(
      `select id, username, display_name as "displayName" from users
       where id in (${wanted.map((_, index) => `$id${index}`).join(", ")})`,
      params,
    );
    return new Map(rows.map((row) => [row.id, row]));
  },
});
