import { computed, sql, together, type Database } from "../../database/index.ts";
import type { JobBoard } from "../index.ts";
import { depthOf, jobColumns } from "./job.columns.ts";

const columns = jobColumns.except("payload", "state", "retryForMs", "traceId", "finishedAt");

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
  running: sql`select ${columns} from jobs where leased_until > $now and state = 'pending'
    order by leased_until desc, id limit $limit`,
  waiting: sql`select ${columns} from jobs where queue = $queue and app = $app and ${free}
    order by available_at, id limit $limit`,
  deadNames: sql`select ${together(jobColumns.pick("name"), computed<{ count: number }>({ count: "count(*)" }))} from
      (select name from jobs where state = 'dead' and finished_at is not null order by finished_at desc limit $most) as latest
    group by name order by count(*) desc, name`,
};

/** Reads of the stored jobs of every queue and app, none of which grows with the number of jobs. */
export const createJobBoard = (db: Database): JobBoard => ({
  /** Each step leaps to the next name in the index, past all jobs of the last name. */
  async queues() {
    const found: string[] = [];
    while (found.length < mostQueues) {
      const next = await db.get(texts.nextQueue, { last: found.at(-1) ?? "" });
      if (next === undefined) break;
      found.push(next.queue);
    }
    return found;
  },

  async depth({ queue, app, now, most }) {
    const row = await db.get(texts.depth, { queue, app, now, most });
    return row ?? { ready: 0, delayed: 0, leased: 0, dead: 0 };
  },

  running: (now, limit) => db.all(texts.running, { now, limit }),

  waiting: ({ queue, app, now, limit }) => db.all(texts.waiting, { queue, app, now, limit }),

  deadNames: (most) => db.all(texts.deadNames, { most }),
});
