import type { Millis } from "../../../core/clock.ts";
import { computed, sql, together, type Database, type RowOf, type Statement } from "../../database/index.ts";
import { jobColumns } from "./job.columns.ts";

/** A dead row's `finished_at` is the time of its death. */
const columns = together(
  jobColumns.pick("id", "app", "queue", "name", "attempts", "createdAt"),
  computed<{ failedAt: Millis; error: string }>({ failedAt: "finished_at", error: "coalesce(last_error, '')" }),
);

/**
 * A job that used up its attempts. `app` is the one whose workers have tried it. The error of the last attempt is in the words of its
 * handler: redact it before it is shown.
 */
export type DeadJob = RowOf<typeof columns>;

/** A dead letter with its name, and the app and queue whose workers take it. */
const named = jobColumns.pick("id", "app", "queue", "name");
type DeadName = RowOf<typeof named>;

const found = sql`select ${named} from jobs where id = $id and state = 'dead'`;

/**
 * A job with a deadline gets a new one. More attempts are granted instead of the old ones taken back: the number of an attempt fences it,
 * and never goes back.
 */
const revive = `update jobs set state = 'pending', max_attempts = attempts + $maxAttempts, available_at = $now,
  retry_until = $now + retry_for, leased_until = null, finished_at = null`;

interface Retry {
  readonly maxAttempts: number;
  readonly now: Millis;
}

const filterBy = (name: string | undefined) =>
  name === undefined ? { where: "", params: {} } : { where: "and name = $name", params: { name } };

/** The `dead` rows of every queue and app: what JobRepository leaves to an operator. */
export const createDeadLetterRepository = (db: Database) => ({
  async list(name: string | undefined, limit: number): Promise<readonly DeadJob[]> {
    const { where, params } = filterBy(name);
    return db.all(
      sql`select ${columns} from jobs
       where state = 'dead' and finished_at is not null ${where}
       order by finished_at desc, id desc limit $limit`,
      { ...params, limit },
    );
  },

  /** Returns at most `limit` of the jobs that died up to `now`: a job that dies again meanwhile is not among them. */
  find: (name: string | undefined, limit: number, now: Millis): Promise<DeadName[]> => {
    const { where, params } = filterBy(name);
    return db.all(
      sql`select ${named} from jobs where state = 'dead' and finished_at <= $now ${where} order by finished_at, id limit $limit`,
      { ...params, now, limit },
    );
  },

  findOne: (id: string): Promise<DeadName | undefined> => db.get(found, { id }),

  /** Guards its batch: nothing else is written where none of the jobs is dead any more. */
  retry(ids: readonly string[], { maxAttempts, now }: Retry): Statement {
    const params = Object.fromEntries(ids.map((id, index) => [`id${index}`, id]));
    const list = ids.map((_, index) => `$id${index}`).join(", ");
    return {
      sql: `${revive} where state = 'dead' and id in (${list})`,
      params: { ...params, maxAttempts, now },
      guard: true,
    };
  },

  /** Makes dead letters of at most `limit` jobs that have been due since `before` without being taken. Resolves to how many. */
  async burySome(before: Millis, limit: number, now: Millis): Promise<number> {
    const forgotten =
      "state = 'pending' and available_at <= $before and (leased_until is null or leased_until <= $before)";
    const { changes } = await db.run(
      `update jobs set state = 'dead', finished_at = $now, leased_until = null, last_error = $error
       where ${forgotten} and id in (select id from jobs where ${forgotten} limit $limit)`,
      { before, limit, now, error: "no worker has taken it: is its queue or its webhook still configured?" },
    );
    return changes;
  },

  /** Deletes at most `limit` of the jobs that died up to `before`. Resolves to how many. */
  async deleteSome(before: Millis, limit: number): Promise<number> {
    const { changes } = await db.run(
      `delete from jobs where state = 'dead' and id in (
         select id from jobs where state = 'dead' and finished_at <= $before limit $limit)`,
      { before, limit },
    );
    return changes;
  },
});
