import { Elysia } from "elysia";
import { createAuth, type Accounts } from "./auth/index.ts";
import type { AppName, Config } from "./config/index.ts";
import { systemClock, type Clock } from "./core/clock.ts";
import { AppError } from "./core/errors.ts";
import type { JobHandler } from "./core/job.ts";
import type { Module, ReadinessCheck, Schedule } from "./core/module.ts";
import { registerName } from "./core/naming.ts";
import { migrations } from "../migrations/index.ts";
import { openCache } from "./drivers/cache/open.ts";
import { createCachePrune } from "./drivers/cache/prune.ts";
import type { Database } from "./drivers/database/index.ts";
import { createMigrator } from "./drivers/database/migrate.ts";
import { openDatabase } from "./drivers/database/open.ts";
import { openMailer } from "./drivers/mail/open.ts";
import { openQueue } from "./drivers/queue/open.ts";
import { helloRoutes } from "./hello/index.ts";
import { createHttpServer, createRequestFacts, docsRoutes, httpPlugins } from "./http/index.ts";
import type { Log } from "./observe/index.ts";
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
  /** In place of the configured one. */
  readonly database?: Database;
}

export type App = Awaited<ReturnType<typeof createApp>>;

/** The composition root: config → drivers → services → modules. Opens what it needs; listens and runs nothing yet. */
export async function createApp({ definition, config, build, log, clock = systemClock, ...given }: AppOptions) {
  const database = given.database ?? openDatabase(config.database, { name: "default", log });
  const migrator = createMigrator({ database, migrations, clock });
  const handlers = new Map<string, JobHandler>();
  const caches = new Map(
    Object.entries(config.cache).map(([name, settings]) => [name, openCache(settings, { name, database, clock })]),
  );
  const { queue, source } = openQueue({
    config: config.queue,
    database,
    clock,
    log,
    handlers: () => handlers,
    onEnqueue: () => worker?.wake(),
  });
  const mailer = openMailer(config.mail, log);
  const facts = createRequestFacts({ trustedProxies: config.http.trustedProxies });
  const auth = await createAuth({ config, database, queue, mailer, facts, clock, log });

  const modules: readonly Module<unknown>[] = [auth.module];
  const schedules: Schedule[] = [createCachePrune({ database, clock })];
  for (const module of modules) {
    for (const [name, handler] of Object.entries(module.jobs ?? {})) {
      registerName("job", name, handlers);
      handlers.set(name, handler);
    }
    schedules.push(...(module.schedules ?? []));
  }

  const worker = source && createWorker({ source, handlers, concurrency: config.queue.concurrency, clock, log });
  const scheduler = createScheduler({ database, schedules, clock, log });

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
  if (config.http.docsEnabled) routes.use(docsRoutes({ app: config.app.name, version: build.version }));
  const server = createHttpServer({ app: routes, config: config.http, appUrl: config.app.url, facts, log });

  return {
    database,
    migrator,
    accounts: auth.accounts satisfies Accounts,
    routes: () => routes.routes.map(({ method, path }) => ({ method, path })),
    schedules: () => scheduler.next(),
    jobs: () => [...handlers.keys()],

    /** Settles while the process can still answer for its data. */
    ping: () => database.ping(),
    ready: async (): Promise<boolean> => (await migrator.pending()).length === 0,

    /** Local only (SEED §5.11): an account to try things with. One that exists already is left as it is. */
    async createBootstrapAccount(): Promise<void> {
      const { bootstrap } = config.auth;
      if (bootstrap === undefined) return;
      try {
        await auth.accounts.create({ ...bootstrap, verified: true });
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

    async close(): Promise<void> {
      await mailer.close();
      await Promise.all([...caches.values()].map((cache) => cache.close()));
      await database.close();
    },
  };
}
