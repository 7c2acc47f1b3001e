import { sql, type Database, type RowOf } from "../../drivers/database/index.ts";
import { userColumns } from "../user/user.columns.ts";

/** People's names for places where an id alone says nothing. An account that is gone has no name. */
const columns = userColumns.pick("id", "username", "displayName");
export type AccountName = RowOf<typeof columns>;

const mostNames = 200;

export const createNameRepository = (db: Database) => ({
  /** Returns names by id, for at most 200 ids. */
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
