import type { Clock } from "../../core/clock.ts";
import type { WatchJob, JobHandlers } from "../../core/job.ts";
import type { Database, NoticeCapability } from "../database/index.ts";
import { createDatabaseQueue } from "./table/database.ts";
import type { DeadJob, JobSource, OwnQueue, Queue, QueueLog, QueueMetrics } from "./index.ts";
import { countWork, createQueueRouter, createUnitOfWork } from "./unit.of.work.ts";
import { jobNotices } from "./waker/notices.ts";
import type { RedisSentinels } from "../redis/index.ts";
import { createRedisWakers, type RedisWakers } from "./waker/redis.waker.ts";
import { createSyncQueue } from "./sync.ts";
import type { Waker } from "./waker/waker.ts";

interface QueueSettings {
  readonly driver: "sync" | "database" | "redis";
  /** The URL of the queue's own Redis, where it does not use the shared one. */
  readonly url?: string | undefined;
}

export interface OpenQueuesOptions {
  /** The app whose jobs these queues take and give. */
  readonly app: string;
  readonly config: {
    /** The queues by name; `default` is one of them. */
    readonly resources: Readonly<Record<string, QueueSettings>>;
    readonly maxAttempts: number;
    /** The Redis of queues that name no URL of their own. */
    readonly redis?: {
      readonly url?: string | undefined;
      readonly caFile?: string | undefined;
      readonly sentinels?: RedisSentinels | undefined;
      /** The beginning of the names of all keys. */
      readonly namespace: string;
    };
  };
  readonly own?: readonly OwnQueue[];
  readonly database: Database;
  /** What tells of jobs of other processes; absent where the database sends no notices. */
  readonly notices?: NoticeCapability | undefined;
  readonly clock: Clock;
  readonly log: QueueLog;
  /** The handlers of jobs, for drivers that run jobs themselves. */
  readonly handlers: () => JobHandlers;
  /** The queue that carries the jobs of this name. */
  readonly queueOf: (job: string) => string;
  /** Called after jobs were accepted, for drivers that a worker polls. */
  readonly onEnqueue?: () => void;
  readonly metrics?: QueueMetrics;
  /** Watches jobs, for drivers that run jobs themselves. */
  readonly watch?: WatchJob | undefined;
}

interface OpenQueue {
  readonly queue: Queue;
  /** Absent where the driver runs its jobs itself. */
  readonly source?: JobSource;
}

export type OpenQueues = ReturnType<typeof openQueues>;

/** Opens every configured queue and every feature's own, and one in front of them. */
export function openQueues(options: OpenQueuesOptions) {
  const { config, own = [], database, notices, queueOf, metrics } = options;
  const wakers = createWakers(options);
  const open = (queue: QueueToOpen, settings: QueueSettings) => openQueue(queue, settings, options, wakers.of);
  const configured = Object.entries(config.resources).map(([name, settings]) => open({ name }, settings));
  const usual = config.resources["default"] ?? { driver: "database" };
  const stored: QueueSettings = usual.driver === "sync" ? { driver: "database" } : usual;
  const opened = [...configured, ...own.map((queue) => open(queue, queue.isStored === true ? stored : usual))];
  const byName = new Map(opened.map(({ queue }) => [queue.name, queue]));
  const work = createUnitOfWork(database, createQueueRouter({ queues: byName, queueOf }));
  return {
    /** Commits changes with the jobs that they ask for, each in the queue that its name belongs to. */
    work: metrics === undefined ? work : countWork(work, metrics),
    configured: configured.map(({ queue }) => queue),
    /** How much waits in each queue, of the jobs of this app, where its driver can tell. */
    depths: opened.map(({ queue: { name, driver }, source }) => ({
      name,
      driver,
      app: options.app,
      ...(source && { depth: () => source.depth() }),
    })),
    /** The queues that a worker polls. */
    sources: opened.flatMap(({ source }) => (source === undefined ? [] : [source])),
    /** Tells a worker of jobs of other processes; undefined where nothing tells of them. */
    notices:
      notices && opened.some(({ queue }) => queue.driver === "database") ? jobNotices(notices, options.app) : undefined,
    /** Wakes the workers of a job that is due again, where the driver of its queue does. */
    wake: ({ app, queue }: Pick<DeadJob, "app" | "queue">): void => byName.get(queue)?.wake?.(app),
    /** Closes the queues, and is called while the database is still open. Workers that are still to be woken get a moment. */
    close: wakers.close,
  };
}

/** The wakers of each Redis, which its queues share. */
function createWakers({ app, config: { redis = { namespace: "gatehouse" } }, log }: OpenQueuesOptions) {
  const { namespace, caFile, sentinels } = redis;
  const opened = new Map<string, RedisWakers>();
  return {
    of(queue: string, { url = redis.url }: QueueSettings): Waker {
      if (url === undefined) throw new Error("a queue on Redis has no URL");
      const wakers = opened.get(url) ?? createRedisWakers({ app, namespace, url, caFile, sentinels, log });
      opened.set(url, wakers);
      return wakers.of(queue);
    },
    async close(): Promise<void> {
      await Promise.all([...opened.values()].map((wakers) => wakers.close()));
    },
  };
}

type QueueToOpen = Pick<OwnQueue, "name"> & Partial<OwnQueue>;

/** The only switch on the names of queue drivers. Without a `source` a worker has nothing to do. */
function openQueue(
  { name, concurrency, rests }: QueueToOpen,
  settings: QueueSettings,
  options: OpenQueuesOptions,
  wakerOf: (queue: string, settings: QueueSettings) => Waker,
): OpenQueue {
  const { app, config, database, clock, log, handlers, onEnqueue, metrics, watch } = options;
  switch (settings.driver) {
    case "sync":
      return { queue: createSyncQueue({ clock, handlers, log, metrics, name, watch }) };
    case "database":
    case "redis": {
      const queue = createDatabaseQueue({
        database,
        clock,
        app,
        name,
        concurrency,
        rests,
        maxAttempts: config.maxAttempts,
        waker: settings.driver === "redis" ? wakerOf(name, settings) : undefined,
        onEnqueue,
        onBury: metrics?.buried,
      });
      return { queue, source: queue };
    }
  }
}
