import type { Job } from "../../core/job.ts";
import type { Database, Statement } from "../database/index.ts";
import type { Queue } from "./index.ts";
import { encodeJob } from "./payload.ts";

export interface RoutedQueue {
  readonly queue: Queue;
  /** Of a queue in the application's database: what accepts a job there, to be committed with other rows. */
  readonly insert?: (job: Job) => Statement;
}

export interface RouterOptions {
  readonly queues: ReadonlyMap<string, RoutedQueue>;
  /** The queue that carries the jobs of this name. */
  readonly queueOf: (job: string) => string;
  readonly database: Database;
  readonly onEnqueue?: (() => void) | undefined;
}

/** Many queues behind one: each job goes to the one that its name belongs to. */
export function createQueueRouter({ queues, queueOf, database, onEnqueue }: RouterOptions): Queue {
  function routeOf(job: Job): RoutedQueue {
    const name = queueOf(job.name);
    const route = queues.get(name);
    if (route === undefined)
      throw new Error(`job ${job.name} goes through the queue "${name}", which is not configured`);
    return route;
  }
  const main = queues.get("default");
  if (main === undefined) throw new Error("there is no default queue");

  /** Rows and the jobs of this database in one batch; the others follow once it is committed. */
  async function commitMixed(statements: readonly Statement[], jobs: readonly Job[]) {
    const inserts: Statement[] = [];
    const later: Job[] = [];
    for (const job of jobs) {
      const { insert } = routeOf(job);
      if (insert === undefined) {
        encodeJob(job);
        later.push(job);
      } else inserts.push(insert(job));
    }
    const result = await database.batch([...statements, ...inserts]);
    if (!result.applied) return result;
    if (inserts.length > 0) onEnqueue?.();
    for (const job of later) await routeOf(job).queue.enqueue(job);
    return { applied: true, results: result.results.slice(0, statements.length) } as const;
  }

  return {
    driver: main.queue.driver,
    name: main.queue.name,
    async commit(statements, jobs) {
      const routes = new Set(jobs.map(routeOf));
      const [only = main] = routes;
      return routes.size > 1 ? commitMixed(statements, jobs) : only.queue.commit(statements, jobs);
    },
    enqueue: async (job) => routeOf(job).queue.enqueue(job),
    async ping() {
      for (const { queue } of queues.values()) await queue.ping();
    },
  };
}
