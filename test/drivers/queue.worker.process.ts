// A worker process for the tests of queues on Redis: prints the number of each job that it runs, until it is killed.
import { systemClock } from "../../src/core/clock.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { openQueues } from "../../src/drivers/queue/open.ts";
import { createWorker } from "../../src/worker/index.ts";
import { createRecordingLog } from "../support/log.ts";

const [, , path = "", url = ""] = process.argv;
const { database } = openDatabase({ driver: "sqlite", path, url: "" }, { create: false });
const handlers = new Map([
  ["notes:file", async ({ n }: Readonly<Record<string, unknown>>) => void process.stdout.write(`${String(n)}\n`)],
]);
const log = createRecordingLog();
const { sources } = openQueues({
  app: "app",
  config: {
    resources: { default: { driver: "redis" } },
    maxAttempts: 20,
    redis: { url, namespace: "gatehouse:test" },
  },
  database,
  clock: systemClock,
  log,
  handlers: () => handlers,
  queueOf: () => "default",
});
createWorker({ sources, handlers, concurrency: 4, clock: systemClock, log, leaseMs: 1_000 }).start();
