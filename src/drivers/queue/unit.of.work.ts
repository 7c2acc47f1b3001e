import type { Database } from "../database/index.ts";
import type { Queue, UnitOfWork } from "./index.ts";

/** Commits changes to `database` together with the jobs that `queue` accepts for them. */
export const createUnitOfWork = (database: Database, queue: Pick<Queue, "accept">): UnitOfWork => ({
  async commit({ statements = [], jobs = [] }) {
    const accepted = queue.accept(jobs);
    const result = await database.batch([...statements, ...accepted.statements]);
    if (!result.applied) return result;
    await accepted.deliver();
    return { applied: true, results: result.results.slice(0, statements.length) };
  },
});
