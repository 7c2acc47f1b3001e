import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { migrations } from "../../migrations/index.ts";
import { createAuditRepository } from "../../src/audit/audit.repository.ts";
import { createMonths } from "../../src/audit/months.ts";
import { createPrune } from "../../src/audit/prune.ts";
import { day, type Millis, systemClock } from "../../src/core/clock.ts";
import type { OpenedDatabase } from "../../src/drivers/database/index.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { createLog } from "../../src/observe/log.ts";
import { agesOf, keptAlike } from "../support/ages.ts";
import { eventually } from "../support/log.ts";
import { type Postgres, postgresMissing, startPostgres } from "../support/postgres.ts";
import { createOpener } from "./database.postgres.ts";

const now = Date.UTC(2026, 5, 15);
const month = (months: number): Millis => Date.UTC(2026, 5 + months, 1);
const log = createLog({ format: "json", level: "error", clock: { now: () => now } });
/** As the release before this one deletes. */
const earlierPrune = (before: Millis) => [
  { sql: "update audit_retention set prune_before = $before", params: { before } },
  {
    sql: "delete from audit_events where id in (select id from audit_events where 1 = 1 and at < $before limit $limit)",
    params: { before, limit: 100 },
  },
  { sql: "update audit_retention set prune_before = 0" },
];

describe.skipIf(postgresMissing !== undefined)(
  `D-83 the audit log by months on PostgreSQL (${postgresMissing ?? "real"})`,
  () => {
    let server: Postgres;
    const opener = createOpener();
    beforeAll(async () => {
      server = await startPostgres();
      const { url } = await server.createDatabase({ name: "earlier" });
      const { database } = opener.useWhole(url, { patient: true });
      await migratorOf(database, lastBefore).up();
      await opener.closeAll();
      const whole = await server.createDatabase({ name: "whole", template: "earlier" });
      await migratorOf(opener.useWhole(whole.url, { patient: true }).database).up();
      await opener.closeAll();
    }, 60_000);
    afterAll(async () => {
      await opener.closeAll();
      await server?.stop();
    });

    const lastBefore = "0045_sessions_in_place";
    const migratorOf = (database: OpenedDatabase["database"], last = "9") =>
      createMigrator({ database, migrations: migrations.filter(({ id }) => id <= last), clock: systemClock });

    async function begin(template = "whole") {
      const { url } = await server.createDatabase({ template });
      const { database, partitions } = opener.useWhole(url, { patient: true });
      const rows = createAuditRepository(database, { name: "app" });
      const months = createMonths(partitions, log);
      return {
        url,
        database,
        partitions,
        months,
        /** Writes a row that happened at each of these times. */
        async add(...times: readonly Millis[]): Promise<void> {
          for (const at of times)
            await database.run(
              `insert into audit_events (id, at, app, action, outcome, actor, count) values ($id, $at, 'app', 'auth.logged-in', 'success', 'user', 1)`,
              { id: Bun.randomUUIDv7(), at },
            );
        },
        /** Writes so many rows that a look at them takes a while, a second apart before `until`. */
        fill: (count: number, until: Millis) =>
          database.run(
            `insert into audit_events (id, at, app, action, outcome, actor, user_agent, count)
             select gen_random_uuid(), $until - i * 1000, 'app', 'auth.logged-in', 'success', 'user', repeat('x', 200), 1
             from generate_series(1, $count::bigint) i`,
            { count, until },
          ),
        times: async () => (await rows.list({}, 10_000)).map(({ at }) => at).toReversed(),
        bounds: async () => (await partitions.list("audit_events")).map(({ from, until }) => [from, until]),
        counted: async () =>
          (await database.all<{ n: number }>("select coalesce(sum(events), 0)::bigint as n from audit_hours"))[0]?.n,
        prune: (at: Millis, keptMs: number) =>
          createPrune({ rows, months, retentionMs: keptAlike(keptMs), ages: agesOf({ now: () => at }), log }).run(
            new AbortController().signal,
          ),
      };
    }

    test("months are made ahead, once, whoever does it, and rows of any time have a place", async () => {
      const { months, add, times, bounds, partitions, counted } = await begin();
      expect(await bounds()).toEqual([[-Infinity, Infinity]]);
      const all = [0, now - 900 * day, now, month(1), month(2) + 1, month(3), month(40)];
      await add(...all);
      await Promise.all([1, 2, 3].map(() => months.makeAhead(now)));
      await months.makeAhead(now + day);
      expect(await bounds()).toEqual([
        [-Infinity, month(2)],
        [month(2), month(3)],
        [month(3), Infinity],
      ]);
      await months.makeAhead(month(1) + day);
      expect((await partitions.list("audit_events")).map(({ name }) => name)).toEqual([
        "audit_events_first",
        "audit_events_2026_08",
        "audit_events_2026_09",
        "audit_events_2026_10",
      ]);
      expect(await times()).toEqual(all);
      await add(0, month(41));
      expect(await counted()).toBe(all.length + 2);
    });

    test("a large part is divided while others write: no row is refused, lost or counted twice", async () => {
      const { months, add, fill, bounds, database, counted } = await begin();
      await fill(60_000, now);
      await add(month(2) + 5, month(9));
      let isDone = false;
      let slowestMs = 0;
      let written = 60_002;
      const writers = Array.from({ length: 4 }, async () => {
        while (!isDone) {
          const since = performance.now();
          await add(now);
          written += 1;
          slowestMs = Math.max(slowestMs, performance.now() - since);
        }
      });
      await months.makeAhead(now);
      isDone = true;
      await Promise.all(writers);
      expect(await bounds()).toEqual([
        [-Infinity, month(2)],
        [month(2), month(3)],
        [month(3), Infinity],
      ]);
      expect(await database.all("select count(*) as n from audit_events")).toEqual([{ n: written }]);
      expect(await counted()).toBe(written);
      expect(await database.all("select conname from pg_constraint where conname like '%divided'")).toEqual([]);
      expect(await database.all("select relname from pg_class where relname like '%held'")).toEqual([]);
      expect(slowestMs).toBeLessThan(3_000);
    }, 60_000);

    test("D-83 a large part that could not be divided takes rows of any time again, and has those that were set aside", async () => {
      const { url, months, add, fill, times, bounds, database, counted } = await begin();
      await fill(30_000, now);
      await add(month(5), month(9));
      await using other = new SQL(url, { max: 1 });
      await other.unsafe("begin; lock table only audit_events in access share mode").simple();
      const making = months.makeAhead(now);
      const held = "select relname from pg_class where relname = 'audit_events_held'";
      await eventually("rows are set aside", async () => (await other.unsafe<object[]>(held)).length > 0);
      for (const change of [
        "update audit_events_held set reason = 'x'",
        "delete from audit_events_held",
        "truncate audit_events_held",
      ])
        await expect(database.run(change)).rejects.toThrow("P0001");
      await making;
      expect(await bounds()).toEqual([[-Infinity, Infinity]]);
      await add(month(6));
      expect((await times()).slice(-3)).toEqual([month(5), month(6), month(9)]);
      expect(await other.unsafe(held)).toHaveLength(0);
      await other.unsafe("commit").simple();
      await months.makeAhead(now);
      expect(await bounds()).toHaveLength(3);
      expect([(await times()).slice(-3), await counted()]).toEqual([[month(5), month(6), month(9)], 30_003]);
    }, 60_000);

    test("whoever is killed before a large part is divided leaves a log that is divided the next time", async () => {
      const { url, months, add, fill, times, bounds, database } = await begin();
      await fill(30_000, now);
      await add(month(5));
      await using other = new SQL(url, { max: 1 });
      // The part can be looked at, and the table not be changed.
      await other.unsafe("begin; lock table only audit_events in access share mode").simple();
      const making = months.makeAhead(now);
      const proved = "select 1 as found from pg_constraint where conname = 'audit_events_first_divided'";
      await eventually("the end is being proven", async () => {
        const [found] = await other.unsafe(proved);
        if (found === undefined) return false;
        await other.unsafe(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
        );
        return true;
      });
      await other.unsafe("commit").simple();
      await making;
      await months.makeAhead(now);
      expect(await bounds()).toHaveLength(3);
      expect((await times()).at(-1)).toBe(month(5));
      expect(await database.all("select count(*) as n from audit_events")).toEqual([{ n: 30_001 }]);
      expect(await database.all("select conname from pg_constraint where conname like '%divided'")).toEqual([]);
    }, 60_000);

    test("months that are over go as a whole, at the hour that was promised, and a late row of theirs still has a place", async () => {
      const { months, add, fill, times, bounds, prune, partitions, counted } = await begin();
      await months.makeAhead(now);
      await months.makeAhead(month(1));
      await months.makeAhead(month(2));
      await fill(20_000, month(1));
      const [early, later] = [month(1) + day, month(2) + day];
      await add(early, later, month(3) + day);
      await prune(early + 30 * day, 30 * day);
      expect((await times()).slice(0, 2)).toEqual([early, later]);
      await prune(early + 30 * day + 1, 30 * day);
      expect(await times()).toEqual([later, month(3) + day]);
      await prune(month(3) + 30 * day, 30 * day);
      expect(await times()).toEqual([month(3) + day]);
      expect((await bounds())[0]).toEqual([-Infinity, month(3)]);
      await add(month(1));
      await prune(month(3) + 30 * day, 30 * day);
      expect(await times()).toEqual([month(3) + day]);
      expect((await partitions.list("audit_events")).map(({ name }) => name)).toContain("audit_events_first");
      expect(await counted()).toBe(20_004);
    });

    test("each part refuses changes, and lets an earlier release prune it", async () => {
      const { months, add, times, database } = await begin();
      await add(now - 500 * day, now, month(2), month(3));
      await months.makeAhead(now);
      for (const table of ["audit_events", "audit_events_first", "audit_events_2026_08", "audit_events_2026_09"])
        for (const sql of [`update ${table} set reason = 'x'`, `delete from ${table}`, `truncate ${table}`])
          await expect(database.run(sql)).rejects.toThrow("P0001");
      expect(await database.batch(earlierPrune(month(2) + 1))).toMatchObject({ applied: true });
      expect(await times()).toEqual([month(3)]);
    });

    test("a clock that was wrong makes a few parts, and months are made again once it is right", async () => {
      const { months, add, times, bounds, prune } = await begin();
      await months.makeAhead(now);
      await months.makeAhead(month(300));
      await months.makeAhead(now - 4_000 * day);
      await add(now);
      await months.makeAhead(now);
      expect(await bounds()).toHaveLength(7);
      await months.makeAhead(month(2));
      expect(await bounds()).toContainEqual([month(3), month(4)]);
      await prune(month(2), 60 * day);
      expect(await times()).toEqual([now]);
    });

    test("whoever reads for long delays a drop and nobody else", async () => {
      const { url, months, add, times, prune } = await begin();
      await months.makeAhead(now);
      await months.makeAhead(month(1));
      await months.makeAhead(month(2));
      await add(now, month(1), month(2), month(5));
      await using other = new SQL(url, { max: 1 });
      await other.unsafe("begin; select count(*) from audit_events").simple();
      let isDone = false;
      let slowestMs = 0;
      const writer = (async () => {
        while (!isDone) {
          const since = performance.now();
          await add(month(5));
          slowestMs = Math.max(slowestMs, performance.now() - since);
        }
      })();
      await prune(month(5), 30 * day);
      isDone = true;
      await writer;
      expect((await times())[0]).toBe(month(5));
      expect(slowestMs).toBeLessThan(1_000);
      await other.unsafe("commit").simple();
    }, 60_000);

    test("a log that is there becomes the first part, with its owner, its rights and its indexes, and one table again when it goes back", async () => {
      const { url, database, months, add, times } = await begin("earlier");
      await database.run("create role reader_of_log");
      await database.run("grant select on audit_events to reader_of_log");
      await add(0, now, month(2));
      const described = (): Promise<readonly unknown[]> =>
        database.all(
          `select pg_get_indexdef(indexrelid) as made from pg_index where indrelid = 'audit_events'::regclass
           union all select tgname || ' ' || tgtype || ' ' || tgenabled::text from pg_trigger where not tgisinternal and tgrelid = 'audit_events'::regclass
           union all select relowner::regrole || ' ' || relacl::text from pg_class where oid = 'audit_events'::regclass order by 1`,
        );
      const before = await described();
      await using other = new SQL(url, { max: 1 });
      const [file] = await other.unsafe("select pg_relation_filenode('audit_events') as node");
      await migratorOf(database).up({ step: 1 });
      expect(await other.unsafe("select pg_relation_filenode('audit_events_first') as node")).toContainEqual(file);
      await other.unsafe("analyze audit_events");
      const index = "-- additive\ncreate index audit_events_request on audit_events (request_id);";
      const further = [...migrations, { id: "9000_further", up: index, down: "" }];
      const told = await createMigrator({ database, migrations: further, clock: systemClock }).forecast();
      expect(told.tables).toEqual([{ table: "audit_events", rows: 3 }]);
      await add(month(3));
      await months.makeAhead(now);
      expect(await times()).toEqual([0, now, month(2), month(3)]);
      await migratorOf(database).down({ step: 1 });
      expect(await times()).toEqual([0, now, month(2), month(3)]);
      expect(await described()).toEqual(before);
      await migratorOf(database).up();
      await months.makeAhead(now);
      await expect(database.run("delete from audit_events")).rejects.toThrow("P0001");
    });
  },
);
