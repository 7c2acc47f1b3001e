import { hostname } from "node:os";
import type { Config } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { AroundJob } from "../core/job.ts";
import type { AroundRun } from "../core/module.ts";
import type { Cache } from "../drivers/cache/index.ts";
import type { Database } from "../drivers/database/index.ts";
import type { EventBus } from "../drivers/events/index.ts";
import type { Mailer } from "../drivers/mail/index.ts";
import type { UnitOfWork } from "../drivers/queue/index.ts";
import type { RequestFacts, RequestWatch } from "../http/index.ts";
import type { Log } from "../observe/index.ts";
import { createTimeline } from "../observe/timeline.ts";
import { isTraceId, newTrace } from "../observe/trace.ts";
import { watchCalls } from "./watch/calls.ts";
import { watchCache, watchDatabase, watchEvents, watchLog, watchMailer, watchWork } from "./watch/ports.ts";
import { createRecorder } from "./record/recorder.ts";
import { watchRequests } from "./watch/requests.ts";
import { noteSessions } from "./watch/sessions.ts";
import { createSpool, type InspectMeter } from "./record/spool.ts";
import { createInspectStore } from "./record/store.ts";

export { lighthouseRoutes, takesForm } from "./pages/lighthouse.ts";

interface InspectOptions {
  readonly config: Pick<Config, "app" | "auth" | "lighthouse">;
  /** Opens the file of the inspects. */
  readonly open: () => Database;
  readonly secrets: readonly string[];
  readonly meter: InspectMeter;
  readonly clock: Clock;
  /** Where it is told that inspects can't be written. */
  readonly log: Log;
}

export type Inspects = ReturnType<typeof createInspects>;

/**
 * Records what requests, jobs, runs of schedules and commands did. Made only where inspects are on; whoever is wrapped by
 * it then is used as it is without.
 */
export function createInspects({ config, open, secrets, meter, clock, log }: InspectOptions) {
  const { maxTotal, maxBytes, maxEvents, sampleRate } = config.lighthouse;
  const timeline = createTimeline({ maxEvents });
  const store = createInspectStore({ open, maxTotal, maxBytes });
  const spool = createSpool({ store, meter, log });
  const recorder = createRecorder({
    timeline,
    spool,
    app: config.app.name,
    instance: `${hostname()}:${process.pid}`,
    secrets,
    clock,
  });

  const aroundJob: AroundJob = ({ id, name, attempt, traceId }, run) => {
    const trace = traceId !== undefined && isTraceId(traceId) ? () => newTrace(traceId) : undefined;
    const labels = { job_id: id, attempt };
    return recorder.around("jobs", trace, run, (result) => {
      const end = "value" in result ? result.value : "failed";
      const failed = end !== "done" && end !== "dropped";
      return { name, status: end, failed, reason: end === "done" ? undefined : `job_${end}`, labels };
    });
  };

  const aroundRun: AroundRun = (name, run) =>
    recorder.around("scheduler", undefined, run, (result) => {
      const ok = "value" in result && result.value;
      const reason = ok ? undefined : "schedule_failed";
      return { name, status: ok ? "done" : "failed", failed: !ok, reason, labels: {} };
    });

  return {
    store,
    log: (plain: Log): Log => watchLog(plain, timeline),
    database: (plain: Database): Database => watchDatabase(plain, timeline),
    cache: (plain: Cache): Cache => watchCache(plain, timeline),
    work: (plain: UnitOfWork): UnitOfWork => watchWork(plain, timeline),
    mailer: (plain: Mailer): Mailer => watchMailer(plain, timeline),
    events: (plain: EventBus): EventBus => watchEvents(plain, timeline),
    calls: <Request extends { readonly method: string }, Answer extends { readonly status: number }>(
      send: (url: string, request: Request) => Promise<Answer>,
    ) => watchCalls(send, timeline),
    aroundJob,
    aroundRun,

    requests(facts: RequestFacts, routes: () => readonly { readonly path: string }[]): RequestWatch {
      return watchRequests({ recorder, timeline, facts, routes, sampleRate });
    },

    sessions: (facts: RequestFacts) => noteSessions({ config, timeline, facts }),

    /** Records a command. Its arguments are not: what was typed may be a secret. */
    command: <T>(name: string, work: () => Promise<T>, isFailure: (value: T) => boolean = () => false): Promise<T> =>
      recorder.around("cli", undefined, work, (result) => {
        const failed = "error" in result || isFailure(result.value);
        const code = "error" in result && result.error instanceof AppError ? result.error.reason : "command_failed";
        return { name, status: failed ? "failed" : "done", failed, reason: failed ? code : undefined, labels: {} };
      }),

    /** Writes what is waiting. */
    async close(): Promise<void> {
      await spool.close();
      await store.close();
    },
  };
}
