import type { Base } from "../base.ts";
import { readinessChecks } from "./checks.ts";
import { createCleanup } from "./cleanup.ts";
import type { AppDefinition } from "../definition.ts";
import type { Ground } from "../ground.ts";
import { createHttp } from "../http.ts";
import type { AppModule } from "../modules.ts";
import type { Config } from "../../config/index.ts";
import { second, type Clock } from "../../core/clock.ts";
import type { JobBoard } from "../../drivers/queue/index.ts";
import { createReadiness, isReady } from "../../probes/index.ts";
import { createScheduler } from "../../scheduler/index.ts";
import { createWorker } from "../../worker/index.ts";

interface RunningOptions {
  readonly definition: AppDefinition;
  readonly config: Config;
  readonly ground: Ground;
  readonly base: Base;
  readonly modules: readonly AppModule[];
}

export type Running = ReturnType<typeof createRunning>;

/** The roles, each with what the modules give to it. None of them runs yet. */
export function createRunning({
  definition,
  config,
  ground: { instance, metrics, inspects, handlers, resources, migrator, clock, monotonic, clockWatch, log },
  base: { facts, watch, words, brand, maintenance },
  modules,
}: RunningOptions) {
  const { database, queues } = resources;
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
  metrics.state.watchReadiness(async () => {
    const checks = await readiness();
    return { isReady: !http.isDraining() && isReady(checks), checks };
  });
  metrics.waiting.watch(() =>
    Promise.all(
      queues.depths
        .filter(({ depth }) => depth !== undefined)
        .map((each) => waitingIn(resources.jobBoard, each, clock)),
    ),
  );
  const http = createHttp({ config, modules, maintenance, words, brand: brand.alone, facts, metrics, watch, log });
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
    monotonic,
    metrics: metrics.schedules,
    watch: inspects?.watchRun,
    clock,
    log,
  });
  return { cleanup, readiness, http, worker, scheduler };
}

/** A bound for the count of what waits: whether a million waits or two makes no difference to anybody. */
const mostCounted = 10_000;

async function waitingIn(
  board: JobBoard,
  { name, app }: { readonly name: string; readonly app: string },
  clock: Clock,
) {
  const now = clock.now();
  const { jobs, oldest } = await board.due({ queue: name, app, now, most: mostCounted });
  return { queue: name, jobs, oldestSeconds: oldest === null ? 0 : Math.max(0, now - oldest) / second };
}
