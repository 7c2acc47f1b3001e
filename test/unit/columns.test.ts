import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { computed, noColumns, sql, tableOf, together, unionAll } from "../../src/drivers/database/index.ts";
import { temporaryDatabase } from "../support/database.ts";

interface Letter {
  readonly id: string;
  readonly sentAt: number | null;
  readonly state: string;
}

const letters = tableOf<Letter>("letters", {
  id: "id",
  sentAt: "sent_at",
  state: { column: "state", read: (letter) => `coalesce(${letter}.state, 'new')` },
});

describe("the columns of a table", () => {
  test("are listed under the names of their fields, with the name of the table where it is asked for", () => {
    expect(letters.list).toBe(`id, sent_at as "sentAt", coalesce(letters.state, 'new') as "state"`);
    expect(letters.as("l").list).toBe(`l.id, l.sent_at as "sentAt", coalesce(l.state, 'new') as "state"`);
    expect(letters.as("l").pick("sentAt", "id").list).toBe(`l.id, l.sent_at as "sentAt"`);
    expect(letters.except("sentAt", "state").list).toBe("id");
    expect(letters.columnOf("sentAt")).toBe("sent_at");
  });

  test("make an insert of whole rows, with the parameters that it names and no others", () => {
    const inserted = letters.insert();
    expect(inserted.into).toBe("letters (id, sent_at, state)");
    expect(inserted.values).toBe("$id, $sentAt, $state");
    const row = { id: "1", sentAt: null, state: "new", note: "of no column" };
    expect(inserted.params(row)).toEqual({ id: "1", sentAt: null, state: "new" });
    const sent = letters.insert({ sentAt: "$now", state: "'sent'" });
    expect(sent.values).toBe("$id, $now, 'sent'");
    expect(sent.params(row)).toEqual({ id: "1" });
  });

  test("are written into a text, alone and with others", () => {
    const count = computed<{ n: number }>({ n: "count(*)" });
    expect(sql`select ${letters.pick("id")}, ${count} from letters limit ${3}`).toBe(
      `select id, count(*) as "n" from letters limit 3`,
    );
    expect(together(letters.pick("id"), noColumns, count).list).toBe(`id, count(*) as "n"`);
    const ids = sql`select ${letters.pick("id")} from letters`;
    expect(unionAll([ids, ids], "order by id")).toBe(
      "select id from letters union all select id from letters order by id",
    );
  });

  test("have the types of their fields where they are read", async () => {
    await using temporary = await temporaryDatabase();
    const { database } = temporary;
    await database.run("create table letters (id text primary key, sent_at bigint, state text)");
    const inserted = letters.insert({ state: "null" });
    await database.run(
      `insert into ${inserted.into} values (${inserted.values})`,
      inserted.params({ id: "1", sentAt: 7 }),
    );
    const found = await database.get(sql`select ${letters} from letters`);
    const sentAt: number | null | undefined = found?.sentAt;
    expect(sentAt).toBe(7);
    expect(found).toEqual({ id: "1", sentAt: 7, state: "new" });
    // @ts-expect-error The text selects no such field.
    expect((await database.get(sql`select ${letters.pick("id")} from letters`))?.state).toBeUndefined();
    // @ts-expect-error A text that was written by hand says nothing of its rows.
    expect((await database.get("select id from letters"))?.id).toBe("1");
  });
});

const root = join(import.meta.dir, "../../src");
const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

test("a read takes the type of its rows from the columns in its text, and names none", () => {
  const naming = /\.(?:get|all|run)<|:\s*Sql<[^;=]*>\s*=[^>]|\bas "[a-z]+[A-Z]/;
  const readers = sources.filter(
    ({ path, text }) => /\/database\/index\.ts"/.test(text) && !/^drivers\/database\/(?:postgres|sqlite)\//.test(path),
  );
  expect(readers.length).toBeGreaterThan(50);
  expect(readers.filter(({ text }) => naming.test(text)).map(({ path }) => path)).toEqual([]);
});

/** Tables whose rows are never read or written whole. */
const withoutRecord: Readonly<Record<string, string>> = {
  audit_counting: "one setting",
  audit_retention: "one setting",
  schema_head: "one setting",
  account_counts: "counts that triggers write, and read as sums",
  audit_hours: "counts that triggers write",
  mail_hours: "counts that triggers write",
  health_hours: "counts that are added to, and read as sums",
  auth_grant_browsers: "only asked whether a row is there",
  auth_invitation_tokens: "copied from invitations, and read beside one",
  auth_passkey_answers: "only asked whether a row is there",
  auth_passkey_handles: "read beside passkeys",
};
/** The file of inspects has no migrations. */
const elsewhere = ["inspects"];

test("every column of the migrated schema is in the record of its table", async () => {
  await using temporary = await temporaryDatabase();
  const { database } = temporary;
  const postgres = `select table_name as "table", column_name as "column" from information_schema.columns where table_schema = 'public'`;
  const sqlite = `select t.name as "table", c.name as "column" from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table'`;
  const columns = await database.all<{ table: string; column: string }>(
    database.dialect === "postgres" ? postgres : sqlite,
  );
  const schema = Map.groupBy(
    columns.filter(({ table }) => !table.startsWith("sqlite_") && !Object.hasOwn(withoutRecord, table)),
    ({ table }) => table,
  );

  const records = sources
    .flatMap(({ text }) => [...text.matchAll(/\btableOf(?:<\w+>)?\(\s*"(\w+)",\s*\{([\s\S]*?)\n\s*\}\s*,?\s*\);/g)])
    .flatMap(([, table = "", body = ""]) =>
      elsewhere.includes(table)
        ? []
        : [
            {
              table,
              columns: [...body.replaceAll(/\bcolumn<[\s\S]*?>\(/g, "(").matchAll(/"(\w+)"/g)].map(
                ([, column = ""]) => column,
              ),
            },
          ],
    );
  expect(records.map(({ table }) => table).toSorted()).toEqual([...schema.keys()].toSorted());
  for (const record of records) {
    const found = schema.get(record.table)?.map(({ column }) => column) ?? [];
    expect({ [record.table]: record.columns.toSorted() }).toEqual({ [record.table]: found.toSorted() });
  }
});
