import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import type { JobHandlers } from "../../src/core/job.ts";
import { CacheUnavailable, type Cache } from "../../src/drivers/cache/index.ts";
import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";
import { createMemoryCache } from "../../src/drivers/cache/memory.ts";
import { countCache } from "../../src/drivers/cache/counted.ts";
import { createLogMailer } from "../../src/drivers/mail/log.ts";
import { countMailer } from "../../src/drivers/mail/counted.ts";
import { openQueues } from "../../src/drivers/queue/open.ts";
import { countStorage } from "../../src/drivers/storage/counted.ts";
import { openStorage } from "../../src/drivers/storage/open.ts";
import { createMetrics, type Metrics } from "../../src/observe/metrics/index.ts";
import { createScheduler } from "../../src/scheduler/index.ts";
import { readExposition, type Exposition } from "../support/exposition.ts";
import { databaseConformance } from "./database.conformance.ts";
import { temporaryDatabase } from "../support/database.ts";
import { cacheConformance } from "./cache.conformance.ts";
import { queueConformance } from "./queue.conformance.ts";
import { createRecordingLog, eventually } from "../support/log.ts";
import { storageConformance } from "./storage.conformance.ts";

const create = (): Metrics =>
  createMetrics({ app: "app", source: "combined", build: { version: "1.2.3", revision: "abc" } });

async function read(metrics: Metrics): Promise<Exposition> {
  const text = await metrics.scrape();
  metrics.close();
  return readExposition(text);
}

const queueOf = (): string => "default";
const queueConfig = (driver: "sync" | "database", maxAttempts: number) => ({
  resources: { default: { driver } },
  maxAttempts,
});

// A counted port must still pass the tests of the port.
databaseConformance("sqlite", async () => {
  const fixture = await temporaryDatabase();
  const metrics = create().database;
  const { database, health } = createSqliteDatabase({ path: fixture.path, name: "default", metrics });
  const dispose = async (): Promise<void> => {
    await database.close();
    await fixture.dispose();
  };
  return { database, health, dispose };
});
cacheConformance("memory", { shared: false, durable: false }, async () => {
  let now = Date.UTC(2026, 0, 1);
  return {
    open: async (name = "default") =>
      countCache(createMemoryCache({ clock: { now: () => now }, name }), create().cacheOperations),
    pass: async (ms) => void (now += ms),
    dispose: async () => {},
  };
});
queueConformance("sync, counted", (database, handlers) => {
  const metrics = create().jobs;
  const options = { config: queueConfig("sync", 3), database, handlers, clock: systemClock, log: createRecordingLog() };
  const { work, configured } = openQueues({ app: "app", ...options, queueOf, metrics });
  const [queue] = configured;
  if (queue === undefined) throw new Error("no queue");
  return { work, queue, drain: async () => {} };
});
storageConformance("local, counted", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-storage-"));
  const config = { driver: "local", path: folder } as const;
  const storage = countStorage(
    openStorage({ config, name: "uploads", clock: systemClock }),
    create().storageOperations,
  );
  return { storage, dispose: () => rm(folder, { recursive: true }) };
});

describe("what is counted", () => {
  test("database calls by operation, failed ones apart; a batch that its guard undid is none", async () => {
    const metrics = create();
    await using fixture = await temporaryDatabase();
    const { database } = createSqliteDatabase({ path: fixture.path, name: "default", metrics: metrics.database });
    await database.run("create table notes (id text primary key)");
    await database.get("select id from notes");
    await database.all("select id from notes");
    await database.all("select id from notes");
    await database.batch([{ sql: "delete from notes", guard: true }]);
    expect(await database.run("insert into nowhere values (1)").catch(() => "failed")).toBe("failed");
    expect(await database.get("select nothing from nowhere").catch(() => "failed")).toBe("failed");
    await database.close();
    const { sum } = await read(metrics);
    const count = (operation: string, status: string) => sum("database_operations_total", { operation, status });
    expect(["get", "all", "run", "batch"].map((operation) => count(operation, "ok"))).toEqual([1, 2, 1, 1]);
    expect(["get", "all", "run", "batch"].map((operation) => count(operation, "failed"))).toEqual([1, 0, 1, 0]);
    expect(sum("database_operation_duration_seconds_count")).toBe(7);
  });

  test("cache operations by name, failed ones apart", async () => {
    const metrics = create();
    const broken = async (): Promise<never> => {
      throw new CacheUnavailable("gone");
    };
    const memory = createMemoryCache({ clock: systemClock, name: "profiles" });
    const cache = countCache(memory, metrics.cacheOperations);
    const failing: Cache = countCache({ ...memory, get: broken }, metrics.cacheOperations);
    await cache.set("ada", "1");
    await cache.get("ada");
    await cache.get("grace");
    await cache.delete("ada");
    expect(await failing.get("ada").catch(() => "failed")).toBe("failed");
    const { sum } = await read(metrics);
    const name = "profiles";
    expect(sum("cache_operations_total", { name, operation: "get", status: "ok" })).toBe(2);
    expect(sum("cache_operations_total", { name, operation: "get", status: "failed" })).toBe(1);
    expect(sum("cache_operations_total", { name, operation: "set" })).toBe(1);
    expect(sum("cache_operations_total")).toBe(5);
  });

  test("operations of a storage disk by name, failed ones apart", async () => {
    const metrics = create();
    const disk = (path: string) =>
      countStorage(
        openStorage({ config: { driver: "local", path }, name: "uploads", clock: systemClock }),
        metrics.storageOperations,
      );
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-storage-"));
    const storage = disk(folder);
    await storage.put("ada", new Uint8Array(1));
    await storage.stat("ada");
    await storage.list();
    await storage.delete("ada");
    await storage.get("ada");
    expect(await storage.get("../ada").catch(() => "failed")).toBe("failed");
    expect(
      await disk("/proc/uploads")
        .stat("ada")
        .catch(() => "failed"),
    ).toBe("failed");
    await rm(folder, { recursive: true });
    const { sum } = await read(metrics);
    const count = (operation: string, status: string) =>
      sum("storage_operations_total", { name: "uploads", operation, status });
    expect(["put", "get", "stat", "list", "delete"].map((operation) => count(operation, "ok"))).toEqual([
      1, 1, 1, 1, 1,
    ]);
    expect([count("get", "failed"), count("stat", "failed")]).toEqual([1, 1]);
    expect(sum("storage_operations_total")).toBe(7);
  });

  test("mails, failed ones apart", async () => {
    const metrics = create();
    const mailer = countMailer(createLogMailer({ log: { info: () => {} } }), metrics.mailSends);
    const mail = { to: "ada@example.test", subject: "Hello", text: "Hello", html: "<p>Hello" };
    await mailer.send(mail);
    expect(await mailer.send({ ...mail, subject: "forged\nBcc: x" }).catch(() => "refused")).toBe("refused");
    const { sum } = await read(metrics);
    expect(sum("mail_sends_total", { driver: "log", status: "ok" })).toBe(1);
    expect(sum("mail_sends_total", { driver: "log", status: "failed" })).toBe(1);
  });

  test("jobs of a batch that its guard undid are not counted, those of a failing handler as failed", async () => {
    await using fixture = await temporaryDatabase();
    const metrics = create();
    const handlers: JobHandlers = new Map([["notes:tear", () => Promise.reject(new Error("torn"))]]);
    metrics.jobs.register("notes:tear");
    const { work } = openQueues({
      app: "app",
      config: queueConfig("sync", 3),
      queueOf,
      database: fixture.database,
      handlers: () => handlers,
      clock: systemClock,
      log: createRecordingLog(),
      metrics: metrics.jobs,
    });
    const job = { name: "notes:tear", payload: {} };
    await work.commit({ statements: [{ sql: "delete from jobs", guard: true }], jobs: [job] });
    await work.commit({ jobs: [job] });
    await work.commit({ jobs: [job] });
    const { sum } = await read(metrics);
    const counts = ["enqueued", "processed", "failed", "retried", "archived"].map((what) =>
      sum(`queue_jobs_${what}_total`, { name: "notes:tear" }),
    );
    expect(counts).toEqual([2, 2, 2, 0, 0]);
  });

  test("a job that takes its worker down every time is counted as archived by who buries it", async () => {
    await using fixture = await temporaryDatabase();
    const metrics = create();
    metrics.jobs.register("notes:file");
    let now = Date.UTC(2026, 0, 1);
    const { work, sources } = openQueues({
      app: "app",
      config: queueConfig("database", 1),
      queueOf,
      database: fixture.database,
      handlers: () => new Map(),
      clock: { now: () => now },
      log: createRecordingLog(),
      metrics: metrics.jobs,
    });
    const [source] = sources;
    await work.commit({ jobs: [{ name: "notes:file", payload: {} }] });
    expect(await source?.claim(1, 1_000)).toHaveLength(1);
    now += 2_000;
    expect(await source?.claim(1, 1_000)).toEqual([]);
    const { sum } = await read(metrics);
    expect(sum("queue_jobs_archived_total", { name: "notes:file" })).toBe(1);
    expect(sum("queue_jobs_processed_total")).toBe(0);
  });

  test("runs of schedules, failed ones among them", async () => {
    await using fixture = await temporaryDatabase();
    const metrics = create();
    metrics.schedules.register("notes:tidy");
    let now = Date.UTC(2026, 0, 1);
    let runs = 0;
    const scheduler = createScheduler({
      database: fixture.database,
      schedules: [{ name: "notes:tidy", cron: "* * * * *", run: async () => tidy() }],
      clock: { now: () => now },
      log: createRecordingLog(),
      pollMs: 3,
      metrics: metrics.schedules,
    });
    const tidy = (): void => {
      runs += 1;
      if (runs === 2) throw new Error("torn");
    };
    const total = (name: "runs" | "failures") => metrics.schedules.samples[`scheduler_${name}_total`]()[0]?.value;
    scheduler.start();
    for (const expected of [1, 2, 3]) {
      now += 60_000;
      await eventually(`${expected} runs`, () => total("runs") === expected);
    }
    await scheduler.stop(1_000);
    const { sum } = await read(metrics);
    expect(sum("scheduler_runs_total", { schedule: "notes:tidy" })).toBe(3);
    expect(sum("scheduler_failures_total", { schedule: "notes:tidy" })).toBe(1);
  });
});
