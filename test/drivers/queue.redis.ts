import { systemClock } from "../../src/core/clock.ts";
import type { JobHandlers } from "../../src/core/job.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { openQueues, type OpenQueues } from "../../src/drivers/queue/open.ts";
import type { RedisSentinels } from "../../src/drivers/redis/index.ts";
import { createWorker, type Worker } from "../../src/worker/index.ts";
import { createRecordingLog, eventually } from "../support/log.ts";

interface RedisQueueOptions {
  readonly database: Database;
  readonly url: string;
  readonly caFile?: string | undefined;
  readonly sentinels?: RedisSentinels | undefined;
  readonly app?: string;
  readonly handlers?: JobHandlers;
}

/** Opens queues on Redis and workers for them, as a process has them, to be closed together. */
export function createRedisQueues() {
  const opened: OpenQueues[] = [];
  const workers: Worker[] = [];

  function open({ database, url, caFile, sentinels, app = "app", handlers = new Map() }: RedisQueueOptions) {
    const log = createRecordingLog();
    const queues = openQueues({
      app,
      config: {
        resources: { default: { driver: "redis" } },
        maxAttempts: 3,
        redis: { url, caFile, sentinels, namespace: "gatehouse:test" },
      },
      database,
      clock: systemClock,
      log,
      handlers: () => handlers,
      queueOf: () => "default",
    });
    opened.push(queues);
    const [queue] = queues.configured;
    const [source] = queues.sources;
    if (queue === undefined || source === undefined) throw new Error("there is no queue");
    return {
      work: queues.work,
      wake: queues.wake,
      queue,
      source,
      log,
      close: queues.close,
      /** Resolves once a worker of this process is woken, and rests longer than it would between polls. */
      heard: () => eventually("a worker that is woken", async () => (await source.restMs?.(1)) !== 1),
      startWorker(pollMs?: number) {
        const polls = pollMs === undefined ? {} : { pollMs };
        const worker = createWorker({ ...queues, handlers, concurrency: 4, clock: systemClock, log, ...polls });
        workers.push(worker);
        worker.start();
        return worker;
      },
    };
  }

  return {
    open,
    async close(): Promise<void> {
      await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
      await Promise.all(opened.splice(0).map((queues) => queues.close()));
    },
  };
}
