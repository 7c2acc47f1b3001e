import { requireSharedBuses } from "./bus.rules.ts";
import { readinessChecks } from "./checks.ts";
import { createCleanup } from "./cleanup.ts";
import { createClockWatch } from "./clock.watch.ts";
import type { AppDefinition } from "./definition.ts";
import { createHttp } from "./http.ts";
import { createModules, type AppModule } from "./modules.ts";
import { openResources } from "./resources/index.ts";
import { createServices } from "./services.ts";
import type { Config } from "../config/index.ts";
import type { BuildInfo } from "../core/build.ts";
import { systemClock, type Clock, type Millis } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import type { JobHandler } from "../core/job.ts";
import { registerJobs, routeJobs } from "../core/module.ts";
import { migrations } from "../../migrations/index.ts";
import type { Database } from "../drivers/database/index.ts";
import { describeDatabase } from "../drivers/database/open.ts";
import { createMigrator } from "../drivers/database/migrate.ts";
import { createBrand } from "../http/pages/brand.ts";
import { createRequestFacts } from "../http/index.ts";
import { createMaintenance } from "../maintenance/index.ts";
import type { Log } from "../observe/index.ts";
import { createMetrics, type MetricsSource } from "../observe/metrics.ts";
import { createReadiness, isReady } from "../probes/index.ts";
import { createScheduler } from "../scheduler/index.ts";
import { createWorker } from "../worker/index.ts";

interface AppOptions {
  readonly definition: AppDefinition;
  readonly config: Config;
  readonly build: BuildInfo;
  readonly log: Log;
  readonly clock?: Clock;
  /** How long the clock has to run evenly before anything is deleted by age. Default: an hour. */
  readonly clockEvenForMs?: Millis;
  /** Milliseconds of a clock that nobody can set, which shows whether the wall clock runs evenly. */
  readonly monotonic?: () => Millis;
  /** The kind of process, for metrics and for the needs of roles that run apart. Default: one that runs all roles. */
  readonly kind?: MetricsSource;
  /** Replaces the configured database. */
  readonly database?: Database;
  /** Whether an absent database is created, empty. Default true. */
  readonly createDatabase?: boolean;
}

export type App = Awaited<ReturnType<typeof createApp>>;

/** The composition root: config → drivers → services → modules → roles. Opens what it needs; listens and runs nothing yet. */
export async function createApp({ definition, config, build, clock = systemClock, ...options }: AppOptions) {
  const { kind = "combined" } = options;
  const metrics = createMetrics({ app: config.app.name, source: kind, build });
  metrics.keeping.watch(describeDatabase(config.database).measure);
  const inspects = config.lighthouse.recording
    ? (await import("./inspects.ts")).openInspects({ config, log: options.log, metrics: metrics.inspects, clock })
    : undefined;
  const log = inspects?.log(options.log) ?? options.log;

  // Drivers. Queues are opened before the modules whose jobs they carry: these two maps are filled once the modules are made.
  const handlers = new Map<string, JobHandler>();
  const jobQueues = new Map<string, string>();
  const resources = openResources({
    config,
    database: options.database,
    createDatabase: options.createDatabase ?? true,
    metrics,
    inspects,
    handlers: () => handlers,
    queueOf: (job) => jobQueues.get(job) ?? "default",
    onEnqueue: () => worker.wake(),
    clock,
    log,
  });
  const { database, queues } = resources;
  const migrator = createMigrator({ database, migrations, clock });
  const instance = newId();
  const clockWatch = createClockWatch({
    instance,
    clock,
    monotonic: options.monotonic,
    evenForMs: options.clockEvenForMs,
    database,
    onJump: metrics.state.clockJumped,
    log,
  });
  metrics.state.watchClock(clockWatch.isTrusted);

  // Services.
  const facts = createRequestFacts({ trustedProxies: config.http.trustedProxies });
  const watch = inspects?.requests(facts, () => http.visibleRoutes());
  const services = await createServices({
    config,
    resources,
    facts,
    metrics,
    inspects,
    watch,
    clock,
    ages: clockWatch,
    log,
  });
  const brand = createBrand(config.app, log);
  const maintenance = createMaintenance({
    config,
    brand,
    store: resources.maintenanceStore,
    database,
    cacheAt: resources.cacheAt,
    facts,
    port: () => http.port(),
    record: (occurrence) => services.auth.journal.commit({ tell: [occurrence] }),
    onRefusal: watch?.refused,
    clock,
    log,
  });

  // Modules.
  const modules: readonly AppModule[] = await createModules(definition.modules, {
    ...services,
    config,
    build,
    resources,
    migrator,
    facts,
    metrics,
    inspects,
    maintenance,
    brand,
    clock,
    ages: clockWatch,
    log,
    app: {
      routes: () => http.visibleRoutes(),
      described: () => modules.flatMap((module) => module.described ?? []),
      schedules: () => scheduler.next(),
      readiness: () => readiness(),
      isDraining: () => http.isDraining(),
    },
  });
  requireSharedBuses({ config, kind, buses: resources.buses });
  registerJobs(modules, handlers);
  routeJobs(modules, jobQueues, new Set(queues.configured.map(({ name }) => name)));
  const stale = modules.flatMap((module) => module.stale ?? []);
  const cleanup = createCleanup({ stale, clock, ages: clockWatch, log });
  const schedules = definition.ownsData
    ? [cleanup.schedule, ...modules.flatMap((module) => module.schedules ?? [])]
    : [];
  for (const name of handlers.keys()) metrics.jobs.register(name);
  for (const { name } of schedules) metrics.schedules.register(name);
  const readiness = createReadiness({
    checks: readinessChecks({ resources, backupDisk: config.backup.disk, migrator, modules }),
    log,
  });
  metrics.state.watchReadiness(async () => !http.isDraining() && isReady(await readiness()));

  // Roles.
  const http = createHttp({ config, modules, maintenance, facts, metrics, watch, log });
  const worker = createWorker({
    sources: queues.sources,
    handlers,
    notices: queues.notices,
    concurrency: config.queue.concurrency,
    leaseMs: config.queue.leaseMs,
    metrics: metrics.jobs,
    watch: inspects?.watchJob,
    clock,
    log,
  });
  const scheduler = createScheduler({
    database,
    schedules,
    instance,
    monotonic: options.monotonic,
    metrics: metrics.schedules,
    watch: inspects?.watchRun,
    clock,
    log,
  });

  return {
    database,
    migrator,
    accounts: services.auth.accounts,
    transfer: services.auth.transfer,
    invitations: services.auth.invitations,
    people: services.auth.people,
    namesOf: services.auth.namesOf,
    services: services.backends.accounts,
    audit: services.audit,
    /** Undefined where another app owns the data: the settings of that app say what is kept. */
    cleanup: definition.ownsData ? cleanup : undefined,
    clockWatch,
    jobs: () => [...handlers.keys()],
    schedules: () => scheduler.next(),
    /** Announces where this app keeps its maintenance state, for the pages of another app. */
    announce: maintenance.announce,
    routes: http.routes,
    http,
    worker,
    scheduler: {
      ...scheduler,
      start(): void {
        scheduler.start();
        if (definition.ownsData) for (const { background } of modules) background?.();
      },
    },
    metrics,
    /** Runs a command, and records it where inspects are on. */
    command: <T>(name: string, work: () => Promise<T>): Promise<T> => inspects?.command(name, work) ?? work(),
    /** Pings the database. The supervisor's watchdog restarts a process in which this never settles. */
    ping: () => database.ping(),
    /** Resolves to whether every migration is applied. */
    ready: async (): Promise<boolean> => (await migrator.pending()).length === 0,

    async close(): Promise<void> {
      await clockWatch.stop();
      for (const module of modules) await module.close?.();
      metrics.close();
      await resources.close();
      await inspects?.close();
    },
  };
}
