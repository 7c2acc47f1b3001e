import type { Millis } from "./clock.ts";
import type { HeldBack } from "./clock.trust.ts";
import type { JobHandler } from "./job.ts";
import { registerName, variableOf } from "./naming.ts";

export interface Schedule {
  /** `category:cadence` or `category:action`. */
  readonly name: string;
  /** Cron expression of five fields, in UTC. */
  readonly cron: string;
  /** Resolves to what was held back if the run deletes by age and the clock can't be trusted: it runs again once the clock can be. */
  run(signal: AbortSignal): Promise<HeldBack | undefined | void>;
}

/** Wraps the run of a schedule to record it: starts the run, and resolves to whether it succeeded. */
export type WatchRun = (schedule: string, run: () => Promise<boolean>) => Promise<boolean>;

export interface ReadinessCheck {
  readonly type: "db" | "storage" | "cache" | "queue" | "events" | "component";
  readonly name: string;
  readonly driver: string;
  /** Whether requests are served even while the check rejects: its failure is reported but takes no traffic away. */
  readonly optional?: boolean;
  /** Rejects when the dependency can't serve. */
  check(): Promise<void>;
}

/** Rows that no request needs any more. `auth:cleanup`, as a schedule and as a command, deletes them for all modules. */
export interface StaleRows {
  /** The name in the log of the cleanup, such as `expired_sessions`. */
  readonly name: string;
  /** Deletes at most `limit` rows and resolves to how many it deleted; fewer than `limit` means that none is left. */
  deleteSome(now: Millis, limit: number): Promise<number>;
  count(now: Millis): Promise<number>;
}

/** A route as the API reference reads it: `hooks` holds its schemas and its `detail`. */
export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly hooks: object;
}

/** The contribution of a feature to an app. src/main.ts and src/admin.ts list the modules of their app; src/app wires them up. */
export interface Module<Routes = never> {
  readonly routes?: Routes;
  /** Routes that the configuration leaves out. The API reference lists them anyway, so that it does not differ by deployment. */
  readonly described?: readonly DescribedRoute[];
  /**
   * Paths to which pages of other sites may post a form: the cross-site check lets such a request through, and its body is read as a form.
   */
  readonly awaitedForms?: readonly string[];
  /** Whether browsers navigate to a path of the module and get redirects: scripts of other origins may not call it. */
  readonly isNavigated?: (path: string) => boolean;
  /** Whether a path looks absent to every method that it does not take: a 405 would reveal that a page is there. */
  readonly isHidden?: (path: string) => boolean;
  /** Whether a path takes a form from a page of the module's own. */
  readonly takesForm?: (path: string) => boolean;
  /** Paths of JSON routes that also take their body as a form, as standards for programs require. The cross-site check still applies. */
  readonly takesFields?: readonly string[];
  /** Routes, such as `/users/:id`, that take a body of up to 64 KiB: it may hold what an app keeps on an account. */
  readonly roomy?: readonly string[];
  readonly jobs?: Readonly<Record<string, JobHandler>>;
  /** Job name → the queue that carries it; `default` when absent. An unconfigured queue stops the start. */
  readonly jobQueues?: Readonly<Record<string, string>>;
  readonly schedules?: readonly Schedule[];
  readonly stale?: readonly StaleRows[];
  /** Starts work that goes on for as long as the process runs the schedules. `close` ends it. */
  readonly background?: () => void;
  readonly checks?: readonly ReadinessCheck[];
  /** Ends the module's work in progress, while every driver is still open. */
  close?(): void | Promise<void>;
}

/** A module with the name by which an app lists it. */
export interface NamedModule<Routes = never> extends Module<Routes> {
  readonly name: string;
}

/** Throws when a job's name breaks its convention or is claimed by two modules: either stops the start. */
export function registerJobs(modules: readonly Module<unknown>[], handlers: Map<string, JobHandler>): void {
  for (const module of modules) {
    for (const [name, handler] of Object.entries(module.jobs ?? {})) {
      registerName("job", name, handlers);
      handlers.set(name, handler);
    }
  }
}

/**
 * Fills `routes` with the queue of each job that names one. Throws when the queue is not configured or the job belongs to another module:
 * either stops the start.
 */
export function routeJobs(
  modules: readonly NamedModule<unknown>[],
  routes: Map<string, string>,
  configured: ReadonlySet<string>,
): void {
  for (const { name: module, jobs = {}, jobQueues = {} } of modules) {
    for (const [job, queue] of Object.entries(jobQueues)) {
      if (!Object.hasOwn(jobs, job)) throw new Error(`module ${module} routes the job "${job}", which is not its own`);
      if (!configured.has(queue))
        throw new Error(
          `job ${job} goes through the queue "${queue}": set ${variableOf("QUEUE_<NAME>_DRIVER", queue)}`,
        );
      routes.set(job, queue);
    }
  }
}
