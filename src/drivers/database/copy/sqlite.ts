import { Database as Connection } from "bun:sqlite";
import { absentDatabase, type SqlValue } from "../index.ts";
import { translate } from "../sqlite/errors.ts";
import { fileAt } from "../sqlite/files.ts";
import {
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

const lockWaitMs = 5_000;

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  /** The column's place in the primary key, from 1; 0 for a column that is not part of the key. */
  readonly pk: number;
}

const kinds: Readonly<Record<string, Column["kind"]>> = { text: "text", bigint: "integer", integer: "integer" };

function readTable(connection: Connection, name: string): Table {
  const info = connection
    .prepare<ColumnInfo, [string]>("select name, type, pk from pragma_table_info(?) order by name")
    .all(name);
  const references = connection
    .prepare<{ table: string }, [string]>('select distinct "table" from pragma_foreign_key_list(?)')
    .all(name);
  const columns = info.map(({ name: column, type }) => {
    const kind = kinds[type.toLowerCase()];
    if (kind === undefined) throw new Error(`${name}.${column} has the type ${type}, which can't be copied`);
    return { name: column, kind };
  });
  const key = info.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  return { name, columns, key: key.map((column) => column.name), references: references.map(({ table }) => table) };
}

function readTables(connection: Connection): readonly Table[] {
  const sql = "select name from sqlite_schema where type = 'table' and name not like 'sqlite!_%' escape '!'";
  return connection
    .prepare<{ name: string }, []>(sql)
    .all()
    .map(({ name }) => readTable(connection, name));
}

/** Reads pages by key. The whole read is one transaction, so that all pages are of one moment. */
async function* readPages(connection: Connection, table: Table): AsyncGenerator<readonly Row[]> {
  const keys = table.key.map(quoted).join(", ");
  const select = `select ${columnList(table)} from ${quoted(table.name)}`;
  const order = `order by ${keys} limit ${pageRows}`;
  const first = connection.prepare<never, []>(`${select} ${order}`);
  const places = table.key.map(() => "?").join(", ");
  const next = connection.prepare<never, SqlValue[]>(`${select} where (${keys}) > (${places}) ${order}`);
  const positions = table.key.map((name) => table.columns.findIndex((column) => column.name === name));
  let rows: readonly Row[] = first.values().map(asRow);
  while (rows.length > 0) {
    yield rows;
    const last = rows.at(-1) ?? [];
    rows = rows.length < pageRows ? [] : next.values(...positions.map((at) => last[at] ?? null)).map(asRow);
  }
}

/** The values of a row that has no flaw: texts, whole numbers and nulls. */
const asRow = (values: readonly unknown[]): Row =>
  values.map((value) => (typeof value === "string" || typeof value === "number" ? value : null));

const complaintOf = ({ name, kind }: Column, isKey: boolean): string => {
  const column = quoted(name);
  const wrong = [
    ...(isKey ? [`when ${column} is null then '${name} is missing'`] : []),
    ...(kind === "text"
      ? [
          `when typeof(${column}) not in ('text', 'null') then '${name} is no text but ' || typeof(${column})`,
          `when instr(${column}, char(0)) > 0 then '${name} has a NUL character'`,
        ]
      : [
          `when typeof(${column}) not in ('integer', 'null') then '${name} is no whole number but ' || typeof(${column})`,
          `when ${column} not between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER} then '${name} is too large a number'`,
        ]),
  ];
  return wrong.join(" ");
};

function findFlaws(connection: Connection, table: Table, limit: number): readonly Flaw[] {
  const cases = table.columns.map((column) => complaintOf(column, table.key.includes(column.name))).join(" ");
  const name = quoted(table.name);
  const key = table.key.map((column) => `cast(${name}.${quoted(column)} as text)`).join(" || ' ' || ");
  const row = `coalesce(${key}, 'rowid ' || ${name}.rowid)`;
  const wrongValues = connection
    .prepare<{ row: string; complaint: string }, [number]>(
      `select row, complaint from (select ${row} as row, case ${cases} end as complaint from ${name})
       where complaint is not null limit ?`,
    )
    .all(limit);
  const strays = connection
    .prepare<{ row: string; parent: string }, [string, number]>(
      `select ${row} as row, stray.parent as parent from pragma_foreign_key_check(?) stray
       join ${name} on ${name}.rowid = stray.rowid limit ?`,
    )
    .all(table.name, limit - wrongValues.length)
    .map(({ parent, ...stray }) => ({ ...stray, complaint: `refers to a row of ${parent} that is not there` }));
  return [...wrongValues, ...strays].map((found) => ({ table: table.name, ...found }));
}

async function open(path: string, options: { readonly: true } | { readwrite: true }): Promise<Connection> {
  if ((await fileAt(path))?.isFile() !== true) throw absentDatabase(path);
  const connection = new Connection(path, { strict: true, ...options });
  connection.run(`pragma busy_timeout = ${lockWaitMs}`);
  return connection;
}

/** Runs `act`, and throws errors of SQLite in plain words. */
function inWords<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw translate(path, error);
  }
}

const sideOf = (connection: Connection, path: string): CopySide => ({
  location: path,
  tables: async () => inWords(path, () => readTables(connection)),
  async count({ name }) {
    const sql = `select count(*) as rows from ${quoted(name)}`;
    return connection.prepare<{ rows: number }, []>(sql).get()?.rows ?? 0;
  },
  pages: (table) => readPages(connection, table),
  [Symbol.asyncDispose]: async () => connection.close(),
});

export async function openSqliteSource(path: string): Promise<CopySource> {
  const connection = await open(path, { readonly: true });
  const version = (): number =>
    connection.prepare<{ data_version: number }, []>("pragma data_version").get()?.data_version ?? 0;
  const look = () => connection.prepare("select count(*) from sqlite_schema").get();
  // The first read takes the snapshot. The version remains that of the snapshot until the transaction has ended.
  inWords(path, () => {
    connection.run("begin");
    look();
  });
  const atFirst = version();
  return {
    ...sideOf(connection, path),
    flaws: async (table, limit) => findFlaws(connection, table, limit),
    async wasWritten() {
      connection.run("commit");
      look();
      return version() !== atFirst;
    },
  };
}

export async function openSqliteTarget(path: string): Promise<CopyTarget> {
  const connection = await open(path, { readwrite: true });
  const triggers: string[] = [];
  inWords(path, () => {
    connection.run("pragma synchronous = full");
    connection.run("pragma foreign_keys = on");
    connection.run("begin immediate");
  });
  return {
    ...sideOf(connection, path),

    async hold(tables) {
      const names = new Set(tables.map(({ name }) => name));
      const found = connection
        .prepare<{ name: string; table: string; sql: string }, []>(
          `select name, tbl_name as "table", sql from sqlite_schema where type = 'trigger'`,
        )
        .all()
        .filter(({ table }) => names.has(table));
      for (const { name, sql } of found) {
        triggers.push(sql);
        connection.run(`drop trigger ${quoted(name)}`);
      }
    },

    async clear({ name }) {
      connection.run(`delete from ${quoted(name)}`);
    },

    async write(table, rows) {
      const places = table.columns.map(() => "?").join(", ");
      const insert = connection.prepare<never, SqlValue[]>(
        `insert into ${quoted(table.name)} (${columnList(table)}) values (${places})`,
      );
      inWords(path, () => rows.forEach((row) => insert.run(...row)));
    },

    async commit() {
      for (const sql of triggers) connection.run(sql);
      inWords(path, () => connection.run("commit"));
    },
  };
}
