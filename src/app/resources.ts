import { dirname, join } from "node:path";
import { openDeadLetters } from "./dead.letters.ts";
import { keepsMails, type Config } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import type { JobHandlers } from "../core/job.ts";
import { webhookQueuePrefix } from "../core/naming.ts";
import { countCache } from "../drivers/cache/counted.ts";
import type { Cache } from "../drivers/cache/index.ts";
import { openCache } from "../drivers/cache/open.ts";
import type { Database } from "../drivers/database/index.ts";
import { openDatabase } from "../drivers/database/open.ts";
import { openEventBuses } from "../drivers/events/open.ts";
import { countMailer } from "../drivers/mail/counted.ts";
import type { Mail } from "../drivers/mail/index.ts";
import { openMailer } from "../drivers/mail/open.ts";
import { createJobBoard } from "../drivers/queue/board.repository.ts";
import { createJobMentions } from "../drivers/queue/mention.repository.ts";
import { openQueues } from "../drivers/queue/open.ts";
import { countStorage } from "../drivers/storage/counted.ts";
import { openStorage } from "../drivers/storage/open.ts";
import type { Inspects } from "../inspect/index.ts";
import { createMailbox } from "../mailbox/index.ts";
import type { Log } from "../observe/index.ts";
import type { Metrics } from "../observe/metrics.ts";
import { webhookQueues } from "../webhook/index.ts";

interface ResourceOptions {
  readonly config: Config;
  /** Used in place of the configured database. */
  readonly database: Database | undefined;
  /** Whether an absent database is made, empty. */
  readonly createDatabase: boolean;
  readonly metrics: Metrics;
  /** Undefined where inspects are off: then nothing is wrapped, and they cost nothing. */
  readonly inspects: Inspects | undefined;
  readonly handlers: () => JobHandlers;
  readonly queueOf: (job: string) => string;
  readonly onEnqueue: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

type DatabaseOptions = Pick<ResourceOptions, "config" | "database" | "createDatabase" | "metrics" | "log">;

function openMainDatabase({ config, database, createDatabase: create, metrics, log }: DatabaseOptions): Database {
  const counted = config.metrics.enabled ? metrics.database : undefined;
  return database ?? openDatabase(config.database, { name: "default", create, log, metrics: counted });
}

/** The mailer, and the mails of a developer's machine: these lie beside the database, which all its processes share. */
function openMail({ config, metrics, clock, log }: Pick<ResourceOptions, "config" | "metrics" | "clock" | "log">) {
  const path = join(dirname(config.database.path), "mails");
  const mailbox = keepsMails(config)
    ? createMailbox({ disk: openStorage({ config: { driver: "local", path }, name: "mails", clock }), clock })
    : undefined;
  const keep = mailbox && (async (mail: Mail) => `${config.app.url.origin}/mails/${await mailbox.keep(mail)}`);
  return { mailbox, mailer: countMailer(openMailer(config.mail, log, keep), metrics.mailSends) };
}

/** The cache that holds the maintenance state. For the memory driver it is one of this process that nothing else uses. */
function openMaintenanceStore(
  { maintenance: { driver, store } }: Config,
  caches: ReadonlyMap<string, Cache>,
  parts: { readonly database: Database; readonly clock: Clock },
): Cache {
  if (driver === "memory") return openCache({ driver }, { name: "maintenance", ...parts });
  const cache = caches.get(store);
  if (cache === undefined) throw new Error(`there is no cache "${store}" to keep the maintenance state in`);
  return cache;
}

/** Opens every driver that the configuration names, counted, and watched where inspects are on. */
export function openResources({ config, metrics, inspects, clock, log, ...options }: ResourceOptions) {
  const driver = openMainDatabase({ config, metrics, log, ...options });
  const database = inspects?.database(driver) ?? driver;
  const caches = new Map(
    Object.entries(config.cache).map(([name, settings]) => {
      const cache = countCache(openCache(settings, { name, database, clock }), metrics.cacheOperations);
      return [name, inspects?.cache(cache) ?? cache];
    }),
  );
  const queues = openQueues({
    app: config.app.name,
    config: { ...config.queue, redis: config.redis },
    own: webhookQueues(config),
    database,
    clock,
    log,
    handlers: options.handlers,
    queueOf: options.queueOf,
    onEnqueue: options.onEnqueue,
    metrics: metrics.jobs,
    watch: inspects?.watchJob,
  });
  const { mailbox, mailer } = openMail({ config, metrics, clock, log });
  const disks = Object.entries(config.storage).map(([name, settings]) =>
    countStorage(openStorage({ config: settings, name, clock }), metrics.storageOperations),
  );
  const buses = openEventBuses(config.events, {
    log,
    metrics: { publishes: metrics.eventsPublishes, deliveries: metrics.eventsDeliveries },
  });
  return {
    database,
    caches,
    maintenanceStore: openMaintenanceStore(config, caches, { database, clock }),
    /** A cache of another app, where that lies in the database that both share. */
    cacheAt: ({ driver, cache, cacheDriver }: { driver: string; cache: string; cacheDriver: string }) =>
      driver === "cache" && cacheDriver === "database"
        ? openCache({ driver: "database" }, { name: cache, database, clock })
        : undefined,
    queues,
    work: inspects?.work(queues.work) ?? queues.work,
    jobMentions: createJobMentions(database, { exceptQueues: webhookQueuePrefix }),
    deadLetters: openDeadLetters({ config, database, clock }),
    jobBoard: createJobBoard(database),
    mailbox,
    mailer: inspects?.mailer(mailer) ?? mailer,
    disks,
    buses,
    events: inspects?.events(buses.default) ?? buses.default,

    /** The database last: until then everything else may still write what it has in hand. */
    async close(): Promise<void> {
      await Promise.all(buses.all.map((bus) => bus.close()));
      await mailer.close();
      await queues.close();
      await Promise.all([...disks, ...caches.values()].map((resource) => resource.close()));
      await database.close();
    },
  };
}

export type Resources = ReturnType<typeof openResources>;
