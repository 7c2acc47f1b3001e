import { createClockWatch } from "./clock.watch.ts";
import { openResources } from "./resources/index.ts";
import type { AppDefinition } from "./definition.ts";
import { migrations } from "../../migrations/index.ts";
import type { PasswordCost } from "../auth/index.ts";
import type { Config } from "../config/index.ts";
import type { BuildInfo } from "../core/build.ts";
import { systemClock, type Clock, type Millis } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import type { JobHandler } from "../core/job.ts";
import type { OpenedDatabase } from "../drivers/database/index.ts";
import { createMigrator } from "../drivers/database/migrate.ts";
import { measureOf } from "../drivers/database/open.ts";
import type { Log } from "../observe/index.ts";
import { createMetrics, type MetricsSource } from "../observe/metrics/index.ts";

export interface AppOptions {
  readonly definition: AppDefinition;
  readonly config: Config;
  readonly build: BuildInfo;
  readonly log: Log;
  readonly clock?: Clock;
  /** For so long the clock has to run evenly before anything is deleted by age. Default: an hour. */
  readonly clockEvenForMs?: Millis;
  /** Milliseconds of a clock that nobody can set, by which it is told whether the other one runs evenly. */
  readonly monotonic?: () => Millis;
  /** What kind of process it is, for metrics and for what roles need that run apart. Default: one that runs all roles. */
  readonly kind?: MetricsSource;
  /**
   * What hashing a password takes. Default: what is shipped. It is a parameter of this function and no setting, so that no variable, file
   * or flag can make the binary hash at less.
   */
  readonly passwordCost?: PasswordCost;
  /** Used in place of the configured database. */
  readonly database?: OpenedDatabase;
  /** Whether an absent database is made, empty. Default true. */
  readonly createDatabase?: boolean;
}

export type Ground = Awaited<ReturnType<typeof openGround>>;

/** What all else of an app stands on: its figures, its log and its drivers. `onEnqueue` is called once a job waits. */
export async function openGround(options: AppOptions, onEnqueue: () => void) {
  const { config, build, clock = systemClock, monotonic, kind = "combined", database, createDatabase = true } = options;
  const metrics = createMetrics({ app: config.app.name, source: kind, build });
  metrics.keeping.watch(measureOf(config.database));
  const inspects = config.lighthouse.recording
    ? (await import("./inspects.ts")).openInspects({ config, log: options.log, metrics: metrics.inspects, clock })
    : undefined;
  const log = inspects?.log(options.log) ?? options.log;

  // Queues are opened before the modules whose jobs they carry: these two maps are filled once the modules are made.
  const handlers = new Map<string, JobHandler>();
  const jobQueues = new Map<string, string>();
  const resources = openResources({
    config,
    database,
    createDatabase,
    metrics,
    inspects,
    handlers: () => handlers,
    queueOf: (job) => jobQueues.get(job) ?? "default",
    onEnqueue,
    clock,
    log,
  });
  const migrator = createMigrator({ database: resources.database, migrations, clock });
  const instance = newId();
  const clockWatch = createClockWatch({
    instance,
    clock,
    monotonic,
    evenForMs: options.clockEvenForMs,
    database: resources.database,
    onJump: metrics.state.clockJumped,
    log,
  });
  metrics.state.watchClock(clockWatch.isTrusted);
  return {
    kind,
    instance,
    metrics,
    inspects,
    handlers,
    jobQueues,
    resources,
    migrator,
    clock,
    monotonic,
    clockWatch,
    log,
  };
}
