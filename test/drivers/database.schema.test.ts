import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { migrations } from "../../migrations/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { upkeep } from "../../src/auth/people/upkeep.repository.ts";
import { hasTable } from "../../src/drivers/database/catalogue.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";
import { sharedFolder } from "../support/folder.ts";
import { eventually } from "../support/log.ts";
import { type Postgres, postgresMissing, startPostgres } from "../support/postgres.ts";

/** Puts the tables in an order in which each comes after those that it refers to: a column may refer to a table that was made later. */
function referredFirst(made: readonly string[]): readonly string[] {
  const nameOf = (sql: string): string => /^create table "?(\w+)/i.exec(sql)?.[1] ?? "";
  const tables = new Map(made.filter((sql) => nameOf(sql) !== "").map((sql) => [nameOf(sql), sql]));
  const ordered = new Set<string>();
  const add = (name: string): void => {
    const sql = tables.get(name);
    if (sql === undefined || ordered.has(sql)) return;
    for (const [, other = ""] of sql.matchAll(/references "?(\w+)/gi)) if (other !== name) add(other);
    ordered.add(sql);
  };
  for (const name of tables.keys()) add(name);
  return [...ordered, ...made.filter((sql) => !ordered.has(sql))];
}

const migratorOf = (database: Database) => createMigrator({ database, migrations, clock: systemClock });
const ids = migrations.map(({ id }) => id);

describe.skipIf(postgresMissing !== undefined)(`migrations on Postgres (${postgresMissing ?? "real"})`, () => {
  const folder = sharedFolder();
  let server: Postgres;
  let sqlite: Database;
  let postgres: Database;
  const opened: Database[] = [];

  async function emptyDatabase(patient = true): Promise<Database> {
    const { url } = await server.createDatabase();
    return open(url, patient);
  }
  function open(url: string, patient = true): Database {
    const { database } = openDatabase({ driver: "postgres", path: "", url }, { patient });
    opened.push(database);
    return database;
  }

  beforeAll(async () => {
    server = await startPostgres();
    sqlite = createSqliteDatabase({ path: `${folder}/app.db`, name: "default" }).database;
    opened.push(sqlite);
    postgres = await emptyDatabase();
    await Promise.all([migratorOf(sqlite).up(), migratorOf(postgres).up()]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await server.stop();
  });

  /**
   * Resolves to every column, rule and index of a schema of Postgres, in the words of Postgres. A table in parts has the key that each of them
   * has, and all else the parts have as the table has it.
   */
  async function describeSchema(name: string): Promise<string[]> {
    const rows = await postgres.all<{ line: string }>(
      `select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' nullable ' || is_nullable
           || ' default ' || coalesce(column_default, 'none') as line
         from information_schema.columns join pg_class t on t.oid = (table_schema || '.' || table_name)::regclass
         where table_schema = $name and not t.relispartition
       union all
       select 'rule of ' || w.relname || ': ' || replace(pg_get_constraintdef(c.oid), $name || '.', '')
         from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
           left join pg_inherits h on h.inhrelid = t.oid join pg_class w on w.oid = coalesce(h.inhparent, t.oid)
         where n.nspname = $name
       union all
       select replace(replace(replace(pg_get_indexdef(i.indexrelid), $name || '.', ''), ' ONLY ', ' '), t.relname || '_pkey', w.relname || '_pkey')
         from pg_index i join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace
           left join pg_inherits h on h.inhrelid = t.oid join pg_class w on w.oid = coalesce(h.inhparent, t.oid)
         where n.nspname = $name and (i.indisprimary or not t.relispartition)
       order by 1`,
      { name },
    );
    return rows.map(({ line }) => line.replaceAll("audit_events_first", "audit_events"));
  }

  test("D-10 both schemas mean the same: columns, types, defaults, keys, rules and indexes", async () => {
    const made = await sqlite.all<{ sql: string }>(
      "select sql from sqlite_schema where type in ('table', 'index') and sql is not null order by rowid",
    );
    // Postgres reads the final schema of SQLite into a schema of its own, and describes both.
    const outcome = await postgres.batch([
      { sql: "create schema of_sqlite" },
      { sql: "set local search_path to of_sqlite" },
      ...referredFirst(made.map(({ sql }) => sql)).map((sql) => ({ sql })),
    ]);
    expect(outcome.applied).toBe(true);
    const described = await describeSchema("of_sqlite");
    expect(described.length).toBeGreaterThan(250);
    expect(await describeSchema("public")).toEqual(described);
    await postgres.run("drop schema of_sqlite cascade");
  });

  const auditRow = (id: string, changed: Record<string, string | number | null> = {}) => ({
    sql: `insert into audit_events (id, at, app, action, outcome, reason, actor, count)
          values ($id, $at, 'app', $action, $outcome, $reason, 'anonymous', $count)`,
    params: { id, at: 7_200_001, action: "auth.logged-in", outcome: "success", reason: null, count: 1, ...changed },
  });
  const mailRow = (id: string, state: string) => ({
    sql: `insert into mails (id, address_key, kind, app, state, attempts, count, requested_at, changed_at)
          values ($id, 'a', 'k', 'app', $state, 0, 1, 3600000, 3600000)`,
    params: { id, state },
  });

  test("D-11 the triggers count the same rows by the hour", async () => {
    const seen = await Promise.all(
      [sqlite, postgres].map(async (database) => {
        await database.batch([
          auditRow("1"),
          auditRow("2", { count: 4 }),
          auditRow("3", { at: 7_199_999 }),
          auditRow("4", { outcome: "failure", reason: "wrong" }),
          auditRow("5", { outcome: "failure" }),
          auditRow("6", { reason: "by_password" }),
          auditRow("8", { action: "auth.role-added", reason: "not counted" }),
          mailRow("a", "waiting"),
          mailRow("b", "sent"),
          mailRow("c", "withheld"),
          { sql: "update mails set state = 'sent', changed_at = 7200000 where id = 'a'" },
          { sql: "update mails set count = count + 2, changed_at = 7200000 where id = 'c'" },
          { sql: "update mails set attempts = 1" },
          { sql: "update audit_counting set counted_from = 7200000" },
          auditRow("7", { at: 3_600_000 }),
        ]);
        return {
          audit: await database.all(
            `select hour - hour % 3600000 as hour, action, outcome, reason, app, sum(events) as events from audit_hours
             group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
          ),
          mails: await database.all(
            "select hour - hour % 3600000 as hour, state, sum(mails) as mails from mail_hours group by 1, 2 order by 1, 2",
          ),
        };
      }),
    );
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]?.audit).toHaveLength(6);
    expect(seen[0]?.mails).toHaveLength(4);
  });

  test("D-12 the audit log can only be added to, by the database itself", async () => {
    const refused = [
      "update audit_events set reason = 'other' where id = '1'",
      "delete from audit_events where id = '1'",
      "truncate audit_events",
      "truncate audit_events cascade",
    ];
    for (const sql of refused) await expect(postgres.run(sql)).rejects.toThrow("P0001");
    for (const sql of refused.slice(0, 2)) await expect(sqlite.run(sql)).rejects.toThrow("append-only");
    const prune = [
      { sql: "update audit_retention set prune_before = 7200000" },
      { sql: "delete from audit_events where at < 7200000" },
      { sql: "update audit_retention set prune_before = 0" },
    ];
    for (const database of [sqlite, postgres]) {
      expect(await database.batch(prune)).toMatchObject({ applied: true });
      expect(await database.all("select id from audit_events where at < 7200000")).toEqual([]);
      expect(await database.get("select count(*) as n from audit_events")).toEqual({ n: 6 });
    }
  });

  test("D-15 of two that each disable one of the last two admins at the same moment one is refused", async () => {
    const columns = "username, username_key, email, email_key, display_name";
    for (let round = 0; round < 20; round += 1) {
      const admins = [`a${round}`, `b${round}`];
      const made = admins.map((id) => ({
        sql: `insert into users (id, ${columns}, roles, created_at, updated_at) values ($id, $id, $id, $id, $id, $id, 'admin', 1, 1)`,
        params: { id },
      }));
      expect(await postgres.batch([{ sql: "delete from users" }, ...made])).toMatchObject({ applied: true });
      const outcomes = await Promise.all(
        admins.map((id) =>
          postgres.batch([upkeep.holdAdmins(), upkeep.holdUnlessLastAdmin(id), upkeep.setActive(id, 0, 2)]),
        ),
      );
      expect(outcomes.map(({ applied }) => applied).toSorted()).toEqual([false, true]);
    }
  }, 60_000);

  test("everything goes down to nothing and up again", async () => {
    const database = await emptyDatabase();
    const migrator = migratorOf(database);
    await migrator.up();
    expect((await migrator.down({ step: 999 })).map(({ id }) => id)).toEqual(ids.toReversed());
    const left = await database.all(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relname not like 'schema_%'
       union all select proname from pg_proc where pronamespace = 'public'::regnamespace`,
    );
    expect(left).toEqual([]);
    expect((await migrator.up()).map(({ id }) => id)).toEqual(ids);
    expect(await migrator.pending()).toEqual([]);
  });

  test("D-13 of several runners at once each migration is applied by one, and the others wait for it", async () => {
    const { url } = await server.createDatabase();
    const runners = [1, 2, 3].map(() => migratorOf(open(url)));
    const applied = await Promise.all(runners.map((runner) => runner.up()));
    expect(applied.flat().map(({ id }) => id)).toSatisfy((found: string[]) => found.toSorted().join() === ids.join());
  }, 60_000);

  test("D-13 a runner that is killed in the middle leaves nothing, and holds nobody up", async () => {
    const database = await emptyDatabase();
    const slow = [
      { id: "0001_slow", up: "-- additive\ncreate table slow (n bigint);\nselect pg_sleep(600);", down: "" },
    ];
    const killed = createMigrator({ database, migrations: slow, clock: systemClock })
      .up()
      .then(
        () => "applied",
        () => "failed",
      );
    const { database: looking } = openDatabase({ driver: "postgres", path: "", url: server.url }, {});
    const end = `select pg_terminate_backend(pid) as ended from pg_stat_activity where query like 'select pg_sleep(600)%'`;
    await eventually("the migration runs", async () => (await looking.all(end)).length > 0);
    await looking.close();
    expect(await killed).toBe("failed");
    expect(await hasTable(database, "slow")).toBe(false);
    expect((await migratorOf(database).up()).map(({ id }) => id)).toEqual(ids);
  }, 60_000);

  test("D-14 a database that sorts text otherwise is refused before anything is made", async () => {
    const { url } = await server.createDatabase({ icu: "en-US" });
    const database = open(url);
    await expect(migratorOf(database).up()).rejects.toThrow(/by bytes|of bytes|bytes/);
    expect(await hasTable(database, "schema_migrations")).toBe(false);
  });
});
