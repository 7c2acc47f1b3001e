import { hostname } from "node:os";
import type { Config } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import type { Cache } from "../drivers/cache/index.ts";
import type { Database } from "../drivers/database/index.ts";
import type { EventBus } from "../drivers/events/index.ts";
import type { Mailer } from "../drivers/mail/index.ts";
import type { UnitOfWork } from "../drivers/queue/index.ts";
import type { RequestFacts, RequestWatch } from "../http/index.ts";
import type { Log } from "../observe/index.ts";
import { createTimeline } from "../observe/timeline.ts";
import { createRecorder } from "./record/recorder.ts";
import { createSpool, type InspectMetrics } from "./record/spool.ts";
import { createInspectReader, createInspectStore, type OtherApp } from "./record/store.ts";
import { watchCalls } from "./watch/calls.ts";
import { watchCache, watchDatabase, watchEvents, watchLog, watchMailer, watchWork } from "./watch/ports.ts";
import { watchRequests } from "./watch/requests.ts";
import { sessionListener } from "./watch/sessions.ts";
import { watchCommands, watchJobs, watchRuns } from "./watch/tasks.ts";

export { lighthouseRoutes, takesForm } from "./lighthouse/lighthouse.ts";

interface InspectOptions {
  readonly config: Pick<Config, "app" | "auth" | "lighthouse">;
  readonly open: () => Database;
  /** Another app on this host, whose inspects can be looked at as well. */
  readonly other?: OtherApp | undefined;
  readonly secrets: readonly string[];
  readonly metrics: InspectMetrics;
  readonly clock: Clock;
  /** Gets a warning when inspects can't be written. */
  readonly log: Log;
}

export type Inspects = ReturnType<typeof createInspects>;

/**
 * Records what requests, jobs, runs of schedules and commands did. Only a process with inspects makes one; without it, their code runs
 * unwrapped.
 */
export function createInspects({ config, open, other, secrets, metrics, clock, log }: InspectOptions) {
  const { maxTotal, maxBytes, maxEvents, sampleRate } = config.lighthouse;
  const timeline = createTimeline({ maxEvents });
  const store = createInspectStore({ open, maxTotal, maxBytes });
  const spool = createSpool({ store, metrics, log });
  const recorder = createRecorder({
    timeline,
    spool,
    app: config.app.name,
    instance: `${hostname()}:${process.pid}`,
    secrets,
    clock,
  });

  return {
    store,
    reader: createInspectReader({ app: config.app.name, store, other, log }),
    log: (plain: Log): Log => watchLog(plain, timeline),
    database: (plain: Database): Database => watchDatabase(plain, timeline),
    cache: (plain: Cache): Cache => watchCache(plain, timeline),
    work: (plain: UnitOfWork): UnitOfWork => watchWork(plain, timeline),
    mailer: (plain: Mailer): Mailer => watchMailer(plain, timeline),
    events: (plain: EventBus): EventBus => watchEvents(plain, timeline),
    calls: <Request extends { readonly method: string }, Answer extends { readonly status: number }>(
      send: (url: string, request: Request) => Promise<Answer>,
    ) => watchCalls(send, timeline),
    watchJob: watchJobs(recorder, timeline),
    watchRun: watchRuns(recorder),
    command: watchCommands(recorder),

    requests: (facts: RequestFacts, routes: () => readonly { readonly path: string }[]): RequestWatch =>
      watchRequests({ recorder, timeline, facts, routes, sampleRate }),

    auth: (facts: RequestFacts) => ({
      session: sessionListener({ config, timeline, facts }),
      concerns: timeline.concerns,
    }),

    /** Writes the waiting inspects and closes the file. */
    async close(): Promise<void> {
      await spool.close();
      await store.close();
    },
  };
}
