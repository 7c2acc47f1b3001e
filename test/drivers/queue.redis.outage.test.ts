import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { JobHandlers } from "../../src/core/job.ts";
import { eventually } from "../support/log.ts";
import { redisMissing, startRedis, type RedisOptions, type RedisServer } from "../support/redis.ts";
import { type JobDatabase, openJobDatabase } from "./queue.database.ts";
import { createRedisQueues } from "./queue.redis.ts";

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
const ran = (count: number) =>
  eventually("every job once", async () => {
    expect(new Set(runs).size).toBe(runs.length);
    return runs.length === count && (await fixture.database.get("select id from jobs")) === undefined;
  });

describe.skipIf(redisMissing !== undefined)("D-42 while Redis is away", () => {
  test("jobs are accepted, workers say why they wait, and all run once when it is back", async () => {
    const { kill, restart, url, port } = await start();
    const { work, queue, source, log, startWorker } = open(url);
    startWorker(5);
    await work.commit({ jobs: [job(0)] });
    await ran(1);
    await kill();
    for (const n of [1, 2, 3]) expect(await work.commit({ jobs: [job(n)] })).toMatchObject({ applied: true });
    await expect(queue.ping()).rejects.toThrow(`Redis at 127.0.0.1:${port}: `);
    expect(queue.acceptsAlways).toBe(true);
    await expect(source.claim(1, 1_000)).rejects.toThrow("Redis at ");
    await eventually("words", () => log.lines.some(({ message }) => message === "jobs could not be claimed"));
    const complaints = log.lines.filter(({ message }) => message.startsWith("jobs can't be handed to Redis"));
    expect(complaints).toHaveLength(1);
    await restart();
    await ran(4);
    await queue.ping();
  });

  test("frozen, it holds up no commit, and the wait for it ends", async () => {
    const { freeze, thaw, url } = await start();
    const { work, queue, source, startWorker } = open(url);
    await queue.ping();
    freeze();
    await expect(source.claim(1, 1_000)).rejects.toThrow("no answer within");
    await work.commit({ jobs: [job(0)] });
    await expect(queue.ping()).rejects.toThrow("Redis at ");
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
    await expect(queue.ping()).rejects.toThrow("ECONNREFUSED");
    await worker.stop(0);
    await close();
    await expect(queue.ping()).rejects.toThrow("closed");
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
    await queue.ping();
    await eventually("a warning", () => log.lines.some(({ level }) => level === "warn"));
    expect(log.lines).toMatchObject([{ fields: { policy: "allkeys-lru" } }]);
  });
});

describe.skipIf(redisMissing !== undefined)("D-43 the way to Redis", () => {
  const password = "a-very-secret-word";
  const user = `queue on >${password} ~gatehouse:queue:* -@all +@read +@write +@scripting +ping`;

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
    await expect(unverified.queue.ping()).rejects.toThrow(/certificate/);
    const { queue, source, log, work } = open(urlAs("queue", "another-secret-word"), caFile);
    await expect(queue.ping()).rejects.toThrow(/WRONGPASS|NOAUTH/);
    await work.commit({ jobs: [job(0)] });
    await expect(source.claim(1, 1_000)).rejects.toThrow("Redis at localhost");
    const told = await queue.ping().catch((error: unknown) => error);
    expect(Bun.inspect([told, log.lines], { depth: 9 })).not.toContain("secret-word");
  });
});
