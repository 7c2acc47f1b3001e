import type { Database } from "../database/index.ts";
import type { JobBoard, QueueDepth, StoredJob } from "./index.ts";

const columns = `id, app, queue, name, attempts, max_attempts as "maxAttempts", retry_until as "retryUntil",
  created_at as "createdAt", available_at as "availableAt", leased_until as "leasedUntil", last_error as "lastError"`;

const free = "state = 'pending' and (leased_until is null or leased_until <= $now)";

/** A count that ends at a bound: nobody needs to know exactly how many of a flood wait. */
const upTo = (condition: string): string =>
  `(select count(*) from (select 1 from jobs where queue = $queue and app = $app and ${condition} limit $most) as counted)`;

const mostQueues = 100;

/** Reads of the stored jobs of every queue and app, none of which grows with the number of jobs. */
export const createJobBoard = (db: Database): JobBoard => ({
  /** Each step leaps to the next name in the index, past all jobs of the one before. */
  async queues() {
    const found: string[] = [];
    while (found.length < mostQueues) {
      const next = await db.get<{ queue: string }>(
        "select queue from jobs where queue > $last order by queue limit 1",
        { last: found.at(-1) ?? "" },
      );
      if (next === undefined) break;
      found.push(next.queue);
    }
    return found;
  },

  async depth({ queue, app, now, most }) {
    const row = await db.get<QueueDepth>(
      `select
         ${upTo(`${free} and available_at <= $now`)} as ready,
         ${upTo(`${free} and available_at > $now`)} as delayed,
         ${upTo("state = 'pending' and leased_until > $now")} as leased,
         ${upTo("state = 'dead'")} as dead`,
      { queue, app, now, most },
    );
    return row ?? { ready: 0, delayed: 0, leased: 0, dead: 0 };
  },

  running: (now, limit) =>
    db.all<StoredJob>(
      `select ${columns} from jobs where leased_until > $now and state = 'pending'
       order by leased_until desc, id limit $limit`,
      { now, limit },
    ),

  waiting: ({ queue, app, now, limit }) =>
    db.all<StoredJob>(
      `select ${columns} from jobs where queue = $queue and app = $app and ${free} order by available_at, id limit $limit`,
      { queue, app, now, limit },
    ),

  deadNames: (most) =>
    db.all<{ name: string; count: number }>(
      `select name, count(*) as count from
         (select name from jobs where state = 'dead' and finished_at is not null order by finished_at desc limit $most) as latest
       group by name order by count(*) desc, name`,
      { most },
    ),
});
