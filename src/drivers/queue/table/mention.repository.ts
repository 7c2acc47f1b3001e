import { sql, type Database, type SqlValue, type Statement } from "../../database/index.ts";
import { jobColumns } from "./job.columns.ts";

/** A field of a job's payload with the text in it; upper and lower case count as the same. */
export interface PayloadField {
  readonly field: string;
  readonly value: string;
}

/** The state is `pending`, or `dead` for a job that is kept for an operator. */
const columns = jobColumns.pick("name", "state", "attempts", "createdAt");
const mostListed = 100;

/** Returns the condition that a stored payload holds one of the fields. The text of a payload is what JSON.stringify made of it. */
function holdsOne(fields: readonly PayloadField[]): { condition: string; params: Record<string, SqlValue> } {
  const params: Record<string, SqlValue> = {};
  const conditions = fields.map(({ field, value }, index) => {
    const written = `${JSON.stringify(field)}:${JSON.stringify(value)}`;
    params[`field${index}`] = `%${written.replaceAll(/[\\%_]/g, String.raw`\$&`).toLowerCase()}%`;
    return String.raw`lower(payload) like $field${index} escape '\'`;
  });
  // Without fields no job matches.
  return { condition: conditions.length === 0 ? "1 = 0" : conditions.join(" or "), params };
}

interface MentionOptions {
  /** Skips queues whose names begin so: there may be hundreds of thousands of jobs in them, and nothing that is looked for. */
  readonly exceptQueues?: string;
}

export type JobMentions = ReturnType<typeof createJobMentions>;

/**
 * Finds jobs by their payload, in the queues of the `database` driver and of all apps. Both reads go through every job of these queues,
 * while everybody else waits. A worker that has such a job in hand loses its lease when it is dropped.
 */
export function createJobMentions(db: Database, { exceptQueues }: MentionOptions = {}) {
  /** A range of names, which the index of the queues serves: names that begin so end before the next code unit. */
  const range = exceptQueues && {
    queuesFrom: exceptQueues,
    queuesTo: exceptQueues.slice(0, -1) + String.fromCharCode(exceptQueues.charCodeAt(exceptQueues.length - 1) + 1),
  };

  function mentioning(fields: readonly PayloadField[]) {
    const { condition, params } = holdsOne(fields);
    return range
      ? {
          condition: `(queue < $queuesFrom or queue >= $queuesTo) and (${condition})`,
          params: { ...params, ...range },
        }
      : { condition, params };
  }

  return {
    /** Returns the jobs that have one of the fields, newest first, at most 100. */
    list(fields: readonly PayloadField[]) {
      const { condition, params } = mentioning(fields);
      return db.all(
        sql`select ${columns} from jobs where ${condition}
         order by created_at desc, id desc limit ${mostListed}`,
        params,
      );
    },

    /** Returns which of these jobs have not come to an end: they wait for an attempt, or are in hand. */
    async pending(ids: readonly string[]): Promise<readonly string[]> {
      if (ids.length === 0) return [];
      const params = Object.fromEntries(ids.map((id, index) => [`id${index}`, id]));
      const names = Object.keys(params).map((name) => `$${name}`);
      const text = sql`select ${jobColumns.pick("id")} from jobs where state = 'pending' and id in (${names.join(", ")})`;
      return (await db.all(text, params)).map(({ id }) => id);
    },

    /** Deletes the jobs, in the batch of the change after which nobody needs them. */
    drop(fields: readonly PayloadField[]): Statement {
      const { condition, params } = mentioning(fields);
      return { sql: `delete from jobs where ${condition}`, params };
    },
  };
}
