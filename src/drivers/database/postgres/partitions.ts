import type { SQL } from "bun";
import type { PostgresAddress } from "../../../core/address/postgres.url.ts";
import { hour, second } from "../../../core/clock.ts";
import { endsWithin } from "../../../core/pace/deadline.ts";
import { DatabaseUnavailable, type PartedTable, type PartitionCapability, type TablePart } from "../index.ts";
import { createClient } from "./client.ts";
import { codeOf, translate } from "./errors.ts";

/** How long a change of parts waits for those who use the table, and how long at most all others then wait behind it. */
const lockTimeoutMs = 100;
const mostTries = 10;
const longestPauseMs = second;
const connectTimeoutMs = 10 * second;
const answerLimitMs = 6 * hour;
const closingSeconds = 1;
/** A part of this size is read in a few milliseconds: whether its rows lie within new bounds is seen while others wait. */
const smallBytes = 4 * 1024 * 1024;
/** Rows that lie behind the new end of a large part. More of them are no mistake of a clock, but show that the end is one. */
const mostStrays = 1_000;
const tooManyStrays = "P0S01";
const changedMeanwhile = "P0S02";
const behindTheEnd =
  "more rows lie behind the new end of a part of the table than a wrong clock would leave: is the clock of this host behind?";
/** Lock not available, and deadlock. */
const conflicts: ReadonlySet<string> = new Set(["55P03", "40P01"]);
/** Far more parts than a table has. */
const mostTurns = 1_000;

interface Found {
  readonly name: string;
  readonly bounds: string;
  readonly bytes: number;
  readonly rows: number;
}

interface PartitionsOptions {
  readonly address: PostgresAddress;
  /** The name of the database in messages. */
  readonly name: string;
}

interface Divided extends PartedTable {
  readonly part: TablePart;
  readonly at: number;
  readonly next: string;
}

const bound = /^FOR VALUES FROM \((?:MINVALUE|'?(-?\d+)'?)\) TO \((?:MAXVALUE|'?(-?\d+)'?)\)$/;

function toPart({ bounds, ...found }: Found): TablePart {
  const [whole, from, until] = bound.exec(bounds) ?? [];
  if (whole === undefined) throw new Error(`the part ${found.name} has bounds that are not known here: ${bounds}`);
  return {
    ...found,
    from: from === undefined ? -Infinity : Number(from),
    until: until === undefined ? Infinity : Number(until),
  };
}

const partsOf = (table: string): string =>
  `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds, pg_relation_size(c.oid)::float8 as bytes,
     greatest(c.reltuples, 0)::float8 as rows
   from pg_inherits h join pg_class c on c.oid = h.inhrelid where h.inhparent = to_regclass('${table}')`;

const beginOf = ({ from }: Pick<TablePart, "from">): string => (from === -Infinity ? "minvalue" : String(from));
const endOf = ({ until }: Pick<TablePart, "until">): string => (until === Infinity ? "maxvalue" : String(until));
const heldOf = (table: string): string => `${table}_held`;
const checkOf = ({ name }: TablePart): string => `${name}_divided`;

/** A statement that is one transaction. */
const block = (...statements: readonly string[]): string => `do $$ begin ${statements.join("; ")}; end $$`;

/** Refuses the block where another process has changed the parts since they were read. The lock keeps everybody from the table until the commit. */
const holdAs = (table: string, parts: readonly TablePart[]): readonly string[] => [
  `lock table only ${table} in access exclusive mode`,
  ...parts.map(
    (part) => `if not exists (select from (${partsOf(table)}) p where p.name = '${part.name}'
      and replace(p.bounds, '''', '') = 'FOR VALUES FROM (${beginOf(part).toUpperCase()}) TO (${endOf(part).toUpperCase()})') then
      raise exception 'another process has changed the parts' using errcode = '${changedMeanwhile}'; end if`,
  ),
];

const makePart = ({ table, finish }: PartedTable, name: string): readonly string[] => [
  `create table ${name} (like ${table} including defaults, primary key (id))`,
  finish(name),
];

const attach = ({ table }: PartedTable, name: string, from: string, until: string): string =>
  `alter table ${table} attach partition ${name} for values from (${from}) to (${until})`;

/**
 * Says of a large part that its rows lie before its new end, so that nobody has to wait while that is looked at. Rows from further in the future
 * are set aside, and put back when the part is divided.
 */
const beginProof = ({ table, column, part, at, guard }: Divided): string => {
  const behind = `${column} >= ${at}`;
  const from = part.from === -Infinity ? "" : `${column} >= ${part.from} and `;
  return block(
    `lock table only ${part.name} in access exclusive mode`,
    `if (select count(*) from (select from ${part.name} where ${behind} limit ${mostStrays + 1}) s) > ${mostStrays} then
       raise exception 'too many rows are behind the new end' using errcode = '${tooManyStrays}'; end if`,
    `alter table ${part.name} drop constraint if exists ${checkOf(part)}`,
    `if exists (select from ${part.name} where ${behind}) then
       if to_regclass('${heldOf(table)}') is null then create table ${heldOf(table)} (like ${table} including defaults); ${guard(heldOf(table))}; end if;
       alter table ${part.name} disable trigger user;
       with gone as (delete from ${part.name} where ${behind} returning *) insert into ${heldOf(table)} select * from gone;
       alter table ${part.name} enable trigger user; end if`,
    `alter table ${part.name} add constraint ${checkOf(part)} check (${from}${column} < ${at}) not valid`,
  );
};

/** Takes back what a proof has begun. Without that the part would refuse rows once its end has come, and nobody would find those that were set aside. */
const endProof = ({ table, part }: Divided): string => {
  const held = heldOf(table);
  return block(
    `lock table only ${part.name} in access exclusive mode`,
    `alter table ${part.name} drop constraint if exists ${checkOf(part)}`,
    `if to_regclass('${held}') is not null then insert into ${part.name} select * from ${held}; drop table ${held}; end if`,
  );
};

const putApart = (divided: Divided): string => {
  const { table, column, part, at, next } = divided;
  const held = heldOf(table);
  return block(
    ...holdAs(table, [part]),
    // With the part its triggers go, which would refuse to let rows move.
    `alter table ${table} detach partition ${part.name}`,
    ...makePart(divided, next),
    `with gone as (delete from ${part.name} where ${column} >= ${at} returning *) insert into ${next} select * from gone`,
    `if to_regclass('${held}') is not null then
       insert into ${next} select * from ${held} where ${column} >= ${at};
       insert into ${part.name} select * from ${held} where ${column} < ${at};
       drop table ${held}; end if`,
    attach(divided, part.name, beginOf(part), String(at)),
    attach(divided, next, String(at), endOf(part)),
    `alter table ${part.name} drop constraint if exists ${checkOf(part)}`,
  );
};

/** Drops the oldest parts. What takes their place is empty, and has the times from before the parts that are left. */
const putAway = (parted: PartedTable, gone: readonly TablePart[], first: string): string =>
  block(
    ...holdAs(parted.table, gone),
    ...gone.map(({ name }) => `drop table ${name}`),
    ...makePart(parted, first),
    attach(parted, first, "minvalue", endOf(gone.at(-1) ?? { until: Infinity })),
  );

/**
 * Changes the parts of a table on a connection of its own, since that may take longer than a request waits. Each change locks the whole table for a
 * few milliseconds. It does not wait long for that, because all others would wait behind it, but tries again.
 */
export function createPartitions({ address, name }: PartitionsOptions): PartitionCapability {
  async function connected<T>(work: (client: SQL) => Promise<T>): Promise<T> {
    const client = createClient({ address, connections: 1, statementTimeoutMs: 0, connectTimeoutMs });
    try {
      return await work(client);
    } catch (error) {
      throw codeOf(error) === tooManyStrays ? new DatabaseUnavailable(behindTheEnd) : translate(name, error);
    } finally {
      await client.close({ timeout: closingSeconds });
    }
  }

  async function ask(client: SQL, text: string): Promise<unknown> {
    const limits = `set local statement_timeout = 0; set local lock_timeout = ${lockTimeoutMs}`;
    const answer = client.unsafe(`${limits}; ${text}`).simple();
    if (await endsWithin(answer, answerLimitMs)) return answer;
    throw new DatabaseUnavailable("it does not answer");
  }

  /** Makes a change once nobody is in its way. Resolves to false where another process has changed the parts meanwhile. */
  async function change(client: SQL, text: string): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      try {
        await ask(client, text);
        return true;
      } catch (error) {
        if (codeOf(error) === changedMeanwhile) return false;
        if (!conflicts.has(codeOf(error)) || tries === mostTries) throw error;
      }
      await Bun.sleep(longestPauseMs * Math.random());
    }
  }

  async function divideLarge(client: SQL, divided: Divided): Promise<boolean> {
    await change(client, beginProof(divided));
    let isDone = false;
    try {
      // Reads the part while others write to it.
      await change(client, `alter table ${divided.part.name} validate constraint ${checkOf(divided.part)}`);
      isDone = await change(client, putApart(divided));
    } finally {
      if (!isDone) await change(client, endProof(divided));
    }
    return isDone;
  }

  const list = async (client: SQL, table: string): Promise<readonly TablePart[]> => {
    const found = await client.unsafe<Found[]>(partsOf(table));
    return found.map(toPart).toSorted((a, b) => a.until - b.until);
  };

  return {
    list: (table) => connected((client) => list(client, table)),

    divide: (parted, at, next) =>
      connected(async (client) => {
        const part = (await list(client, parted.table)).find(({ from, until }) => from < at && at < until);
        if (part === undefined) return false;
        const divided = { ...parted, part, at, next };
        return part.bytes > smallBytes ? divideLarge(client, divided) : change(client, putApart(divided));
      }),

    drop: (parted, until) =>
      connected(async (client) => {
        const dropped: TablePart[] = [];
        for (let turn = 0; turn < mostTurns; turn += 1) {
          const [first, second] = (await list(client, parted.table)).filter((part) => part.until <= until);
          if (first === undefined || (second === undefined && first.bytes <= smallBytes)) break;
          const gone = second === undefined ? [first] : [first, second];
          if (await change(client, putAway(parted, gone, `${parted.table}_first`))) dropped.push(...gone);
        }
        return dropped;
      }),
  };
}
