import type { Config } from "../../config/index.ts";
import { timestamp, type Clock } from "../../core/clock.ts";
import type { DeadLetters, QueueDepth } from "../../drivers/queue/index.ts";
import { createRedactor } from "../../observe/redact.ts";
import type { Runtime } from "../pages/runtime.ts";

/** The parts of the app that report its state. Each may fail without the rest. */
export interface RuntimeSources {
  readonly build: { readonly version: string; readonly revision: string };
  readonly routes: () => readonly { readonly method: string; readonly path: string }[];
  readonly schedules: () => readonly { readonly name: string; readonly cron: string; readonly nextRunAt: number }[];
  readonly queues: readonly {
    readonly name: string;
    readonly driver: string;
    readonly app: string;
    readonly depth?: () => Promise<QueueDepth>;
  }[];
  readonly deadLetters: DeadLetters;
  readonly readiness: () => Promise<
    readonly {
      readonly type: string;
      readonly name: string;
      readonly driver: string;
      readonly status: "ok" | "failed";
      readonly duration_ms: number;
      readonly error?: string;
    }[]
  >;
  readonly migrations: () => Promise<readonly { readonly id: string; readonly kind: string; readonly state: string }[]>;
  /** Undefined where the app has no maintenance mode. */
  readonly maintenance?: () => Promise<{ readonly on: boolean; readonly reason?: string }>;
  readonly inspects?: () => Promise<{ readonly records: number; readonly bytes: number }>;
}

interface RuntimeOptions {
  readonly config: Pick<Config, "app" | "mail" | "maintenance">;
  readonly sources: RuntimeSources;
  readonly secrets: readonly string[];
  readonly clock: Clock;
}

const mostFailedJobs = 50;

export function createRuntime({ config, sources, secrets, clock }: RuntimeOptions) {
  const redact = createRedactor(secrets);
  const startedAt = timestamp(Math.round(clock.now() - performance.now()));

  async function one<T extends object>(find: () => Promise<T>): Promise<T | { error: string }> {
    try {
      return await find();
    } catch (error) {
      return { error: redact.text(error instanceof Error ? error.message : String(error)) };
    }
  }
  async function items<T>(find: () => Promise<readonly T[]>): Promise<{ items: T[]; error?: string }> {
    return { items: [], ...(await one(async () => ({ items: [...(await find())] }))) };
  }

  return async (): Promise<Runtime> => {
    const [checks, migrations, queues, failedJobs, schedules, maintenance, inspects] = await Promise.all([
      items(async () =>
        (await sources.readiness()).map(({ error, ...check }) => ({
          ...check,
          ...(error !== undefined && { error: redact.text(error) }),
        })),
      ),
      items(async () => (await sources.migrations()).map(({ id, kind, state }) => ({ id, kind, state }))),
      items(() => Promise.all(sources.queues.map(async ({ depth, ...queue }) => ({ ...queue, ...(await depth?.()) })))),
      items(async () =>
        (await sources.deadLetters.list({ limit: mostFailedJobs })).map((job) => ({
          id: job.id,
          app: job.app,
          queue: job.queue,
          name: job.name,
          attempts: job.attempts,
          failed_at: timestamp(job.failedAt),
          error: redact.text(job.error),
        })),
      ),
      items(async () =>
        sources.schedules().map(({ name, cron, nextRunAt }) => ({ name, cron, next_run_at: timestamp(nextRunAt) })),
      ),
      one(async () => (await sources.maintenance?.()) ?? {}),
      one(async () => (await sources.inspects?.()) ?? {}),
    ]);
    return {
      app: config.app.name,
      env: config.app.env,
      version: sources.build.version,
      revision: sources.build.revision,
      runtime: `bun ${Bun.version}`,
      pid: process.pid,
      started_at: startedAt,
      mail: { driver: config.mail.driver },
      maintenance: { driver: config.maintenance.driver, ...maintenance },
      inspects: { recording: sources.inspects !== undefined, ...inspects },
      checks,
      migrations,
      queues,
      failed_jobs: failedJobs,
      schedules,
      routes: { items: sources.routes().map(({ method, path }) => ({ method, path })) },
    };
  };
}
