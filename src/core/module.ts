import type { JobHandler } from "./job.ts";
import { registerName } from "./naming.ts";

export interface Schedule {
  /** `category:cadence` or `category:action`. */
  readonly name: string;
  /** Five-field cron expression, UTC. */
  readonly cron: string;
  run(signal: AbortSignal): Promise<void>;
}

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
