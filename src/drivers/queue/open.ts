import type { Clock } from "../../core/clock.ts";
import type { JobHandlers } from "../../core/job.ts";
import type { Database } from "../database/index.ts";
import { createDatabaseQueue } from "./database.ts";
import type { JobSource, Queue, QueueLog, QueueMeter } from "./index.ts";
import { meterQueue } from "./metered.ts";
import { createSyncQueue } from "./sync.ts";

export interface OpenQueueOptions {
  readonly config: { readonly driver: "sync" | "database"; readonly maxAttempts: number };
  readonly database: Database;
  readonly clock: Clock;
  readonly log: QueueLog;
  /** For drivers that run jobs themselves. */
  readonly handlers: () => JobHandlers;
  /** For drivers that a worker polls. */
  readonly onEnqueue?: () => void;
  readonly meter?: QueueMeter;
  readonly name?: string;
}

/** The only switch on queue driver names. Without a `source` there is nothing for a worker to do. */
export function openQueue(options: OpenQueueOptions): OpenQueue {
  const { meter } = options;
  const { queue, source } = openDriver(options);
  return { queue: meter === undefined ? queue : meterQueue(queue, meter), source };
}

interface OpenQueue {
  readonly queue: Queue;
  readonly source: JobSource | undefined;
}

function openDriver(options: OpenQueueOptions): OpenQueue {
  const { config, database, clock, log, handlers, onEnqueue, meter, name = "default" } = options;
  switch (config.driver) {
    case "sync":
      return { queue: createSyncQueue({ database, handlers, log, meter, name }), source: undefined };
    case "database": {
      const { maxAttempts } = config;
      const queue = createDatabaseQueue({
        database,
        clock,
        name,
        maxAttempts,
        ...(onEnqueue && { onEnqueue }),
        ...(meter && { onBury: meter.buried }),
      });
      return { queue, source: queue };
    }
  }
}
