import type { Config } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import type { JobHandlers } from "../core/job.ts";
import { meterCache } from "../drivers/cache/metered.ts";
import type { Cache } from "../drivers/cache/index.ts";
import { openCache } from "../drivers/cache/open.ts";
import type { Database } from "../drivers/database/index.ts";
import { openDatabase } from "../drivers/database/open.ts";
import { openEventBuses } from "../drivers/events/open.ts";
import { meterMailer } from "../drivers/mail/metered.ts";
import { openMailer } from "../drivers/mail/open.ts";
import { createDeadLetters } from "../drivers/queue/dead.letters.ts";
import { openQueues } from "../drivers/queue/open.ts";
import { meterStorage } from "../drivers/storage/metered.ts";
import { openStorage } from "../drivers/storage/open.ts";
import type { Inspects } from "../inspect/index.ts";
import type { Log } from "../observe/index.ts";
import type { Metrics } from "../observe/metrics.ts";

interface ResourceOptions {
  readonly config: Config;
  /** In place of the configured one. */
  readonly database: Database | undefined;
  readonly metrics: Metrics;
  /** Where it is undefined nothing is wrapped: inspects that are off cost nothing. */
  readonly inspects: Inspects | undefined;
  readonly handlers: () => JobHandlers;
  readonly queueOf: (job: string) => string;
  readonly onEnqueue: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens what the configuration names: every driver once, counted, and watched where inspects are on. */
export function openResources({ config, metrics, inspects, clock, log, ...given }: ResourceOptions) {
  const meter = config.metrics.enabled ? metrics.database : undefined;
  const driver = given.database ?? openDatabase(config.database, { name: "default", log, meter });
  const database = inspects?.database(driver) ?? driver;
  const caches = new Map(
    Object.entries(config.cache).map(([name, settings]) => {
      const cache = meterCache(openCache(settings, { name, database, clock }), metrics.cacheOperations);
      return [name, inspects?.cache(cache) ?? cache];
    }),
  );
  /** The memory driver is a cache of this process that nothing else can fill. */
  function openMaintenanceStore(): Cache {
    const { driver, store } = config.maintenance;
    if (driver === "memory") return openCache({ driver }, { name: "maintenance", database, clock });
    const cache = caches.get(store);
    if (cache === undefined) throw new Error(`there is no cache "${store}" to keep the maintenance state in`);
    return cache;
  }
  const queues = openQueues({
    config: config.queue,
    database,
    clock,
    log,
    handlers: given.handlers,
    queueOf: given.queueOf,
    onEnqueue: given.onEnqueue,
    meter: metrics.jobs,
    around: inspects?.aroundJob,
  });
  const mailer = meterMailer(openMailer(config.mail, log), metrics.mailSends);
  const disks = Object.entries(config.storage).map(([name, settings]) =>
    meterStorage(openStorage({ config: settings, name, clock }), metrics.storageOperations),
  );
  const buses = openEventBuses(config.events, {
    log,
    meter: { publishes: metrics.eventsPublishes, deliveries: metrics.eventsDeliveries },
  });
  return {
    database,
    caches,
    maintenanceStore: openMaintenanceStore(),
    queues,
    work: inspects?.work(queues.work) ?? queues.work,
    deadLetters: createDeadLetters({ database, clock, maxAttempts: config.queue.maxAttempts }),
    mailer: inspects?.mailer(mailer) ?? mailer,
    disks,
    buses,
    events: inspects?.events(buses.default) ?? buses.default,
  };
}
