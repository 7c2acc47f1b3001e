import type { Database, SqlValue, Statement } from "../database/index.ts";
import type { JobMentions, MentionedJob, PayloadField } from "./index.ts";

const mostListed = 100;

/** The condition that a stored payload holds one of the fields. The text of a payload is what JSON.stringify made of it. */
function holdsOne(fields: readonly PayloadField[]): { condition: string; params: Record<string, SqlValue> } {
  const params: Record<string, SqlValue> = {};
  const conditions = fields.map(({ field, value }, index) => {
    const written = `${JSON.stringify(field)}:${JSON.stringify(value)}`;
    params[`field${index}`] = `%${written.replaceAll(/[\\%_]/g, String.raw`\$&`).toLowerCase()}%`;
    return String.raw`lower(payload) like $field${index} escape '\'`;
  });
  // Without fields no job is meant.
  return { condition: conditions.length === 0 ? "1 = 0" : conditions.join(" or "), params };
}

/** Jobs by what their payload says, in all queues of the `database` driver and of all apps. Both read the whole table. */
export const createJobMentions = (db: Database): JobMentions => ({
  list(fields) {
    const { condition, params } = holdsOne(fields);
    return db.all<MentionedJob>(
      `select name, state, attempts, created_at as "createdAt" from jobs where ${condition}
       order by created_at desc, id desc limit ${mostListed}`,
      params,
    );
  },

  drop(fields): Statement {
    const { condition, params } = holdsOne(fields);
    return { sql: `delete from jobs where ${condition}`, params };
  },
});
