import type { JobHandler } from "./job.ts";

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
  /** Job name → the queue that carries it, `default` when absent. One that is not configured stops the start. */
  readonly jobQueues?: Readonly<Record<string, string>>;
  readonly schedules?: readonly Schedule[];
  readonly checks?: readonly ReadinessCheck[];
}
