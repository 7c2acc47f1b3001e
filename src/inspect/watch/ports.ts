import type { Job } from "../../core/job.ts";
import type { Cache } from "../../drivers/cache/index.ts";
import type { BatchResult, Database, Params, RunResult, Sql, WriteOptions } from "../../drivers/database/index.ts";
import type { EventBus } from "../../drivers/events/index.ts";
import type { Mailer } from "../../drivers/mail/index.ts";
import type { UnitOfWork } from "../../drivers/queue/index.ts";
import type { Log, LogFields, LogLevel } from "../../observe/index.ts";
import { timed, type Recording, type Timeline } from "../../observe/timeline.ts";

// Each function wraps a port. The result does the same, and adds each call to the recording of its caller. Only a process with inspects
// applies the functions.

/** Records also the lines below the log's level, which are not printed. */
export function watchLog(log: Log, timeline: Timeline, context: LogFields = {}): Log {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      log[level](message, fields);
      timeline.record({ kind: "log", level, name: level, message, attributes: { ...context, ...fields } });
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => watchLog(log.with(fields), timeline, { ...context, ...fields }),
  };
}

const countRows = (count: number): string => `${count} ${count === 1 ? "row" : "rows"}`;

/** Records the text of statements, which is the program's own, but never the values bound to them. */
export function watchDatabase(database: Database, timeline: Timeline): Database {
  function query<T>(
    recording: Recording,
    operation: "get" | "all" | "run",
    sql: string,
    rowsOf: (result: T) => number,
    call: () => Promise<T>,
  ): Promise<T> {
    const describe = (result: T) => {
      const rows = rowsOf(result);
      return { message: countRows(rows), attributes: { rows } };
    };
    return timed(timeline, recording, { kind: "query", name: operation, attributes: { sql }, describe }, call);
  }
  function describeBatch(result: BatchResult) {
    if (!result.applied) return { message: `undone by statement ${result.failedGuard + 1}`, attributes: { ...result } };
    const rows = result.results.map(({ changes }) => changes);
    return { message: countRows(rows.reduce((sum, count) => sum + count, 0)), attributes: { applied: true, rows } };
  }

  return {
    dialect: database.dialect,
    close: database.close,
    get<Row>(sql: Sql<Row>, params?: Params) {
      const recording = timeline.current();
      const call = () => database.get(sql, params);
      const rows = (row: Row | undefined): number => (row === undefined ? 0 : 1);
      return recording === undefined ? call() : query(recording, "get", sql, rows, call);
    },
    all<Row>(sql: Sql<Row>, params?: Params) {
      const recording = timeline.current();
      const call = () => database.all(sql, params);
      return recording === undefined ? call() : query(recording, "all", sql, (rows: Row[]) => rows.length, call);
    },
    run<Row>(sql: Sql<Row>, params?: Params, options?: WriteOptions) {
      const recording = timeline.current();
      const call = () => database.run(sql, params, options);
      const rows = ({ changes }: RunResult<Row>): number => changes;
      return recording === undefined ? call() : query(recording, "run", sql, rows, call);
    },
    batch(statements, ...options) {
      const recording = timeline.current();
      const call = () => database.batch(statements, ...options);
      if (recording === undefined) return call();
      const attributes = { sql: statements.map(({ sql }) => sql) };
      return timed(timeline, recording, { kind: "query", name: "batch", attributes, describe: describeBatch }, call);
    },
  };
}

/** Records keys, but never values. */
export function watchCache(cache: Cache, timeline: Timeline): Cache {
  function operation<T>(
    name: "get" | "set" | "delete",
    key: string,
    call: () => Promise<T>,
    toMessage: (result: T) => string,
  ) {
    const recording = timeline.current();
    if (recording === undefined) return call();
    const attributes = { cache: cache.name, driver: cache.driver, key };
    const describe = (result: T) => ({ message: toMessage(result), attributes: {} });
    return timed(timeline, recording, { kind: "cache", name, attributes, describe }, call);
  }
  return {
    ...cache,
    get: (key) =>
      operation(
        "get",
        key,
        () => cache.get(key),
        (value) => (value === undefined ? "miss" : "hit"),
      ),
    set: (key, value, options) =>
      operation(
        "set",
        key,
        () => cache.set(key, value, options),
        () => "stored",
      ),
    delete: (key) =>
      operation(
        "delete",
        key,
        () => cache.delete(key),
        () => "deleted",
      ),
  };
}

/** Records the names of jobs, but never their payload, and gives each job the trace of the work that enqueued it. */
export function watchWork(unit: UnitOfWork, timeline: Timeline): UnitOfWork {
  const traced = (recording: Recording, jobs: readonly Job[]): readonly Job[] =>
    jobs.map((job) => ({ ...job, traceId: recording.trace().traceId }));
  const described = (jobs: readonly Job[]) => ({
    kind: "queue" as const,
    name: jobs.map(({ name }) => name).join(", "),
    attributes: {},
  });
  return {
    async commit({ statements = [], jobs = [] }) {
      const recording = timeline.current();
      if (recording === undefined || jobs.length === 0) return unit.commit({ statements, jobs });
      const describe = ({ applied }: BatchResult) => ({
        message: applied ? "enqueued" : "not enqueued: a guard undid its batch",
        attributes: {},
      });
      const marked = traced(recording, jobs);
      return timed(timeline, recording, { ...described(marked), describe }, () =>
        unit.commit({ statements, jobs: marked }),
      );
    },
  };
}

/** Shortens an address to `a…@example.test`: enough to tell two recipients apart, too little to write to one. */
const veiled = (address: string): string => address.replace(/^(.)[^@]*@/u, "$1…@");

export const watchMailer = (mailer: Mailer, timeline: Timeline): Mailer => ({
  ...mailer,
  async send(mail) {
    const recording = timeline.current();
    if (recording === undefined) return mailer.send(mail);
    const attributes = { driver: mailer.driver, subject: mail.subject, to: veiled(mail.to) };
    const describe = () => ({ message: mail.subject, attributes: {} });
    return timed(timeline, recording, { kind: "mail", name: "send", attributes, describe }, () => mailer.send(mail));
  },
});

export const watchEvents = (bus: EventBus, timeline: Timeline): EventBus => ({
  ...bus,
  publish(event) {
    timeline.record({
      kind: "event",
      level: "info",
      name: event.topic,
      message: "published",
      attributes: { event: event.id, bus: bus.name },
    });
    bus.publish(event);
  },
});
