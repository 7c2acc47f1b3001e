import { Database as Connection, type Statement } from "bun:sqlite";
import { absentDatabase, DatabaseUnavailable, type SqlValue } from "../index.ts";
import { isBusy, translate } from "../sqlite/errors.ts";
import { fileAt } from "../sqlite/files.ts";
import {
  columnList,
  inUse,
  pageOf,
  pageRows,
  quoted,
  rowsOf,
  type Column,
  type CopySide,
  type CopySource,
  type CopyTarget,
  type Flaw,
  type Page,
  type Row,
  type Table,
} from "./side.ts";

const lockWaitMs = 5_000;
const cacheKib = 64 * 1024;

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  /** The column's place in the primary key, from 1; 0 for a column that is not part of the key. */
  readonly pk: number;
}

const kinds: Readonly<Record<string, Column["kind"]>> = { text: "text", bigint: "integer", integer: "integer" };

/** Returns the rows of a statement and gives it up: a connection, and its lock with it, goes with the last of its statements. */
function rowsOnce<Found, Params extends SqlValue[]>(
  statement: Statement<Found, Params>,
  ...params: Params
): readonly Found[] {
  using once = statement;
  return once.all(...params);
}

function readTable(connection: Connection, name: string): Table {
  const described = "select name, type, pk from pragma_table_info(?) order by name";
  const info = rowsOnce(connection.prepare<ColumnInfo, [string]>(described), name);
  const listed = 'select distinct "table" from pragma_foreign_key_list(?)';
  const references = rowsOnce(connection.prepare<{ table: string }, [string]>(listed), name);
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
  return rowsOnce(connection.prepare<{ name: string }, []>(sql)).map(({ name }) => readTable(connection, name));
}

/** Reads pages by key. The whole read is one transaction, so that all pages are of one moment. */
async function* readPages(connection: Connection, table: Table): AsyncGenerator<Page> {
  const keys = table.key.map(quoted).join(", ");
  const select = `select ${columnList(table)} from ${quoted(table.name)}`;
  const order = `order by ${keys} limit ${pageRows}`;
  using first = connection.prepare<never, []>(`${select} ${order}`);
  const places = table.key.map(() => "?").join(", ");
  using next = connection.prepare<never, SqlValue[]>(`${select} where (${keys}) > (${places}) ${order}`);
  const positions = table.key.map((name) => table.columns.findIndex((column) => column.name === name));
  let rows: readonly Row[] = first.values().map(asRow);
  while (rows.length > 0) {
    yield pageOf(rows);
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
  const wrongValues = rowsOnce(
    connection.prepare<{ row: string; complaint: string }, [number]>(
      `select row, complaint from (select ${row} as row, case ${cases} end as complaint from ${name})
       where complaint is not null limit ?`,
    ),
    limit,
  );
  const strays = rowsOnce(
    connection.prepare<{ row: string; parent: string }, [string, number]>(
      `select ${row} as row, stray.parent as parent from pragma_foreign_key_check(?) stray
       join ${name} on ${name}.rowid = stray.rowid limit ?`,
    ),
    table.name,
    limit - wrongValues.length,
  ).map(({ parent, ...stray }) => ({ ...stray, complaint: `refers to a row of ${parent} that is not there` }));
  return [...wrongValues, ...strays].map((found) => ({ table: table.name, ...found }));
}

async function open(path: string): Promise<Connection> {
  if ((await fileAt(path))?.isFile() !== true) throw absentDatabase(path);
  const connection = new Connection(path, { strict: true, readwrite: true });
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
    return rowsOnce(connection.prepare<{ rows: number }, []>(sql))[0]?.rows ?? 0;
  },
  pages: (table) => readPages(connection, table),
  [Symbol.asyncDispose]: async () => connection.close(true),
});

/**
 * Holds the file's exclusive lock: a process that has the database open, idle or not, holds a share of it. Until the copy is done no other
 * process can open the file.
 */
export async function openSqliteSource(path: string): Promise<CopySource> {
  const connection = await open(path);
  try {
    connection.run("pragma locking_mode = exclusive");
    connection.run("begin exclusive");
  } catch (error) {
    connection.close();
    throw isBusy(error) ? inUse(path, "", error) : translate(path, error);
  }
  return {
    ...sideOf(connection, path),
    flaws: async (table, limit) => findFlaws(connection, table, limit),
  };
}

/** The statement that makes an index or a trigger again. */
interface Part {
  readonly type: "index" | "trigger";
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

export async function openSqliteTarget(path: string): Promise<CopyTarget> {
  const connection = await open(path);
  const put: string[] = [];
  inWords(path, () => {
    connection.run("pragma synchronous = full");
    connection.run(`pragma cache_size = -${cacheKib}`);
    // All references are checked together, once all rows are there.
    connection.run("pragma foreign_keys = off");
    connection.run("begin immediate");
  });
  return {
    ...sideOf(connection, path),
    hold: async () => undefined,

    async strip(tables) {
      const names = new Set(tables.map(({ name }) => name));
      const made = `select type, name, tbl_name as "table", sql from sqlite_schema
        where type in ('index', 'trigger') and sql is not null order by type, rowid`;
      const found = rowsOnce(connection.prepare<Part, []>(made)).filter(({ table }) => names.has(table));
      for (const { type, name } of found) connection.run(`drop ${type} ${quoted(name)}`);
      put.push(...found.map(({ sql }) => sql));
    },

    async clear({ name }) {
      connection.run(`delete from ${quoted(name)}`);
    },

    async write(table, page) {
      const places = table.columns.map(() => "?").join(", ");
      using insert = connection.prepare<never, SqlValue[]>(
        `insert into ${quoted(table.name)} (${columnList(table)}) values (${places})`,
      );
      inWords(path, () => {
        for (const row of rowsOf(page, table)) insert.run(...row);
      });
    },

    async dress(_tables, onStep) {
      for (const [done, sql] of put.entries()) {
        onStep(done, put.length);
        inWords(path, () => connection.run(sql));
      }
      const [stray] = rowsOnce(connection.prepare<{ table: string; parent: string }, []>("pragma foreign_key_check"));
      if (stray === undefined) return;
      throw new DatabaseUnavailable(
        `${path}: a row of ${stray.table} refers to a row of ${stray.parent} that is not there. Nothing was copied`,
      );
    },

    commit: async () => void inWords(path, () => connection.run("commit")),
  };
}
