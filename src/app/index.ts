import { createBase, type Base } from "./base.ts";
import { requireSharedBuses } from "./rules/bus.rules.ts";
import { openGround, type AppOptions, type Ground } from "./ground.ts";
import { createModules, type AppModule } from "./modules.ts";
import { createRunning, type Running } from "./roles/running.ts";
import { registerJobs, routeJobs } from "../core/module.ts";

export type App = Awaited<ReturnType<typeof createApp>>;

/** The composition root: config → drivers → services → modules → roles. Opens what it needs; listens and runs nothing yet. */
export async function createApp(options: AppOptions) {
  const { definition, config, build, passwordCost } = options;
  const ground = await openGround(options, () => running.worker.wake());
  const { kind, metrics, inspects, handlers, jobQueues, resources, migrator, clock, clockWatch, log } = ground;
  const base = await createBase({ config, ground, passwordCost, http: () => running.http });
  const { facts, services, words, brand, maintenance } = base;
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
    words,
    brand,
    clock,
    ages: clockWatch,
    log,
    app: {
      routes: () => running.http.visibleRoutes(),
      described: () => modules.flatMap((module) => module.described ?? []),
      schedules: () => running.scheduler.next(),
      readiness: () => running.readiness(),
      isDraining: () => running.http.isDraining(),
    },
  });
  requireSharedBuses({ config, kind, buses: resources.buses });
  registerJobs(modules, handlers);
  routeJobs(modules, jobQueues, new Set(resources.queues.configured.map(({ name }) => name)));
  const running: Running = createRunning({ definition, config, ground, base, modules });
  return appOf({ ownsData: definition.ownsData, ground, base, modules, running });
}

interface AppParts {
  readonly ownsData: boolean;
  readonly ground: Ground;
  readonly base: Base;
  readonly modules: readonly AppModule[];
  readonly running: Running;
}

function appOf({
  ownsData,
  ground: { metrics, inspects, handlers, resources, migrator, clockWatch },
  base: { services, maintenance },
  modules,
  running: { cleanup, http, worker, scheduler },
}: AppParts) {
  const { database, health } = resources;
  return {
    database,
    migrator,
    accounts: services.auth.accounts,
    transfer: services.auth.transfer,
    /** Everything that is kept of one account, as a file. */
    accountFile: services.auth.accountFile,
    invitations: services.auth.invitations,
    people: services.auth.people,
    namesOf: services.auth.namesOf,
    services: services.backends.accounts,
    /** Undefined where other programs sign nobody in. */
    clients: services.idp?.clients,
    /** Undefined where people belong to no organizations. */
    organizations: services.organizations.desk,
    deliveries: services.sent,
    audit: services.audit,
    /** Seals secrets anew that an earlier key of the application has sealed. */
    reseal: services.organizations.reseal,
    /** Undefined where another app owns the data, whose settings say what is kept. */
    cleanup: ownsData ? cleanup : undefined,
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
        if (ownsData) for (const { background } of modules) background?.();
      },
    },
    metrics,
    /** Runs a command, and records it where inspects are on. */
    command: <T>(name: string, work: () => Promise<T>): Promise<T> => inspects?.command(name, work) ?? work(),
    /** Pings the database. The supervisor's watchdog restarts a process in which this never settles. */
    ping: () => health.ping(),
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
