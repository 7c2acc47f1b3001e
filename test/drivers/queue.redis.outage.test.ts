import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { JobHandlers } from "../../src/core/job.ts";
import { eventually } from "../support/log.ts";
import { redisMissing, startRedis, type RedisOptions, type RedisServer } from "../support/redis.ts";
import { type JobDatabase, openJobDatabase } from "./queue.database.ts";
import { createRedisQueues } from "./queue.redis.ts";

/** How long the chaos lasts, with and without a Redis that keeps its writes. Without the variable: two seconds, without such a Redis. */
const chaosSeconds = Bun.env["GATEHOUSE_REDIS_CHAOS_SECONDS"];
const queues = createRedisQueues();
let fixture: JobDatabase;
let server: RedisServer | undefined;
let runs: number[];
const handlers: JobHandlers = new Map([["notes:file", async ({ n }) => void runs.push(Number(n))]]);
beforeEach(async () => {
  fixture = await openJobDatabase();
  runs = [];
});
afterEach(async () => {
  await queues.close();
  await fixture.dispose();
  await server?.stop();
});

async function start(options?: RedisOptions): Promise<RedisServer> {
  server = await startRedis(options);
  return server;
}
const open = (url: string, caFile?: string) => queues.open({ database: fixture.database, url, caFile, handlers });
const job = (n: number) => ({ name: "notes:file", payload: { n } });
async function ran(count: number, withinMs?: number): Promise<void> {
  const isDone = async () => (await fixture.database.get("select id from jobs")) === undefined;
  await eventually("every job", async () => runs.length >= count && (await isDone()), withinMs);
  expect(runs).toHaveLength(count);
  expect(new Set(runs).size).toBe(count);
}

/** The numbers of the jobs that it ran are there once it has ended. */
function beginWorker(url: string) {
  const script = join(import.meta.dir, "queue.worker.process.ts");
  const child = Bun.spawn([process.execPath, script, fixture.path, url], { stdout: "pipe", stderr: "inherit" });
  const read = async () => (await new Response(child.stdout).text()).split("\n").filter(Boolean).map(Number);
  return { child, runs: read() };
}

const away = "workers can't be woken through Redis, they ask the database meanwhile";
const back = "workers are woken through Redis again";
type Opened = ReturnType<typeof open>;
const said = ({ log }: Opened): readonly string[] => log.lines.map(({ message }) => message);
const untilSaid = (opened: Opened, text: string): Promise<void> => eventually(text, () => said(opened).includes(text));

describe.skipIf(redisMissing !== undefined)("D-42 while Redis is away", () => {
  test("jobs are accepted, workers poll and say so once, and are woken again when it is back", async () => {
    const { kill, restart, url, port } = await start();
    const [producer, consumer] = [open(url), open(url)];
    consumer.startWorker(20);
    await consumer.heard();
    await producer.work.commit({ jobs: [job(0)] });
    await ran(1);
    await kill();
    await untilSaid(consumer, away);
    for (const n of [1, 2, 3]) expect(await producer.work.commit({ jobs: [job(n)] })).toMatchObject({ applied: true });
    await ran(4, 5_000);
    await untilSaid(producer, away);
    await expect(producer.queue.reachWorkers?.()).rejects.toThrow(`Redis at 127.0.0.1:${port}/0: `);
    await producer.queue.ping();
    // Long enough for several attempts on both sides.
    await Bun.sleep(2_500);
    await restart();
    await Promise.all([untilSaid(consumer, back), untilSaid(producer, back)]);
    await consumer.heard();
    await producer.work.commit({ jobs: [job(4)] });
    await ran(5, 5_000);
    expect([said(consumer), said(producer)].map((lines) => lines.filter((line) => /Redis/.test(line)))).toEqual([
      [away, back],
      [away, back],
    ]);
    await producer.queue.reachWorkers?.();
  }, 60_000);

  test.each(
    [
      { remembers: "forgets all of it", appendonly: false },
      { remembers: "keeps every write", appendonly: true },
    ].slice(0, chaosSeconds === undefined ? 1 : 2),
  )(
    "again and again, killed in the midst of work, one that $remembers: each job runs, and once",
    async ({ appendonly }) => {
      const { kill, restart, url } = await start({ appendonly });
      const { work, startWorker } = open(url);
      startWorker(5);
      open(url).startWorker(5);
      const until = performance.now() + 1_000 * Number(chaosSeconds ?? "2");
      let made = 0;
      const commit = async (): Promise<void> => {
        while (performance.now() < until) {
          await work.commit({ jobs: [job(made++)] });
          await Bun.sleep(5);
        }
      };
      const load = Promise.all([commit(), commit(), commit(), commit()]);
      while (performance.now() < until) {
        await Bun.sleep(200 + Math.random() * 800);
        await kill();
        await Bun.sleep(Math.random() * 300);
        await restart();
      }
      await load;
      await ran(made, 60_000);
    },
    600_000,
  );

  test("again and again, and with it the processes of workers: no job is lost, and none runs twice but for those in a killed hand", async () => {
    const { kill, restart, url } = await start();
    const { work } = open(url);
    const until = performance.now() + 1_000 * Number(chaosSeconds ?? "3");
    const workers = [1, 2, 3].map(() => beginWorker(url));
    let made = 0;
    const commit = async (): Promise<void> => {
      while (performance.now() < until) {
        await work.commit({ jobs: [job(made++)] });
        await Bun.sleep(5);
      }
    };
    const load = Promise.all([commit(), commit()]);
    while (performance.now() < until) {
      await Bun.sleep(100 + Math.random() * 400);
      workers.findLast(({ child }) => !child.killed)?.child.kill("SIGKILL");
      workers.unshift(beginWorker(url));
      if (Math.random() < 0.5) await kill().then(restart);
    }
    await load;
    const isDone = async () => (await fixture.database.get("select id from jobs")) === undefined;
    await eventually("every job", isDone, 60_000);
    const killed = workers.filter(({ child }) => child.killed);
    for (const { child } of workers) child.kill("SIGKILL");
    const ends = await Promise.all(workers.map(({ runs: ranBy }) => ranBy));
    const timesOf = (n: number) => ends.flat().filter((each) => each === n).length;
    const numbers = Array.from({ length: made }, (_, n) => n);
    const inKilledHands = new Set((await Promise.all(killed.map(({ runs: ranBy }) => ranBy))).flat());
    expect(numbers.filter((n) => timesOf(n) === 0)).toEqual([]);
    expect(numbers.filter((n) => timesOf(n) > 1 && !inKilledHands.has(n))).toEqual([]);
    expect(numbers.filter((n) => timesOf(n) > 1).length).toBeLessThanOrEqual(killed.length * 4);
  }, 600_000);

  test("frozen, it holds up no commit, and workers poll within seconds", async () => {
    const { freeze, thaw, url } = await start();
    const [producer, consumer] = [open(url), open(url)];
    consumer.startWorker(20);
    await consumer.heard();
    freeze();
    const frozenAt = performance.now();
    await producer.work.commit({ jobs: [job(0)] });
    expect(performance.now() - frozenAt).toBeLessThan(500);
    await ran(1, 20_000);
    await expect(producer.queue.reachWorkers?.()).rejects.toThrow("Redis at ");
    thaw();
    await consumer.heard();
    await Promise.all([untilSaid(consumer, back), untilSaid(producer, back)]);
  }, 60_000);

  test("a worker that began without it polls, and one that never reached it stops", async () => {
    const { kill, url } = await start();
    await kill();
    const { work, queue, close, startWorker } = open(url);
    const worker = startWorker(5);
    await work.commit({ jobs: [job(0)] });
    await ran(1);
    await expect(queue.reachWorkers?.()).rejects.toThrow("the connection is refused");
    await worker.stop(0);
    await close();
    await expect(queue.reachWorkers?.()).rejects.toThrow("closed");
  });

  test("its memory full, workers poll until there is room", async () => {
    const { command, url } = await start({ settings: ["maxmemory 1kb"] });
    const [producer, consumer] = [open(url), open(url)];
    consumer.startWorker(20);
    await producer.work.commit({ jobs: [job(0)] });
    await ran(1);
    await Promise.all([untilSaid(consumer, away), untilSaid(producer, away)]);
    expect(Bun.inspect(producer.log.lines)).toContain("its memory is full");
    await command("CONFIG", "SET", "maxmemory", "0");
    await consumer.heard();
    // Becoming full is noticed as well.
    await command("CONFIG", "SET", "maxmemory", "1kb");
    await producer.work.commit({ jobs: [job(1)] });
    await ran(2, 20_000);
  }, 60_000);

  test("a process that ends has told of its last job, and does not wait for a server that is away", async () => {
    const { kill, url } = await start();
    const consumer = open(url);
    consumer.startWorker(3_600_000);
    await consumer.heard();
    for (const n of [0, 1, 2]) {
      const command = open(url);
      await command.work.commit({ jobs: [job(n)] });
      await command.close();
    }
    await ran(3, 5_000);
    await kill();
    const command = open(url);
    await command.work.commit({ jobs: [job(3)] });
    const closing = performance.now();
    await command.close();
    expect(performance.now() - closing).toBeLessThan(2_500);
  }, 60_000);
});

describe.skipIf(redisMissing !== undefined)("D-43 the way to Redis", () => {
  const password = "a-very-secret-word";
  // Not written out, since an error shows the lines of source around it.
  const wrong = ["another", "secret", "word"].join("-");
  const user = `queue on >${password} ~gatehouse:test:queue:* -@all +@read +@write +@scripting +ping`;

  test("is verified TLS, for a user with the rights that are needed alone", async () => {
    const { caFile, urlAs } = await start({ tls: true, users: [user, "default on nopass ~* &* +@all"] });
    const { work, queue, log, startWorker, heard } = open(urlAs("queue", password), caFile);
    startWorker(3_600_000);
    await heard();
    await work.commit({ jobs: [job(0), { ...job(1), delayMs: 20 }] });
    await ran(2);
    await queue.reachWorkers?.();
    expect(log.lines.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
  });

  test("ends at a server that nobody vouches for, and at a wrong password, which no text repeats", async () => {
    const { urlAs, caFile } = await start({ tls: true, users: [user] });
    const unverified = open(urlAs("queue", password));
    await expect(unverified.queue.reachWorkers?.()).rejects.toThrow(/TLS fails: .*CERT/);
    const { queue, log, work } = open(urlAs("queue", wrong), caFile);
    await expect(queue.reachWorkers?.()).rejects.toThrow("it refuses the user or the password");
    await work.commit({ jobs: [job(0)] });
    await eventually("words", () => log.lines.some(({ message }) => message === away));
    const told = await queue.reachWorkers?.().catch((error: unknown) => error);
    expect(Bun.inspect([told, log.lines], { depth: 9 })).not.toContain(wrong);
  });

  test("that refuses the password says so at every connection, also where nobody needs one", async () => {
    const { urlAs, caFile } = await start({ tls: true, users: [user, "default on nopass ~* &* +@all"] });
    const { queue } = open(urlAs("queue", wrong), caFile);
    for (let n = 0; n < 40; n++) {
      await expect(queue.reachWorkers?.()).rejects.toThrow("it refuses the user or the password");
      await Bun.sleep(25);
    }
  });
});
