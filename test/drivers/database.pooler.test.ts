import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type Pgbouncer, pgbouncerMissing, startPgbouncer } from "../support/pgbouncer.ts";
import { type Postgres, startPostgres } from "../support/postgres.ts";
import { databaseConformance } from "./database.conformance.ts";
import { addFact, createOpener, makeFacts } from "./database.postgres.ts";

/** Every setting that a connection of the service asks for, as an operator would list it for a pooler that complains. */
const ignored =
  "ignore_startup_parameters = options, statement_timeout, lock_timeout, idle_in_transaction_session_timeout, default_transaction_isolation";
const advice = "add pooler=true to DB_URL, after the ?";

describe.skipIf(pgbouncerMissing !== undefined)(`PgBouncer before PostgreSQL (${pgbouncerMissing ?? "real"})`, () => {
  let server: Postgres;
  const poolers: Pgbouncer[] = [];
  const { use, useWhole, closeAll } = createOpener();
  beforeAll(async () => {
    server = await startPostgres({ auth: "scram-sha-256" });
  }, 60_000);
  afterEach(closeAll);
  afterAll(async () => {
    await Promise.all(poolers.map((pooler) => pooler.stop()));
    await server?.stop();
  });

  async function pool(mode: "session" | "transaction", settings: readonly string[] = []): Promise<Pgbouncer> {
    const pooler = await startPgbouncer({ server, mode, settings });
    poolers.push(pooler);
    return pooler;
  }
  const why = (url: string): Promise<string> =>
    useWhole(url, { connections: 1 })
      .health.ping()
      .then(() => "answered", String);

  for (const mode of ["transaction", "session"] as const) {
    describe(`in ${mode} mode`, () => {
      let pooler: Pgbouncer;
      beforeAll(async () => {
        pooler = await pool(mode);
      }, 30_000);

      databaseConformance(`postgres behind a pooler in ${mode} mode`, async () => {
        const { url } = await server.createDatabase();
        const { database, health } = useWhole(`${pooler.through(url)}?pooler=true`);
        return { database, health, dispose: () => database.close() };
      });

      test("parts of a table are made and dropped through it", async () => {
        const { url } = await server.createDatabase();
        const { database, partitions } = useWhole(`${pooler.through(url)}?pooler=true`);
        await database.batch(
          [
            "create table events (id text, at bigint not null) partition by range (at)",
            "create table events_first partition of events for values from (minvalue) to (maxvalue)",
            "insert into events (id, at) select 'event ' || i || repeat('x', 100), i from generate_series(1, 40000) i",
          ].map((sql) => ({ sql })),
        );
        const finish = (part: string): string => `create index on ${part} (at)`;
        const parted = { table: "events", column: "at", finish, guard: finish };
        expect(await partitions.divide(parted, 50_000, "events_later")).toBe(true);
        expect(await partitions.divide(parted, 60_000, "events_last")).toBe(true);
        await database.run("insert into events (id, at) values ('a', 55000), ('b', 70000)");
        expect((await partitions.drop(parted, 60_000)).map(({ name }) => name)).toEqual([
          "events_first",
          "events_later",
        ]);
        expect(await database.all("select id from events")).toEqual([{ id: "b" }]);
      }, 60_000);

      test("D-17 what several processes write and read through it at once is each one's own", async () => {
        const { url } = await server.createDatabase();
        await makeFacts(use(url));
        const processes = Array.from({ length: 4 }, () =>
          use(`${pooler.through(url)}?pooler=true`, { connections: 5 }),
        );
        // Each process has statements of its own in an order of its own, so that what one prepared would be another's.
        const answers = await Promise.all(
          processes.flatMap((database, each) =>
            Array.from({ length: 60 }, async (_, n) => {
              const kind = (n + each) % 5;
              await database.batch(addFact(`${each}-${n}`));
              await database.run(`update counters set n = n + 0 where ${kind} = ${kind}`);
              const row = await database.get<{ id: string; kind: number }>(
                `select id, ${kind} as kind from facts where id = $id`,
                { id: `${each}-${n}` },
              );
              return row?.id === `${each}-${n}` && row.kind === kind;
            }),
          ),
        );
        expect(answers.every(Boolean)).toBe(true);
        expect(await use(url).get("select n, (select count(*) from facts) as facts from counters")).toEqual({
          n: 240,
          facts: 240,
        });
      }, 60_000);

      test("D-17 a write waits for a lock, and a batch for its process, no longer than without it", async () => {
        const { url } = await server.createDatabase();
        const database = await makeFacts(use(`${pooler.through(url)}?pooler=true`));
        const limits = `select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') || ' ' ||
          current_setting('idle_in_transaction_session_timeout') as id`;
        const { rows } = await database.run(`insert into facts ${limits} returning id`);
        expect(rows).toEqual([{ id: "5s 100ms 2s" }]);
        const batch = await database.batch([{ sql: `update facts set id = (${limits}) || '!' returning id` }]);
        expect(batch.applied && batch.results[0]?.rows).toEqual([{ id: "5s 100ms 2s!" }]);
        const deleted = await database.run(`delete from facts where id = (${limits}) || '!' returning id`);
        expect(deleted.changes).toBe(1);
      });

      test("D-04 without pooler=true its refusal says what to change, and so does a wrong password", async () => {
        const url = pooler.through(server.url);
        expect(await why(url)).toBe(
          `DatabaseUnavailable: database "default": a pooler stands before it: ${advice} (08P01)`,
        );
        const wrong = new URL(`${url}?pooler=true`);
        wrong.password = "wrong-password";
        expect(await why(wrong.href)).toBe(
          'DatabaseUnavailable: database "default": the pooler refused the user or the password (08P01)',
        );
        wrong.password = new URL(url).password;
        wrong.pathname = "/nowhere";
        expect(await why(wrong.href)).toBe(
          'DatabaseUnavailable: database "default": the pooler knows no database of that name (08P01)',
        );
        expect(await why(`${url}?pooler=true`)).toBe("answered");
      });
    });
  }

  test("D-17 a pooler that drops the settings of connections gets no statement before DB_URL says that it is there", async () => {
    const pooler = await pool("transaction", [ignored]);
    const { url } = await server.createDatabase();
    await makeFacts(use(url));
    const through = pooler.through(url);
    expect(await why(through)).toBe(
      `DatabaseUnavailable: database "default": what stands before it drops the settings of connections: ${advice}`,
    );
    await expect(use(through).batch(addFact("one"))).rejects.toThrow(advice);
    await use(`${through}?pooler=true`).batch(addFact("one"));
    expect(await use(url).all("select id from facts")).toEqual([{ id: "one" }]);
  });

  test("D-04 a pooler in session mode that has fewer connections than the processes ask for is told in words", async () => {
    const pooler = await pool("session", ["default_pool_size = 1"]);
    const { url } = await server.createDatabase();
    const [one, two] = [0, 0].map(() =>
      useWhole(`${pooler.through(url)}?pooler=true`, { connections: 1, timeoutMs: 300 }),
    );
    await one?.health.ping();
    await expect(two?.health.ping()).rejects.toThrow(
      "in session mode its default_pool_size has to hold DB_POOL of every process",
    );
    await one?.health.ping();
  });

  test("D-07 PGOPTIONS changes nothing behind a pooler either", async () => {
    const pooler = await pool("transaction");
    process.env["PGOPTIONS"] = "-c lock_timeout=1";
    expect(await why(`${pooler.through(server.url)}?pooler=true`)).toBe("answered");
  });
});
