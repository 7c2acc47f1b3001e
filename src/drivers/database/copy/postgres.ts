import { readPostgresUrl } from "../../../core/address/postgres.url.ts";
import { DatabaseUnavailable } from "../index.ts";
import { applicationName } from "../postgres/client.ts";
import { postgresDriver } from "../postgres/driver.ts";
import { openSession, type Session } from "./postgres.session.ts";
import {
  columnList,
  inUse,
  quoted,
  type Column,
  type CopySide,
  type CopySource,
  type CopyTarget,
  type Flaw,
  type Page,
  type Table,
} from "./side.ts";

/** The memory in which the server sorts what becomes an index: four times its default. */
const sortingMemory = "256MB";

const kinds: Readonly<Record<string, Column["kind"]>> = { text: "text", bigint: "integer", integer: "integer" };

/** Parts of a table are read and written as one: they have the key, which is the same in each. */
const isTable = "t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p') and not t.relispartition";

/** One row for each column: its place in the primary key or null, its table, its name and its type. */
const columnsOfTables = `
  select array_position(i.key, c.attname), t.relname, c.attname, format_type(c.atttypid, c.atttypmod)
  from pg_class t
  join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
  left join lateral (
    select array_agg(k.attname order by array_position(x.indkey::int2[], k.attnum)) as key from pg_index x
    join pg_attribute k on k.attrelid = x.indrelid and k.attnum = any(x.indkey)
    where x.indisprimary and x.indrelid = coalesce((select min(h.inhrelid::oid) from pg_inherits h where h.inhparent = t.oid), t.oid)
  ) i on true
  where ${isTable}
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

/** The order of texts in the database: by their bytes as everywhere else, unless another was chosen when it was made. */
const orderOfTexts = "select ('Z' < 'a' and 'a b' < 'a!' and '~' < 'é')::integer";

/** Sorts texts by their bytes. The index of the primary key gives that order only where it is the database's own. */
async function byKey(session: Session, { key, columns }: Table): Promise<string> {
  const [[isByBytes] = []] = await session.run(orderOfTexts);
  return key
    .map((name) => {
      const isText = columns.some((column) => column.name === name && column.kind === "text");
      return isText && isByBytes !== 1 ? `${quoted(name)} collate "C"` : quoted(name);
    })
    .join(", ");
}

const lineEnd = 10;

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) lines += 1;
  return lines;
}

async function* readPages(session: Session, table: Table): AsyncGenerator<Page> {
  const order = await byKey(session, table);
  const rows = `select ${columnList(table)} from ${quoted(table.name)} order by ${order}`;
  for await (const lines of session.read(`copy (${rows}) to stdout`)) yield { lines, rows: linesIn(lines) };
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

/** Other connections of Gatehouse to this database: where they come from, and how many. Those of other programs may only look. */
const othersOfGatehouse = `
  select coalesce(host(client_addr), 'this host'), count(*) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and application_name = '${applicationName}'
  group by 1 order by 1`;
/** A server takes a moment to notice that a connection was closed. */
const goneWithinMs = 5_000;
const lookEveryMs = 50;

function isPooled(url: string): boolean {
  const address = readPostgresUrl(url);
  return typeof address !== "string" && address.pooler;
}
const hidden = (location: string): string =>
  `${location} stands behind a pooler, which keeps connections whose processes are gone: copy from the server itself, by a URL ` +
  "without pooler=true that --from names";

async function refuseUse(session: Session, location: string): Promise<void> {
  for (const began = performance.now(); ; await Bun.sleep(lookEveryMs)) {
    const others = await session.run(othersOfGatehouse);
    if (others.length === 0) return;
    if (performance.now() - began < goneWithinMs) continue;
    throw inUse(location, `connections from ${others.map(([host, count]) => `${host} (${count})`).join(", ")}: `);
  }
}

export async function openPostgresSource(url: string): Promise<CopySource> {
  const session = await open(url);
  const side = sideOf(session, url);
  try {
    if (isPooled(url)) throw new DatabaseUnavailable(hidden(side.location));
    await refuseUse(session, side.location);
  } catch (error) {
    await session.close();
    throw error;
  }
  return {
    ...side,
    async tables() {
      const tables = await readTables(session);
      // Other processes may read but not write until the copy is done, so that all that is read is of one moment.
      if (tables.length > 0) await lock(session, tables, "share");
      return tables;
    },
    flaws: (table, limit) => findFlaws(session, table, limit),
  };
}

/**
 * Each returns how a thing is made, and how it is taken off: an index of a part together with that of its whole table, to which it is then attached.
 * A primary key stays: it gives the order in which rows are compared.
 */
const stripped = {
  references: `
    select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)),
      format('alter table %s drop constraint %I', conrelid::regclass, conname)
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by conrelid, conname`,
  indexes: `
    select pg_get_indexdef(i.indexrelid), format('drop index %s', i.indexrelid::regclass)
    from pg_index i join pg_class t on t.oid = i.indrelid
    where ${isTable}
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype <> 'f')
    order by i.indrelid, i.indexrelid`,
  indexesOfParts: `
    select pg_get_indexdef(h.inhrelid), format('alter index %s attach partition %s', h.inhparent::regclass, h.inhrelid::regclass)
    from pg_inherits h join pg_class i on i.oid = h.inhrelid
    where i.relnamespace = current_schema()::regnamespace and i.relkind = 'i' order by h.inhrelid`,
};

export async function openPostgresTarget(url: string): Promise<CopyTarget> {
  const session = await open(url);
  const put: string[] = [];
  const eachTable = async (tables: readonly Table[], statement: (name: string) => string): Promise<void> => {
    for (const { name } of tables) await session.run(statement(quoted(name)));
  };
  return {
    ...sideOf(session, url),

    hold: (tables) => lock(session, tables, "exclusive"),

    async strip(tables) {
      // The owner of a table may do this without being a superuser.
      await eachTable(tables, (name) => `alter table ${name} disable trigger user`);
      const references = await session.run(stripped.references);
      const indexes = await session.run(stripped.indexes);
      const ofParts = await session.run(stripped.indexesOfParts);
      for (const [, off] of [...references, ...indexes]) await session.run(String(off));
      const made = [...indexes.map(([on]) => on), ...ofParts.flat(), ...references.map(([on]) => on)];
      put.push(...made.map(String));
    },

    clear: async ({ name }) => void (await session.run(`delete from ${quoted(name)}`)),
    write: (table, { lines }) => session.write(`copy ${quoted(table.name)} (${columnList(table)}) from stdin`, lines),

    async dress(tables, onStep) {
      await session.run(`set local maintenance_work_mem = '${sortingMemory}'`);
      for (const [done, statement] of put.entries()) {
        onStep(done, put.length);
        await session.work(statement);
      }
      await eachTable(tables, (name) => `alter table ${name} enable trigger user`);
      // Without statistics the first queries are planned as if the tables were small.
      for (const { name } of tables) await session.work(`analyze ${quoted(name)}`);
    },

    commit: async () => void (await session.run("commit")),
  };
}
