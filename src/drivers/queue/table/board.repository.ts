import type { Millis } from "../../../core/clock.ts";
import { computed, sql, together, type Database, type RowOf } from "../../database/index.ts";
import { depthOf, jobColumns, type QueueDepth } from "./job.columns.ts";

const columns = jobColumns.except("payload", "state", "retryForMs", "traceId", "finishedAt");
/** A job that waits for an attempt or is in hand, as its row says. */
export type StoredJob = RowOf<typeof columns>;

interface OfQueue {
  readonly queue: string;
  readonly app: string;
  readonly now: Millis;
}

const free = "state = 'pending' and (leased_until is null or leased_until <= $now)";

/** A count that stops at a bound: nobody needs to know exactly how many of a flood wait. */
const upTo = (condition: string): string =>
  `(select count(*) from (select 1 from jobs where queue = $queue and app = $app and ${condition} limit $most) as counted)`;

const mostQueues = 100;

const texts = {
  nextQueue: sql`select ${jobColumns.pick("queue")} from jobs where queue > $last order by queue limit 1`,
  depth: sql`select ${depthOf({
    ready: upTo(`${free} and available_at <= $now`),
    delayed: upTo(`${free} and available_at > $now`),
    leased: upTo("state = 'pending' and leased_until > $now"),
    dead: upTo("state = 'dead'"),
  })}`,
  due: sql`select ${computed<{ jobs: number; oldest: Millis | null }>({
    jobs: upTo(`${free} and available_at <= $now`),
    oldest: `(select available_at from jobs where queue = $queue and app = $app and ${free} and available_at <= $now
      order by available_at limit 1)`,
  })}`,
  running: sql`select ${columns} from jobs where leased_until > $now and state = 'pending'
    order by leased_until desc, id limit $limit`,
  waiting: sql`select ${columns} from jobs where queue = $queue and app = $app and ${free}
    order by available_at, id limit $limit`,
  deadNames: sql`select ${together(jobColumns.pick("name"), computed<{ count: number }>({ count: "count(*)" }))} from
      (select name from jobs where state = 'dead' and finished_at is not null order by finished_at desc limit $most) as latest
    group by name order by count(*) desc, name`,
};

export type JobBoard = ReturnType<typeof createJobBoard>;

/** Reads of the stored jobs of every queue and app, for people to look at. None grows with the number of jobs. */
export const createJobBoard = (db: Database) => ({
  /**
   * Returns the names of the queues that hold a job of any app. Each step leaps to the next name in the index, past all jobs of the last
   * name.
   */
  async queues(): Promise<readonly string[]> {
    const found: string[] = [];
    while (found.length < mostQueues) {
      const next = await db.get(texts.nextQueue, { last: found.at(-1) ?? "" });
      if (next === undefined) break;
      found.push(next.queue);
    }
    return found;
  },

  /** Returns how many jobs are in each state; each number stops at `most`. */
  async depth({ queue, app, now, most }: OfQueue & { readonly most: number }): Promise<QueueDepth> {
    const row = await db.get(texts.depth, { queue, app, now, most });
    return row ?? { ready: 0, delayed: 0, leased: 0, dead: 0 };
  },

  /** Returns how many jobs are due and in nobody's hand, at most `most`, and since when the first of them is due. */
  async due({ queue, app, now, most }: OfQueue & { readonly most: number }) {
    return (await db.get(texts.due, { queue, app, now, most })) ?? { jobs: 0, oldest: null };
  },

  /** Returns jobs that a worker has in hand, the latest taken first. */
  running: (now: Millis, limit: number) => db.all(texts.running, { now, limit }),

  /** Returns jobs that wait, the first due first. */
  waiting: ({ queue, app, now, limit }: OfQueue & { readonly limit: number }) =>
    db.all(texts.waiting, { queue, app, now, limit }),

  /** Returns the names of the dead letters, with how many of the latest `most` each has. */
  deadNames: (most: number) => db.all(texts.deadNames, { most }),
});
