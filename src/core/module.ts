import type { Millis } from "./clock.ts";
import type { HeldBack } from "./clock.trust.ts";
import type { JobHandler } from "./job.ts";
import { registerName, variableOf } from "./naming.ts";

export interface Schedule {
  /** `category:cadence` or `category:action`. */
  readonly name: string;
  /** Five-field cron expression, UTC. */
  readonly cron: string;
  /** Resolves with what was held back, where it deletes by age and the clock can't be trusted: it is run again once that can be. */
  run(signal: AbortSignal): Promise<HeldBack | undefined | void>;
}

/** Wraps a run of a schedule in order to record it: starts the run, and resolves with whether it went well. */
export type WatchRun = (schedule: string, run: () => Promise<boolean>) => Promise<boolean>;

export interface ReadinessCheck {
  readonly type: "db" | "storage" | "cache" | "queue" | "events" | "component";
  readonly name: string;
  readonly driver: string;
  /** Whether requests are served all the same while it rejects: its failure is told, and takes no traffic away. */
  readonly optional?: boolean;
  /** Rejects when the dependency can't serve. */
  check(): Promise<void>;
}

/** Rows that no request needs any more. `auth:cleanup`, as a schedule and as a command, deletes those of all modules. */
export interface StaleRows {
  /** What the log of the cleanup calls them, such as `expired_sessions`. */
  readonly name: string;
  /** Deletes at most `limit` of them and resolves to how many it deleted; fewer than `limit` means that none is left. */
  deleteSome(now: Millis, limit: number): Promise<number>;
  /** How many there are. */
  count(now: Millis): Promise<number>;
}

/** A route as the API reference reads it: `hooks` has its schemas and its `detail`. */
export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly hooks: object;
}

/** What a feature contributes to an app. src/main.ts and src/admin.ts list the modules of their app; src/app wires them up. */
export interface Module<Routes = never> {
  readonly routes?: Routes;
  /** Routes that no configuration asks for. The API reference has them all the same, so that it does not differ by deployment. */
  readonly described?: readonly DescribedRoute[];
  /** Paths to which pages of other sites may post a form: the cross-site check lets that through, and the body is read as a form. */
  readonly awaitedForms?: readonly string[];
  /** Whether browsers navigate to a path of the module and get redirects: no script of another origin may call it. */
  readonly isNavigated?: (path: string) => boolean;
  /** Whether a path is a page's that looks absent to every method it does not take: nobody is told by a 405 what is there. */
  readonly isHidden?: (path: string) => boolean;
  /** Whether a path takes a form from a page of the module's own. */
  readonly takesForm?: (path: string) => boolean;
  /** Paths of JSON routes whose body may also come as a form, as standards for programs have it. The cross-site check holds. */
  readonly takesFields?: readonly string[];
  readonly jobs?: Readonly<Record<string, JobHandler>>;
  /** Job name → the queue that carries it, `default` when absent. One that is not configured stops the start. */
  readonly jobQueues?: Readonly<Record<string, string>>;
  readonly schedules?: readonly Schedule[];
  readonly stale?: readonly StaleRows[];
  /** Begins what goes on for as long as a process runs the schedules. `close` ends it. */
  readonly background?: () => void;
  readonly checks?: readonly ReadinessCheck[];
  /** Ends what the module has under way, while every driver is still open. */
  close?(): void | Promise<void>;
}

/** A module with the name by which an app lists it. */
export interface NamedModule<Routes = never> extends Module<Routes> {
  readonly name: string;
}

/** Throws on a job's name that breaks its convention, or that two modules claim: both stop the start. */
export function registerJobs(modules: readonly Module<unknown>[], handlers: Map<string, JobHandler>): void {
  for (const module of modules) {
    for (const [name, handler] of Object.entries(module.jobs ?? {})) {
      registerName("job", name, handlers);
      handlers.set(name, handler);
    }
  }
}

/** Fills `routes` with the queue of each job that names one. Throws when the queue is not configured or the job is not the module's: both stop the start. */
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
