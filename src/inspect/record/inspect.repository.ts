import {
  computed,
  sql,
  tableOf,
  type Database,
  type DatabaseReader,
  type RowOf,
  type SqlValue,
  type Statement,
} from "../../drivers/database/index.ts";

/** A whole row of `inspects`: the columns that the list filters by, and the whole of it as JSON. */
interface StoredInspect {
  /** A UUIDv7 made of the time at which the inspect started, so that ids sort by it. */
  readonly id: string;
  readonly traceId: string;
  readonly source: string;
  readonly name: string;
  readonly status: string;
  readonly failed: 0 | 1;
  readonly durationMs: number;
  readonly bytes: number;
  readonly body: string;
}

const stored = tableOf<StoredInspect>("inspects", {
  id: "id",
  traceId: "trace_id",
  source: "source",
  name: "name",
  status: "status",
  failed: "failed",
  durationMs: "duration_ms",
  bytes: "bytes",
  body: "body",
});

export interface InspectRow extends Omit<StoredInspect, "bytes"> {
  /** The accounts that it is about. */
  readonly userIds: readonly string[];
}

export interface Bounds {
  readonly maxTotal: number;
  readonly maxBytes: number;
}

export interface Page {
  readonly source?: string | undefined;
  /** One status, or a class of HTTP statuses: `4xx`. */
  readonly status?: string | undefined;
  readonly failed?: boolean | undefined;
  readonly minDurationMs?: number | undefined;
  readonly traceId?: string | undefined;
  readonly userId?: string | undefined;
  /** The id of an inspect; only inspects that started before it are read. */
  readonly before?: string | undefined;
  readonly limit: number;
}

// The file outlives a release and has no migrations: a release that needs other tables gives them another name. A release leaves tables
// that it does not know as they are, except for the effects of triggers.
// Triggers keep the totals that the bounds are held against: counting would read the whole table at each write.
const schema = [
  `create table if not exists inspects (
     id text primary key, trace_id text not null, source text not null, name text not null, status text not null,
     failed integer not null, duration_ms real not null, bytes integer not null, body text not null) strict`,
  `create index if not exists inspects_by_trace on inspects (trace_id)`,
  `create index if not exists inspects_by_outcome on inspects (failed, id)`,
  `create index if not exists inspects_by_size on inspects (id, bytes)`,
  `create table if not exists inspect_users
     (user_id text not null, inspect_id text not null, primary key (user_id, inspect_id)) strict, without rowid`,
  `create index if not exists inspect_users_by_inspect on inspect_users (inspect_id)`,
  `create trigger if not exists inspect_users_removed after delete on inspects begin
     delete from inspect_users where inspect_id = old.id;
   end`,
  `create table if not exists inspect_totals
     (failed integer primary key, records integer not null, bytes integer not null) strict`,
  `insert into inspect_totals (failed, records, bytes) values (0, 0, 0), (1, 0, 0) on conflict (failed) do nothing`,
  `create trigger if not exists inspects_added after insert on inspects begin
     update inspect_totals set records = records + 1, bytes = bytes + new.bytes where failed = new.failed;
   end`,
  `create trigger if not exists inspects_removed after delete on inspects begin
     update inspect_totals set records = records - 1, bytes = bytes - old.bytes where failed = old.failed;
   end`,
];

const inserted = stored.insert();
const insertSql = `insert into ${inserted.into} values (${inserted.values}) on conflict (id) do nothing`;

const insertUserSql = "insert into inspect_users (user_id, inspect_id) values ($userId, $id) on conflict do nothing";

// Successful inspects give way to failed ones, down to half of the room: successes come by the thousand.
const removeFineSql = `delete from inspects where id in (
  select id from inspects where failed = 0 order by id limit max(0, min(
    (select sum(records) - $maxTotal from inspect_totals),
    (select records - $maxTotal / 2 from inspect_totals where failed = 0))))`;
const removeOldestSql = `delete from inspects where id in (
  select id from inspects order by id limit max(0, (select sum(records) - $maxTotal from inspect_totals)))`;
const totals = computed<{ records: number; bytes: number }>({ records: "sum(records)", bytes: "sum(bytes)" });
type Totals = RowOf<typeof totals>;
/** Down to nine tenths of the bound, so that not every write has to remove something. */
const removeHeaviestSql = `delete from inspects where id in (
  select id from (select id, sum(bytes) over (order by id desc) as kept from inspects) where kept > $maxBytes * 0.9)`;

const body = stored.pick("body");
const found = {
  byId: sql`select ${body} from inspects where id = $id`,
  first: sql`select ${body} from inspects where trace_id = $traceId order by id limit 1`,
  tables: sql`select ${computed<{ name: string }>({ name: "name" })} from sqlite_schema where type = 'table'`,
  totals: sql`select ${totals} from inspect_totals`,
};

/** Reads the tables of inspects, of this app or of the other one. */
export const createInspectReads = (db: Pick<DatabaseReader, "get" | "all">) => ({
  /** Reads inspects, newest first. */
  async page(page: Page): Promise<readonly { readonly id: string; readonly body: string }[]> {
    const { source, status, failed, minDurationMs, traceId, userId, before, limit } = page;
    const conditions: string[] = [];
    const params: Record<string, SqlValue> = { limit };
    const where = (condition: string, name: string, value: SqlValue | undefined): void => {
      if (value === undefined) return;
      conditions.push(condition);
      params[name] = value;
    };
    const isClass = status !== undefined && /^[1-5]xx$/.test(status);
    where("source = $source", "source", source);
    where(
      isClass ? "source = 'http' and status like $status" : "status = $status",
      "status",
      status?.replace("xx", "%"),
    );
    where("failed = $failed", "failed", failed === undefined ? undefined : Number(failed));
    where("duration_ms >= $minDurationMs", "minDurationMs", minDurationMs);
    where("trace_id = $traceId", "traceId", traceId);
    where("user_id = $userId", "userId", userId);
    const id = userId === undefined ? "id" : "inspect_id";
    where(`${id} < $before`, "before", before);
    const filter = conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
    const from = userId === undefined ? "inspects" : "inspect_users cross join inspects on id = inspect_id";
    return db.all(
      sql`select ${stored.pick("id", "body")} from ${from} ${filter} order by ${id} desc limit $limit`,
      params,
    );
  },

  find: async (id: string): Promise<string | undefined> => (await db.get(found.byId, { id }))?.body,

  /** The first inspect of a trace, which the others follow from. */
  findFirst: async (traceId: string): Promise<string | undefined> => (await db.get(found.first, { traceId }))?.body,

  /** Whether this release knows the tables; undefined where the file has no tables yet. */
  async isKnown(): Promise<boolean | undefined> {
    const tables = await db.all(found.tables);
    if (tables.length === 0) return undefined;
    const names = new Set(tables.map(({ name }) => name));
    return ["inspects", "inspect_users"].every((name) => names.has(name));
  },
});

export type InspectReads = ReturnType<typeof createInspectReads>;

export const createInspectRepository = (db: Database) => ({
  ...createInspectReads(db),

  async prepare(): Promise<void> {
    await db.batch(
      schema.map((sql) => ({ sql })),
      { durable: false },
    );
  },

  /** Adds inspects, then removes the oldest beyond the bounds. */
  async add(rows: readonly InspectRow[], { maxTotal, maxBytes }: Bounds): Promise<void> {
    const inserts = rows.flatMap(({ userIds, ...row }): Statement[] => [
      { sql: insertSql, params: inserted.params({ ...row, bytes: Buffer.byteLength(row.body) }) },
      ...userIds.map((userId) => ({ sql: insertUserSql, params: { userId, id: row.id } })),
    ]);
    await db.batch(
      [...inserts, { sql: removeFineSql, params: { maxTotal } }, { sql: removeOldestSql, params: { maxTotal } }],
      { durable: false },
    );
    const sums = await db.get(found.totals);
    if (sums !== undefined && sums.bytes > maxBytes) await db.run(removeHeaviestSql, { maxBytes }, { durable: false });
  },

  async totals(): Promise<Totals> {
    return (await db.get(found.totals)) ?? { records: 0, bytes: 0 };
  },
});

export type InspectRepository = ReturnType<typeof createInspectRepository>;
