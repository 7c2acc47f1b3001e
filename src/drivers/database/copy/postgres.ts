import { readPostgresUrl } from "../../../core/address/postgres.url.ts";
import { postgresDriver } from "../postgres/driver.ts";
import { openSession, type Session } from "./postgres.session.ts";
import {
  rowsText,
  columnList,
  pageRows,
  quoted,
  type Column,
  type CopySide,
  type CopySource,
  type CopyTarget,
  type Flaw,
  type Row,
  type Table,
} from "./side.ts";

const kinds: Readonly<Record<string, Column["kind"]>> = { text: "text", bigint: "integer", integer: "integer" };

/** One row for each column: its place in the primary key or null, its table, its name and its type. */
const columnsOfTables = `
  select array_position(i.indkey::int2[], c.attnum), t.relname, c.attname, format_type(c.atttypid, c.atttypmod)
  from pg_class t
  join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
  left join pg_index i on i.indrelid = t.oid and i.indisprimary
  where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r'
  order by t.relname collate "C", c.attname collate "C"`;

/** One row for each pair of a table and another that its rows refer to. */
const referencesOfTables = `
  select distinct t.relname, other.relname
  from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class other on other.oid = c.confrelid
  where c.contype = 'f' and c.connamespace = current_schema()::regnamespace`;

async function readTables(session: Session): Promise<readonly Table[]> {
  const found = new Map<string, { columns: Column[]; key: [at: number, name: string][] }>();
  for (const [place, ...words] of await session.run(columnsOfTables)) {
    const [table = "", name = "", type = ""] = words.map(String);
    const kind = kinds[type];
    if (kind === undefined) throw new Error(`${table}.${name} has the type ${type}, which can't be copied`);
    const known = found.get(table) ?? { columns: [], key: [] };
    found.set(table, known);
    known.columns.push({ name, kind });
    if (place !== null) known.key.push([Number(place), name]);
  }
  const references = await session.run(referencesOfTables);
  return [...found].map(([name, { columns, key }]) => ({
    name,
    columns,
    key: key.toSorted(([a], [b]) => a - b).map(([, column]) => column),
    references: references.filter(([from]) => from === name).map(([, to]) => String(to)),
  }));
}

/** Texts are sorted by their bytes, whatever the order of texts is in the database. */
const byKey = ({ key, columns }: Table): string =>
  key
    .map((name) => {
      const isText = columns.some((column) => column.name === name && column.kind === "text");
      return isText ? `${quoted(name)} collate "C"` : quoted(name);
    })
    .join(", ");

async function* readPages(session: Session, table: Table): AsyncGenerator<readonly Row[]> {
  const isNumber = table.columns.map(({ kind }) => kind === "integer");
  await session.run(
    `declare gatehouse_copy no scroll cursor for
     select ${columnList(table)} from ${quoted(table.name)} order by ${byKey(table)}`,
  );
  for (;;) {
    const rows = await session.run(`fetch forward ${pageRows} from gatehouse_copy`);
    if (rows.length > 0)
      yield rows.map((row) => row.map((cell, at) => (isNumber[at] === true && cell !== null ? Number(cell) : cell)));
    if (rows.length < pageRows) break;
  }
  await session.run("close gatehouse_copy");
}

/** PostgreSQL holds no text that SQLite refuses. Numbers must be ones that JavaScript counts exactly. */
async function findFlaws(session: Session, table: Table, limit: number): Promise<readonly Flaw[]> {
  const wrong = table.columns
    .filter(({ kind }) => kind === "integer")
    .map(({ name }) => {
      const range = `${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`;
      return `when ${quoted(name)} not between ${range} then '${name} is too large a number'`;
    });
  if (wrong.length === 0) return [];
  const row = table.key.map((name) => `${quoted(name)}::text`).join(" || ' ' || ");
  const rows = await session.run(
    `select * from (select ${row}, case ${wrong.join(" ")} end as complaint from ${quoted(table.name)}) found
     where complaint is not null limit ${limit}`,
  );
  return rows.map(([key, complaint]) => ({ table: table.name, row: String(key), complaint: String(complaint) }));
}

const sideOf = (session: Session, url: string): CopySide => ({
  location: postgresDriver(url, 1).describe().location,
  tables: () => readTables(session),
  async count({ name }) {
    const [[rows] = []] = await session.run(`select count(*) from ${quoted(name)}`);
    return Number(rows);
  },
  pages: (table) => readPages(session, table),
  [Symbol.asyncDispose]: session.close,
});

const lock = async (session: Session, tables: readonly Table[], mode: "share" | "exclusive"): Promise<void> =>
  void (await session.run(`lock table ${tables.map(({ name }) => quoted(name)).join(", ")} in ${mode} mode`));

function open(url: string): Promise<Session> {
  const address = readPostgresUrl(url);
  if (typeof address === "string") throw new Error(`the URL of the database ${address}`);
  return openSession(address);
}

export async function openPostgresSource(url: string): Promise<CopySource> {
  const session = await open(url);
  return {
    ...sideOf(session, url),
    async tables() {
      const tables = await readTables(session);
      // Other processes may read but not write until the copy is done, so that all that is read is of one moment.
      if (tables.length > 0) await lock(session, tables, "share");
      return tables;
    },
    flaws: (table, limit) => findFlaws(session, table, limit),
    wasWritten: async () => false,
  };
}

export async function openPostgresTarget(url: string): Promise<CopyTarget> {
  const session = await open(url);
  const eachTable = async (tables: readonly Table[], statement: (name: string) => string): Promise<void> => {
    for (const { name } of tables) await session.run(statement(quoted(name)));
  };
  return {
    ...sideOf(session, url),

    async hold(tables) {
      await lock(session, tables, "exclusive");
      // The owner of a table may do this without being a superuser. The checks of foreign keys go on.
      await eachTable(tables, (name) => `alter table ${name} disable trigger user`);
    },

    clear: async ({ name }) => void (await session.run(`delete from ${quoted(name)}`)),
    write: (table, rows) =>
      session.write(`copy ${quoted(table.name)} (${columnList(table)}) from stdin`, rowsText(rows)),

    async commit(tables) {
      await eachTable(tables, (name) => `alter table ${name} enable trigger user`);
      // Without statistics the first queries are planned as if the tables were small.
      await eachTable(tables, (name) => `analyze ${name}`);
      await session.run("commit");
    },
  };
}
