import type { Database } from "./index.ts";

/** What counts the operations; the application's metrics fit. */
interface DatabaseMeter {
  /** What to call when such an operation has ended, with the time at which it began (`performance.now()`). */
  operation(name: "get" | "all" | "run" | "batch"): (startedAt: number, ok: boolean) => void;
}

/** The same database, its operations counted. Hands the driver's own promises on: the caller waits for no further one. */
export function meterDatabase(database: Database, meter: DatabaseMeter): Database {
  const watch =
    (ended: (startedAt: number, ok: boolean) => void) =>
    <T>(startedAt: number, result: Promise<T>): Promise<T> => {
      void result.then(
        () => ended(startedAt, true),
        () => ended(startedAt, false),
      );
      return result;
    };
  const got = watch(meter.operation("get"));
  const listed = watch(meter.operation("all"));
  const ran = watch(meter.operation("run"));
  const batched = watch(meter.operation("batch"));
  return {
    ...database,
    get: (sql, params) => got(performance.now(), database.get(sql, params)),
    all: (sql, params) => listed(performance.now(), database.all(sql, params)),
    run: (sql, params) => ran(performance.now(), database.run(sql, params)),
    batch: (statements) => batched(performance.now(), database.batch(statements)),
  };
}
