import { Elysia } from "elysia";
import { createAudit } from "./audit/index.ts";
import { createAuth, type Accounts } from "./auth/index.ts";
import type { AppName, Config } from "./config/index.ts";
import { systemClock, type Clock } from "./core/clock.ts";
import { AppError } from "./core/errors.ts";
import type { JobHandler } from "./core/job.ts";
import type { Module, ReadinessCheck, Schedule } from "./core/module.ts";
import { registerName } from "./core/naming.ts";
import { migrations } from "../migrations/index.ts";
import { meterCache } from "./drivers/cache/metered.ts";
import { openCache } from "./drivers/cache/open.ts";
import { createCachePrune } from "./drivers/cache/prune.ts";
import type { Database } from "./drivers/database/index.ts";
import { createMigrator } from "./drivers/database/migrate.ts";
import { openDatabase } from "./drivers/database/open.ts";
import { openEventBuses } from "./drivers/events/open.ts";
import { meterMailer } from "./drivers/mail/metered.ts";
import { openMailer } from "./drivers/mail/open.ts";
import { openQueue } from "./drivers/queue/open.ts";
import { helloRoutes } from "./hello/index.ts";
import {
  createHttpServer,
  createRequestFacts,
  createRequestMeter,
  docsRoutes,
  httpPlugins,
  listenForScrapes,
  metricsRoutes,
} from "./http/index.ts";
import type { Log } from "./observe/index.ts";
import { createMetrics, type MetricsSource } from "./observe/metrics.ts";
import { createProbes } from "./probes/index.ts";
import { createScheduler } from "./scheduler/index.ts";
import { createWorker } from "./worker/index.ts";

export interface BuildInfo {
  readonly version: string;
  readonly revision: string;
}

/** What makes the two apps differ. `admin` does not mount the JSON auth routes (SEED §1.9). */
export interface AppDefinition {
  readonly name: AppName;
  readonly jsonRoutes: boolean;
}

interface AppOptions {
  readonly definition: AppDefinition;
  readonly config: Config;
  readonly build: BuildInfo;
  readonly log: Log;
  readonly clock?: Clock;
  /** What kind of process the metrics come from. Default: one that runs all roles. */
  readonly kind?: MetricsSource;
  /** In place of the configured one. */
  readonly database?: Database;
}

export type App = Awaited<ReturnType<typeof createApp>>;

/** The composition root: config → drivers → services → modules. Opens what it needs; listens and runs nothing yet. */
export async function createApp({ definition, config, build, log, clock = systemClock, ...given }: AppOptions) {
  const metrics = createMetrics({ app: config.app.name, source: given.kind ?? "combined", build });
  const database =
    given.database ??
    openDatabase(config.database, {
      name: "default",
      log,
      meter: config.metrics.enabled ? metrics.database : undefined,
    });
  const migrator = createMigrator({ database, migrations, clock });
  const handlers = new Map<string, JobHandler>();
  const caches = new Map(
    Object.entries(config.cache).map(([name, settings]) => {
      const cache = openCache(settings, { name, database, clock });
      return [name, meterCache(cache, metrics.cacheOperations)];
    }),
  );
  const { queue, source } = openQueue({
    config: config.queue,
    database,
    clock,
    log,
    handlers: () => handlers,
    onEnqueue: () => worker?.wake(),
    meter: metrics.jobs,
  });
  const mailer = meterMailer(openMailer(config.mail, log), metrics.mailSends);
  const facts = createRequestFacts({ trustedProxies: config.http.trustedProxies });
  const buses = openEventBuses(config.events, {
    log,
    meter: { publishes: metrics.eventsPublishes, deliveries: metrics.eventsDeliveries },
  });
  const events = buses.default;
  const audit = createAudit({
    database,
    events,
    app: config.app.name,
    retentionMs: config.audit.retentionMs,
    clock,
    log,
  });
  const auth = await createAuth({ config, database, queue, audit, events, mailer, facts, metrics, clock, log });

  const modules: readonly Module<unknown>[] = [auth.module, audit.module];
  const schedules: Schedule[] = [createCachePrune({ database, clock })];
  for (const module of modules) {
    for (const [name, handler] of Object.entries(module.jobs ?? {})) {
      registerName("job", name, handlers);
      handlers.set(name, handler);
      metrics.jobs.register(name);
    }
    schedules.push(...(module.schedules ?? []));
  }

  for (const { name } of schedules) metrics.schedules.register(name);
  const { concurrency, leaseMs } = config.queue;
  const worker = source && createWorker({ source, handlers, concurrency, leaseMs, meter: metrics.jobs, clock, log });
  const scheduler = createScheduler({ database, schedules, meter: metrics.schedules, clock, log });

  async function checkMigrations(): Promise<void> {
    const pending = await migrator.pending();
    if (pending.length > 0) throw new Error(`${pending.length} pending: run the migrate command`);
  }
  const checks: readonly ReadinessCheck[] = [
    { type: "db", name: database.name, driver: database.driver, check: () => database.ping() },
    ...[...caches.values()].map((cache): ReadinessCheck => ({
      type: "cache",
      name: cache.name,
      driver: cache.driver,
      check: () => cache.ping(),
    })),
    { type: "queue", name: queue.name, driver: queue.driver, check: () => queue.ping() },
    ...buses.all.map(({ name, driver, ping }): ReadinessCheck => ({ type: "events", name, driver, check: ping })),
    { type: "component", name: "migrations", driver: database.driver, check: checkMigrations },
    ...modules.flatMap((module) => module.checks ?? []),
  ];

  let draining = false;
  const probes = createProbes({
    app: config.app.name,
    diagToken: config.app.diagToken,
    checks,
    isDraining: () => draining,
    log,
  });
  const routes = new Elysia({ name: config.app.name }).use(httpPlugins({ facts, log })).use(probes);
  if (definition.jsonRoutes) routes.use(auth.module.routes ?? new Elysia()).use(helloRoutes(auth.guard));
  if (config.metrics.enabled) routes.use(metricsRoutes(metrics));
  if (config.http.docsEnabled) routes.use(docsRoutes({ app: config.app.name, version: build.version }));
  const meter = config.metrics.enabled ? createRequestMeter(routes.routes) : undefined;
  const appUrl = config.app.url;
  const server = createHttpServer({ app: routes, config: config.http, appUrl, facts, meter, log });
  if (meter !== undefined) metrics.watchHttp({ routes: meter.routes, inflight: server.pending });

  return {
    database,
    migrator,
    accounts: auth.accounts satisfies Accounts,
    audit,
    routes: () => routes.routes.map(({ method, path }) => ({ method, path })),
    schedules: () => scheduler.next(),
    jobs: () => [...handlers.keys()],

    ready: async (): Promise<boolean> => (await migrator.pending()).length === 0,

    /** Local only (SEED §5.11): an account to try things with. One that exists already is left as it is. */
    async createBootstrapAccount(): Promise<void> {
      const { bootstrap } = config.auth;
      if (bootstrap === undefined) return;
      try {
        await auth.accounts.create({ ...bootstrap, verified: true }, { actor: "system" });
        log.info("bootstrap account created", { username: bootstrap.username });
      } catch (error) {
        if (!(error instanceof AppError) || (error.reason !== "email_taken" && error.reason !== "username_taken"))
          throw error;
      }
    },

    http: {
      start: () => server.start(),
      drain(): void {
        draining = true;
        server.drain();
      },
      stop: (deadlineMs: number) => server.stop(deadlineMs),
    },
    worker: {
      start: () => worker?.start(),
      stop: async (deadlineMs: number) => worker?.stop(deadlineMs),
    },
    scheduler,

    /** For a process without the HTTP role; undefined where metrics are off. */
    listenForScrapes(role: "worker" | "scheduler") {
      const { enabled, host, jobsPort, schedulerPort } = config.metrics;
      if (!enabled) return undefined;
      const at =
        role === "worker"
          ? { port: jobsPort, variable: "METRICS_JOBS_PORT" }
          : { port: schedulerPort, variable: "METRICS_SCHEDULER_PORT" };
      return listenForScrapes({ ...metrics, ...at, host });
    },

    async close(): Promise<void> {
      await auth.close();
      await Promise.all(buses.all.map((bus) => bus.close()));
      metrics.close();
      await mailer.close();
      await Promise.all([...caches.values()].map((cache) => cache.close()));
      await database.close();
    },
  };
}
