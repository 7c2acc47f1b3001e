import type { Database as Connection, Statement as Prepared } from "bun:sqlite";
import { type Params, refuseUnnamed, replaceParameters } from "../parameters.ts";

/** The caller of the port names the type of the rows; `never` is assignable to each such type without a cast. */
export type CachedStatement = Prepared<never, [Params]>;

/**
 * Passed in place of absent parameters: bun:sqlite runs a statement that gets no argument with the values bound last, which may be another
 * request's. With an empty object a missing parameter is an error (strict mode).
 */
export const noParams: Params = {};

const limit = 256;

function namesIn(sql: string): ReadonlySet<string> {
  const names = new Set<string>();
  replaceParameters(sql, (name) => {
    names.add(name);
    return "";
  });
  return names;
}

/**
 * Keeps prepared statements by their text. A statement is prepared on first use, since there is no table to prepare against before the
 * first migration; beyond the limit the oldest is dropped. The parameters of the first use are compared with those that the text names.
 *
 * In a join, `where s.id = $id` makes SQLite prepare the statement anew on each binding, because its statistics (STAT4) depend on the
 * value: 6.8 µs instead of the 0.9 µs of `where s.id in ($id)`.
 */
export function createStatementCache(connection: Connection, check?: (statement: CachedStatement) => void) {
  const cached = new Map<string, CachedStatement>();
  return (sql: string, params: Params): CachedStatement => {
    const known = cached.get(sql);
    if (known !== undefined) return known;
    refuseUnnamed(namesIn(sql), params);
    const statement = connection.prepare<never, [Params]>(sql);
    check?.(statement);
    if (cached.size >= limit) {
      for (const [oldest, finished] of cached) {
        finished.finalize();
        cached.delete(oldest);
        break;
      }
    }
    cached.set(sql, statement);
    return statement;
  };
}
