import type { JobHandler } from "./job.ts";
import { registerName } from "./naming.ts";

export interface Schedule {
  /** `category:cadence` or `category:action`. */
  readonly name: string;
  /** Five-field cron expression, UTC. */
  readonly cron: string;
  run(signal: AbortSignal): Promise<void>;
}

/** Who watches runs of schedules: starts the run, and resolves with whether it went well. */
export type AroundRun = (schedule: string, run: () => Promise<boolean>) => Promise<boolean>;

export interface ReadinessCheck {
  readonly type: "db" | "storage" | "cache" | "queue" | "events" | "component";
  readonly name: string;
  readonly driver: string;
  /** Rejects when the dependency can't serve. */
  check(): Promise<void>;
}

/** What a feature contributes to an app. Each app lists its modules; app.ts wires them. */
export interface Module<Routes> {
  readonly name: string;
  readonly routes?: Routes;
  readonly jobs?: Readonly<Record<string, JobHandler>>;
  /** Job name → the queue that carries it, `default` when absent. One that is not configured stops the start. */
  readonly jobQueues?: Readonly<Record<string, string>>;
  readonly schedules?: readonly Schedule[];
  readonly checks?: readonly ReadinessCheck[];
}

/** Throws on a job's name that breaks its convention, or that two modules claim: both stop the start (CONTRACT §13). */
export function registerJobs(modules: readonly Module<unknown>[], handlers: Map<string, JobHandler>): void {
  for (const module of modules) {
    for (const [name, handler] of Object.entries(module.jobs ?? {})) {
      registerName("job", name, handlers);
      handlers.set(name, handler);
    }
  }
}

/** Which queue carries which job. Throws when it is not configured, or the job is nobody's: both stop the start. */
export function routeJobs(
  modules: readonly Module<unknown>[],
  routes: Map<string, string>,
  configured: ReadonlySet<string>,
): void {
  for (const { name: module, jobs = {}, jobQueues = {} } of modules) {
    for (const [job, queue] of Object.entries(jobQueues)) {
      if (!Object.hasOwn(jobs, job)) throw new Error(`module ${module} routes the job "${job}", which is not its own`);
      if (!configured.has(queue))
        throw new Error(`job ${job} goes through the queue "${queue}": set QUEUE_${queue.toUpperCase()}_DRIVER`);
      routes.set(job, queue);
    }
  }
}
