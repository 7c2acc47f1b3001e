import { Elysia } from "elysia";
import { readinessChecks } from "./checks.ts";
import { openInspects } from "./inspects.ts";
import { openResources } from "./resources.ts";
import { createAudit } from "../audit/index.ts";
import { createAuth, securitySchemes, type Accounts } from "../auth/index.ts";
import { createBackups } from "../backup/index.ts";
import type { AppName, Config } from "../config/index.ts";
import { systemClock, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { JobHandler } from "../core/job.ts";
import { registerJobs, routeJobs, type Module, type Schedule } from "../core/module.ts";
import { migrations } from "../../migrations/index.ts";
import { createCachePrune } from "../drivers/cache/prune.ts";
import type { Database } from "../drivers/database/index.ts";
import { createMigrator } from "../drivers/database/migrate.ts";
import { describeDatabase } from "../drivers/database/open.ts";
import { helloRoutes } from "../hello/index.ts";
import {
  checkRoutes,
  createHttpServer,
  createRequestFacts,
  createRequestMeter,
  docsRoutes,
  httpPlugins,
  listenForScrapes,
  metricsRoutes,
  type Route,
} from "../http/index.ts";
import { lighthouseRoutes, takesForm } from "../inspect/index.ts";
import { createMaintenance } from "../maintenance/index.ts";
import type { Log } from "../observe/index.ts";
import { createMetrics, type MetricsSource } from "../observe/metrics.ts";
import { createIdentityRepository, createOAuth } from "../oauth/index.ts";
import { createProbes, createReadiness } from "../probes/index.ts";
import { createScheduler } from "../scheduler/index.ts";
import { createQueuePrune, createWorker } from "../worker/index.ts";

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
export async function createApp({ definition, config, build, clock = systemClock, ...given }: AppOptions) {
  const metrics = createMetrics({ app: config.app.name, source: given.kind ?? "combined", build });
  const inspects = config.lighthouse.recording
    ? openInspects({ config, log: given.log, meter: metrics.inspects, clock })
    : undefined;
  const log = inspects?.log(given.log) ?? given.log;
  const handlers = new Map<string, JobHandler>();
  const jobQueues = new Map<string, string>();
  const { database, caches, queues, work, deadLetters, mailer, disks, buses, events, maintenanceStore } = openResources(
    {
      config,
      database: given.database,
      metrics,
      inspects,
      handlers: () => handlers,
      queueOf: (job) => jobQueues.get(job) ?? "default",
      onEnqueue: () => worker.wake(),
      clock,
      log,
    },
  );
  const migrator = createMigrator({ database, migrations, clock });
  const facts = createRequestFacts({ trustedProxies: config.http.trustedProxies });
  const audit = createAudit({
    database,
    events,
    app: config.app.name,
    retentionMs: config.audit.retentionMs,
    clock,
    log,
  });
  let mounted: readonly Route[] = [];
  const watch = inspects?.requests(facts, () => mounted);
  const authWatch = inspects && watch && { session: inspects.sessions(facts), refused: watch.refused };
  const { unlinkUnproven } = createIdentityRepository(database);
  const auth = await createAuth({
    config,
    database,
    work,
    audit,
    events,
    mailer,
    facts,
    unlinkUnproven,
    metrics,
    watch: authWatch,
    clock,
    log,
  });
  const oauth = createOAuth({
    config,
    database,
    auth: auth.federation,
    facts,
    watchCalls: inspects?.calls,
    clock,
    log,
  });

  const { workFolder } = describeDatabase(config.database);
  const { keep } = config.backup;
  const backups = disks
    .filter(({ name }) => name === config.backup.disk)
    .map((disk) => createBackups({ installation: config.app, database, disk, keep, workFolder, clock, log }));
  const modules: readonly Module<unknown>[] = [auth.module, oauth.module, audit.module, ...backups];
  const schedules: Schedule[] = [
    createCachePrune({ database, clock }),
    createQueuePrune({ deadLetters, retentionMs: config.queue.retentionMs, log }),
  ];
  registerJobs(modules, handlers);
  routeJobs(modules, jobQueues, new Set(queues.all.map(({ name }) => name)));
  for (const name of handlers.keys()) metrics.jobs.register(name);
  for (const module of modules) schedules.push(...(module.schedules ?? []));

  for (const { name } of schedules) metrics.schedules.register(name);
  const { concurrency, leaseMs } = config.queue;
  const { sources } = queues;
  const worker = createWorker({
    sources,
    handlers,
    concurrency,
    leaseMs,
    meter: metrics.jobs,
    around: inspects?.aroundJob,
    clock,
    log,
  });
  const scheduler = createScheduler({
    database,
    schedules,
    meter: metrics.schedules,
    around: inspects?.aroundRun,
    clock,
    log,
  });

  const checks = readinessChecks({ database, disks, caches, queues, buses, migrator, modules });
  const runChecks = createReadiness({ checks, log });
  let draining = false;
  const probes = createProbes({
    app: config.app.name,
    diagToken: config.app.diagToken,
    runChecks,
    isDraining: () => draining,
  });
  let port: number | undefined;
  const maintenance = createMaintenance({
    config,
    store: maintenanceStore,
    facts,
    port: () => port,
    record: audit.record,
    onRefusal: watch?.refused,
    log,
  });
  const awaitedForms = definition.jsonRoutes ? oauth.callbackPaths : new Set<string>();
  const routes = new Elysia({ name: config.app.name })
    .use(httpPlugins({ facts, awaitedForms, takesForm, log, onRefusal: watch?.refused }))
    .use(probes)
    .use(maintenance.routes);
  if (definition.jsonRoutes) {
    routes
      .use(auth.module.routes ?? new Elysia())
      .use(oauth.module.routes ?? new Elysia())
      .use(helloRoutes(auth.guard));
  }
  if (config.metrics.enabled) routes.use(metricsRoutes(metrics));
  if (config.lighthouse.secret !== "") {
    const sources = {
      build,
      routes: () => mounted,
      schedules: () => scheduler.next(),
      queues: queues.depths,
      deadLetters,
      readiness: runChecks,
      migrations: () => migrator.status(),
      maintenance: maintenance.status,
      ...(inspects && { inspects: inspects.store.totals }),
    };
    routes.use(lighthouseRoutes({ config, facts, store: inspects?.store, sources, clock, log }));
  }
  if (config.http.docsEnabled)
    routes.use(docsRoutes({ app: config.app.name, version: build.version, securitySchemes }));
  checkRoutes(routes.routes);
  const { gate, isHidden } = maintenance;
  // What looks absent is counted as absent.
  mounted = routes.routes.filter(({ path }) => !isHidden(path));
  const meter = config.metrics.enabled ? createRequestMeter(mounted) : undefined;
  const server = createHttpServer({
    app: routes,
    config: config.http,
    appUrl: config.app.url,
    awaitedForms,
    facts,
    meter,
    watch,
    log,
    gate,
    isHidden,
  });
  if (meter !== undefined) metrics.watchHttp({ routes: meter.routes, inflight: server.pending });

  return {
    database,
    migrator,
    accounts: auth.accounts satisfies Accounts,
    audit,
    routes: () => routes.routes.map(({ method, path }) => ({ method, path })),
    schedules: () => scheduler.next(),
    /** Runs a command, and records it where inspects are on. */
    command: <T>(name: string, work: () => Promise<T>): Promise<T> => inspects?.command(name, work) ?? work(),
    jobs: () => [...handlers.keys()],

    /** Settles while the process can still answer for its data. */
    ping: () => database.ping(),
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
      async start() {
        const listening = await server.start();
        port = listening.port;
        return listening;
      },
      drain(): void {
        draining = true;
        server.drain();
      },
      stop: (deadlineMs: number) => server.stop(deadlineMs),
    },
    worker: { start: () => worker.start(), stop: (deadlineMs: number) => worker.stop(deadlineMs) },
    scheduler,

    /** On a port of their own; undefined where there is none for that role. */
    listenForScrapes(role: "http" | "worker" | "scheduler") {
      const { enabled, host, httpPort, jobsPort, schedulerPort } = config.metrics;
      const places = {
        http: { port: httpPort, variable: "METRICS_HTTP_PORT" },
        worker: { port: jobsPort, variable: "METRICS_JOBS_PORT" },
        scheduler: { port: schedulerPort, variable: "METRICS_SCHEDULER_PORT" },
      } as const;
      const { port: at, variable } = places[role];
      return enabled && at !== undefined ? listenForScrapes({ ...metrics, port: at, variable, host }) : undefined;
    },

    async close(): Promise<void> {
      await auth.close();
      await Promise.all(buses.all.map((bus) => bus.close()));
      metrics.close();
      await mailer.close();
      await Promise.all([...disks, ...caches.values()].map((resource) => resource.close()));
      await database.close();
      await inspects?.close();
    },
  };
}
