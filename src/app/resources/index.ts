import { dirname, join } from "node:path";
import { openBuses } from "./buses.ts";
import { createCaches } from "./caches.ts";
import { openDeadLetters } from "./dead.letters.ts";
import { finderOf } from "./named.ts";
import { openConfiguredQueues } from "./queues.ts";
import { openConfiguredSentinels } from "./redis.ts";
import { hereOf } from "../here.ts";
import { keepsMails, type Config } from "../../config/index.ts";
import type { Clock } from "../../core/clock.ts";
import type { JobHandlers } from "../../core/job.ts";
import { webhookQueuePrefix } from "../../core/naming.ts";
import { countCache } from "../../drivers/cache/counted.ts";
import type { Cache } from "../../drivers/cache/index.ts";
import type { DatabaseCacheOptions } from "../../drivers/cache/database.ts";
import { openCache } from "../../drivers/cache/open.ts";
import type { OpenedDatabase } from "../../drivers/database/index.ts";
import { openDatabase } from "../../drivers/database/open.ts";
import { countMailer } from "../../drivers/mail/counted.ts";
import type { Mail } from "../../drivers/mail/index.ts";
import { openMailer } from "../../drivers/mail/open.ts";
import { createJobBoard } from "../../drivers/queue/table/board.repository.ts";
import { createJobMentions } from "../../drivers/queue/table/mention.repository.ts";
import { countStorage } from "../../drivers/storage/counted.ts";
import { openStorage } from "../../drivers/storage/open.ts";
import type { Inspects } from "../../inspect/index.ts";
import { createMailbox } from "../../mailbox/index.ts";
import type { Log } from "../../observe/index.ts";
import type { Metrics } from "../../observe/metrics/index.ts";

interface ResourceOptions {
  readonly config: Config;
  readonly database: OpenedDatabase | undefined;
  readonly createDatabase: boolean;
  readonly metrics: Metrics;
  /** Undefined where inspects are off: then no resource is wrapped, and inspects cost nothing. */
  readonly inspects: Inspects | undefined;
  readonly handlers: () => JobHandlers;
  readonly queueOf: (job: string) => string;
  readonly onEnqueue: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

type DatabaseOptions = Pick<ResourceOptions, "config" | "database" | "createDatabase" | "metrics" | "log">;

function openMainDatabase({ config, database, createDatabase: create, metrics, log }: DatabaseOptions) {
  const counted = config.metrics.enabled ? metrics.database : undefined;
  return database ?? openDatabase(config.database, { name: "default", create, log, metrics: counted });
}

/** Opens the mailer, and on a developer's machine the mailbox. Its mails lie beside the database, where all processes find them. */
function openMail({ config, metrics, clock, log }: Pick<ResourceOptions, "config" | "metrics" | "clock" | "log">) {
  const path = join(dirname(config.database.path), "mails");
  const mailbox = keepsMails(config)
    ? createMailbox({ disk: openStorage({ config: { driver: "local", path }, name: "mails", clock }), clock })
    : undefined;
  const { app, http } = config;
  // The app that Gatehouse is behind, such as Vite, does not pass on the mails.
  const home = http.port === 0 ? app.url.origin : hereOf(http.host, http.port);
  const keep = mailbox && (async (mail: Mail) => `${home}/mails/${await mailbox.keep(mail)}`);
  return { mailbox, mailer: countMailer(openMailer(config.mail, log, keep), metrics.mailSends) };
}

/** Returns the cache that holds the maintenance state. The memory driver gets a cache that nothing else uses. */
function openMaintenanceStore(
  { maintenance: { driver, store } }: Config,
  cacheOf: (name: string) => Cache,
  parts: Omit<DatabaseCacheOptions, "name">,
): Cache {
  return driver === "memory" ? openCache({ driver }, { name: "maintenance", ...parts }) : cacheOf(store);
}

const openDisks = ({ config, metrics, clock }: Pick<ResourceOptions, "config" | "metrics" | "clock">) =>
  Object.entries(config.storage).map(([name, settings]) =>
    countStorage(openStorage({ config: settings, name, clock }), metrics.storageOperations),
  );

function watchedCache(own: Cache, { metrics, inspects }: Pick<ResourceOptions, "metrics" | "inspects">): Cache {
  const cache = countCache(own, metrics.cacheOperations);
  return inspects?.cache(cache) ?? cache;
}

/** Opens every driver that the configuration names, counted, and watched where inspects are on. */
export function openResources({ config, metrics, inspects, clock, log, ...options }: ResourceOptions) {
  const main = openMainDatabase({ config, metrics, log, ...options });
  const { database: plain, health, backups, changes, notices, partitions } = main;
  const database = inspects?.database(plain) ?? plain;
  const stored = { database, health, clock };
  const opened = createCaches({ config, ...stored });
  const caches = opened.own.map((own) => watchedCache(own, { metrics, inspects }));
  const cacheOf = finderOf("CACHE", "cache", caches);
  const queues = openConfiguredQueues({
    config,
    database,
    notices,
    clock,
    log,
    handlers: options.handlers,
    queueOf: options.queueOf,
    onEnqueue: options.onEnqueue,
    metrics: metrics.jobs,
    watch: inspects?.watchJob,
  });
  const { mailbox, mailer } = openMail({ config, metrics, clock, log });
  const disks = openDisks({ config, metrics, clock });
  const buses = openBuses({ config, metrics, inspects, log });
  const busOf = finderOf("EVENTS", "event bus", buses);
  const sentinels = openConfiguredSentinels(config);
  return {
    database,
    health,
    backups,
    changes,
    partitions,
    caches,
    cache: cacheOf,
    maintenanceStore: openMaintenanceStore(config, cacheOf, stored),
    /** Returns a cache of another app, if both apps share its store. */
    cacheAt: opened.at,
    queues,
    work: inspects?.work(queues.work) ?? queues.work,
    jobMentions: createJobMentions(database, { exceptQueues: webhookQueuePrefix }),
    deadLetters: openDeadLetters({ config, database, clock, wake: queues.wake }),
    jobBoard: createJobBoard(database),
    mailbox,
    mailer: inspects?.mailer(mailer) ?? mailer,
    disks,
    disk: finderOf("STORAGE", "disk", disks),
    buses,
    bus: busOf,
    /** The bus on which the service itself publishes. */
    events: busOf("default"),
    sentinels,

    /** Closes the database last: until then the other resources may still write what they have in hand. */
    async close(): Promise<void> {
      await Promise.all(buses.map((bus) => bus.close()));
      await mailer.close();
      await queues.close();
      await Promise.all([...disks, ...caches, opened, sentinels].map((resource) => resource.close()));
      await database.close();
    },
  };
}

export type Resources = ReturnType<typeof openResources>;
