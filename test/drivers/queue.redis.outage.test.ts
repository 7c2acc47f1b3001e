import { afterEach, beforeEach, describe, expect, test } from "bun:test";
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

describe.skipIf(redisMissing !== undefined)("D-42 while Redis is away", () => {
  test("jobs are accepted, workers say why they wait, and all run once when it is back", async () => {
    const { kill, restart, url, port } = await start();
    const { work, queue, source, log, startWorker } = open(url);
    startWorker(5);
    await work.commit({ jobs: [job(0)] });
    await ran(1);
    await kill();
    for (const n of [1, 2, 3]) expect(await work.commit({ jobs: [job(n)] })).toMatchObject({ applied: true });
    await expect(queue.reachWorkers?.()).rejects.toThrow(`Redis at 127.0.0.1:${port}/0: `);
    await queue.ping();
    await expect(source.claim(1, 1_000)).rejects.toThrow("Redis at ");
    await eventually("words", () => log.lines.some(({ message }) => message === "jobs could not be claimed"));
    const complaints = log.lines.filter(({ message }) => message.startsWith("jobs can't be handed to Redis"));
    expect(complaints).toHaveLength(1);
    await restart();
    await ran(4);
    await queue.reachWorkers?.();
  });

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

  test("frozen, it holds up no commit, and the wait for it ends", async () => {
    const { freeze, thaw, url } = await start();
    const { work, queue, source, startWorker } = open(url);
    await queue.reachWorkers?.();
    freeze();
    await expect(source.claim(1, 1_000)).rejects.toThrow("no answer within");
    await work.commit({ jobs: [job(0)] });
    await expect(queue.reachWorkers?.()).rejects.toThrow("Redis at ");
    thaw();
    startWorker(5);
    await ran(1);
  });

  test("a queue that never reached it closes", async () => {
    const { kill, url } = await start();
    await kill();
    const { work, queue, close, startWorker } = open(url);
    const worker = startWorker(5);
    await work.commit({ jobs: [job(0)] });
    await expect(queue.reachWorkers?.()).rejects.toThrow("ECONNREFUSED");
    await worker.stop(0);
    await close();
    await expect(queue.reachWorkers?.()).rejects.toThrow("closed");
  });

  test("its memory full, jobs wait in the database until there is room", async () => {
    const { command, url } = await start({ settings: ["maxmemory 1kb"] });
    const { work, log, startWorker } = open(url);
    await work.commit({ jobs: [job(0)] });
    startWorker(5);
    await eventually("words", () => Bun.inspect(log.lines).includes("OOM command not allowed"));
    expect(runs).toEqual([]);
    await command("CONFIG", "SET", "maxmemory", "0");
    await ran(1);
  });

  test("a policy by which it drops keys is named", async () => {
    const { url } = await start({ settings: ["maxmemory-policy allkeys-lru"] });
    const { queue, log } = open(url);
    await queue.reachWorkers?.();
    await eventually("a warning", () => log.lines.some(({ level }) => level === "warn"));
    expect(log.lines).toMatchObject([{ fields: { policy: "allkeys-lru" } }]);
  });
});

describe.skipIf(redisMissing !== undefined)("D-43 the way to Redis", () => {
  const password = "a-very-secret-word";
  const user = `queue on >${password} ~gatehouse:test:queue:* -@all +@read +@write +@scripting +ping`;

  test("is verified TLS, for a user with the rights that are needed alone", async () => {
    const { caFile, urlAs } = await start({ tls: true, users: [user, "default on nopass ~* &* +@all"] });
    const { work, log, startWorker } = open(urlAs("queue", password), caFile);
    startWorker(5);
    await work.commit({ jobs: [job(0), { ...job(1), delayMs: 20 }] });
    await ran(2);
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("ends at a server that nobody vouches for, and at a wrong password, which no text repeats", async () => {
    const { urlAs, caFile } = await start({ tls: true, users: [user] });
    const unverified = open(urlAs("queue", password));
    await expect(unverified.queue.reachWorkers?.()).rejects.toThrow(/certificate/);
    const { queue, source, log, work } = open(urlAs("queue", "another-secret-word"), caFile);
    await expect(queue.reachWorkers?.()).rejects.toThrow(/WRONGPASS|NOAUTH/);
    await work.commit({ jobs: [job(0)] });
    await expect(source.claim(1, 1_000)).rejects.toThrow("Redis at localhost");
    const told = await queue.reachWorkers?.().catch((error: unknown) => error);
    expect(Bun.inspect([told, log.lines], { depth: 9 })).not.toContain("secret-word");
  });

  test("that refuses the password says so at every connection, also where nobody needs one", async () => {
    const { urlAs, caFile } = await start({ tls: true, users: [user, "default on nopass ~* &* +@all"] });
    const { queue } = open(urlAs("queue", "another-secret-word"), caFile);
    for (let n = 0; n < 40; n++) {
      await expect(queue.reachWorkers?.()).rejects.toThrow("WRONGPASS");
      await Bun.sleep(25);
    }
  });
});
