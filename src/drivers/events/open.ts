import { createRedisConnection } from "../redis/connection.ts";
import type { RedisServer } from "../redis/index.ts";
import type { EventBus, EventLog, EventMetrics } from "./index.ts";
import { createInprocEventBus } from "./inproc.ts";
import { createRedisEventBus } from "./redis/redis.ts";

type EventSettings =
  | { readonly driver: "inproc" }
  | {
      readonly driver: "redis";
      readonly redis: RedisServer;
      /** The beginning of all keys: one for all apps that hear of each other. */
      readonly namespace: string;
      readonly app: string;
    };

interface EventBusOptions {
  readonly name: string;
  readonly log: EventLog;
  readonly metrics: EventMetrics | undefined;
}

/** Opens a bus. No other code switches on the names of event drivers. */
function openEventBus(settings: EventSettings, options: EventBusOptions): EventBus {
  switch (settings.driver) {
    case "inproc":
      return createInprocEventBus(options);
    case "redis": {
      const { redis, namespace, app } = settings;
      return createRedisEventBus({ ...options, namespace, app, connect: () => createRedisConnection(redis) });
    }
  }
}
export const openEventBuses = (
  config: Readonly<Record<string, EventSettings>>,
  { log, metrics }: { readonly log: EventLog; readonly metrics?: EventMetrics },
): readonly EventBus[] =>
  Object.entries(config).map(([name, settings]) => openEventBus(settings, { name, log, metrics }));
