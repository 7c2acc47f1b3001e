import { SQL } from "bun";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { migrations } from "../../migrations/index.ts";
import { minute, systemClock } from "../../src/core/clock.ts";
import type { JobHandler } from "../../src/core/job.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { createDatabaseQueue } from "../../src/drivers/queue/table/database.ts";
import { jobNotices } from "../../src/drivers/queue/waker/notices.ts";
import { createUnitOfWork } from "../../src/drivers/queue/unit.of.work.ts";
import { createTickRepository } from "../../src/scheduler/tick.repository.ts";
import { createWorker } from "../../src/worker/index.ts";
import { createRecordingLog, eventually } from "../support/log.ts";
import { postgresMissing, startPostgres, type Postgres } from "../support/postgres.ts";

describe.skipIf(postgresMissing !== undefined)("the database queue on PostgreSQL", () => {
  let server: Postgres;
  let url: string;
  const opened: Database[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  }, 90_000);
  afterAll(async () => server?.stop(), 60_000);

  beforeEach(async () => {
    ({ url } = await server.createDatabase());
    await createMigrator({ database: open(), migrations, clock: systemClock }).up();
  }, 60_000);
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
  });

  function openWhole() {
    const whole = openDatabase({ driver: "postgres", path: "", url }, {});
    opened.push(whole.database);
    return whole;
  }
  const open = (): Database => openWhole().database;

  const queueOn = (database: Database) =>
    createDatabaseQueue({ app: "app", database, clock: systemClock, name: "default", maxAttempts: 3 });

  async function fill(count: number): Promise<void> {
    const database = open();
    const jobs = Array.from({ length: count }, (_, n) => ({ name: "mail:send", payload: { n } }));
    await createUnitOfWork(database, queueOn(database)).commit({ jobs });
  }

  async function runScript(script: string, ...args: string[]): Promise<string> {
    const child = Bun.spawn([process.execPath, script, ...args], {
      stdout: "pipe",
      stderr: "inherit",
      timeout: 60_000,
    });
    const text = await child.stdout.text();
    expect(await child.exited).toBe(0);
    return text;
  }

  test("D-20 four processes that claim side by side share the jobs, and none gets a job of another", async () => {
    for (let round = 0; round < 4; round += 1) await fill(50);
    const outputs = await Promise.all(
      [1, 2, 3, 4].map(() => runScript(join(import.meta.dir, "queue.claimer.process.ts"), url)),
    );
    const ids = outputs.flatMap((text) => [...text.matchAll(/"([0-9a-f-]{36})"/g)].map(([, id]) => id));
    expect(ids).toHaveLength(200);
    expect(new Set(ids).size).toBe(200);
  }, 90_000);

  test("a claim takes no more than its limit, and skips jobs that somebody has locked instead of waiting for them", async () => {
    await fill(10);
    await using sql = new SQL(url, { max: 1 });
    const held = await sql.begin(async (transaction) => {
      const locked = await transaction.unsafe<{ id: string }[]>("select id from jobs order by id limit 3 for update");
      const first = await queueOn(open()).claim(5, minute);
      const second = await queueOn(open()).claim(5, minute);
      expect([first.length, second.length]).toEqual([5, 2]);
      const ids = new Set([...locked, ...first, ...second].map(({ id }) => id));
      expect(ids.size).toBe(10);
      return locked.length;
    });
    expect(await queueOn(open()).claim(5, minute)).toHaveLength(held);
  }, 60_000);

  test("D-21 of schedulers of several processes one runs a tick, and none while the lock is held", async () => {
    const schedulers = [1, 2, 3, 4].map((number) => ({ instance: `host ${number}`, database: open() }));
    for (let tick = 1; tick <= 20; tick += 1) {
      const now = tick * minute;
      const claims = schedulers.map(({ instance, database }) =>
        database.batch([
          createTickRepository(database).claim({ name: "auth:cleanup", at: now, instance }, now + minute, now),
        ]),
      );
      expect((await Promise.all(claims)).filter(({ applied }) => applied)).toHaveLength(1);
    }
    const early = { name: "auth:cleanup", at: 21 * minute - 1, instance: "host 5" };
    const [first] = schedulers;
    if (first === undefined) throw new Error("no scheduler");
    const claim = createTickRepository(first.database).claim(early, 22 * minute, 20.5 * minute);
    expect((await first.database.batch([claim])).applied).toBe(false);
  }, 60_000);

  describe("a worker that asks once a minute", () => {
    const done: unknown[] = [];
    const send: JobHandler = async (payload) => void done.push(payload);
    let worker: ReturnType<typeof createWorker>;

    beforeEach(async () => {
      done.length = 0;
      const { database, notices } = openWhole();
      worker = createWorker({
        sources: [queueOn(database)],
        handlers: new Map([["mail:send", send]]),
        concurrency: 2,
        pollMs: minute,
        notices: notices && jobNotices(notices, "app"),
        clock: systemClock,
        log: createRecordingLog(),
      });
      worker.start();
      await eventually("it listens", async () => (await listeners()) === 1);
    });
    afterEach(async () => worker.stop(5_000));

    /** Resolves to how many connections listen. */
    async function listeners(): Promise<number> {
      await using sql = new SQL(url, { max: 1 });
      const query = "select 1 from pg_stat_activity where query like 'LISTEN%' and datname = current_database()";
      // The server does not answer while it is restarted.
      return (await sql.unsafe<object[]>(query).catch(() => [])).length;
    }

    const handled = (name: string) =>
      eventually(name, () => done.some((payload) => Bun.deepEquals(payload, { name })), 30_000);

    async function fillElsewhere(name: string): Promise<void> {
      await runScript(join(import.meta.dir, "queue.filler.process.ts"), url, name);
      await handled(name);
    }

    test("D-22 begins a job of another process at once, also after the server was started anew", async () => {
      await fillElsewhere("before the restart");
      await server.restart();
      await eventually("it listens again", async () => (await listeners()) === 1, 30_000);
      await fillElsewhere("after the restart");
    }, 90_000);

    test("finds what was enqueued while its connection was down, and a dead letter that is due again", async () => {
      await using sql = new SQL(url, { max: 1 });
      await sql.unsafe("alter table jobs disable trigger user");
      await fill(1);
      await sql.unsafe("alter table jobs enable trigger user");
      expect(done).toEqual([]);
      await sql.unsafe("select pg_terminate_backend(pid) from pg_stat_activity where query like 'LISTEN%'");
      await eventually("the job that nobody told it of", () => done.length === 1, 30_000);

      await sql.unsafe(
        `insert into jobs (id, queue, app, name, payload, state, max_attempts, available_at, created_at)
         values ('dead', 'default', 'app', 'mail:send', '{"name":"again"}', 'dead', 3, 0, 0)`,
      );
      await sql.unsafe("update jobs set state = 'pending' where id = 'dead'");
      await handled("again");
    }, 90_000);
  });
});
