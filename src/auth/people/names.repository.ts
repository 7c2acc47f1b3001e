import { sql, type Database, type RowOf } from "../../drivers/database/index.ts";
import { userColumns } from "../user/user.columns.ts";

/** What people are called where an id alone would say nothing. An account that is gone has no name. */
const columns = userColumns.pick("id", "username", "displayName");
export type AccountName = RowOf<typeof columns>;

const mostNames = 200;

export const createNameRepository = (db: Database) => ({
  /** By id; of at most 200. */
  async of(ids: Iterable<string>): Promise<ReadonlyMap<string, AccountName>> {
    const wanted = [...new Set(ids)].slice(0, mostNames);
    if (wanted.length === 0) return new Map();
    const params = Object.fromEntries(wanted.map((id, index) => [`id${index}`, id]));
    const rows = await db.all(
      sql`select ${columns} from users
       where id in (${wanted.map((_, index) => `$id${index}`).join(", ")})`,
      params,
    );
    return new Map(rows.map((row) => [row.id, row]));
  },
});
