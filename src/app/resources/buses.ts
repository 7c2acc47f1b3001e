import { redisNamespace, redisServer } from "./redis.ts";
import type { Config } from "../../config/index.ts";
import type { EventBus } from "../../drivers/events/index.ts";
import { openEventBuses } from "../../drivers/events/open.ts";
import type { Inspects } from "../../inspect/index.ts";
import type { Log } from "../../observe/index.ts";
import type { Metrics } from "../../observe/metrics/index.ts";

interface BusOptions {
  readonly config: Pick<Config, "app" | "events" | "redis">;
  readonly metrics: Metrics;
  readonly inspects: Inspects | undefined;
  readonly log: Log;
}

/** Opens the event buses, watched where inspects are on. All apps of an environment publish to the same buses. */
export function openBuses({ config, metrics, inspects, log }: BusOptions): readonly EventBus[] {
  const { app } = config;
  const settings = Object.entries(config.events).map(
    ([name, { driver, url }]) =>
      [
        name,
        driver === "redis"
          ? { driver, redis: redisServer(config, url), namespace: redisNamespace(app.env), app: app.name }
          : { driver },
      ] as const,
  );
  const eventMetrics = { publishes: metrics.eventsPublishes, deliveries: metrics.eventsDeliveries };
  const buses = openEventBuses(Object.fromEntries(settings), { log, metrics: eventMetrics });
  return buses.map((bus) => inspects?.events(bus) ?? bus);
}
