import type { Database as Connection } from "bun:sqlite";
import {
  type BatchResult,
  type DatabaseMetrics,
  type DriverLog,
  DatabaseUnavailable,
  type Params,
  type RunResult,
  type Statement,
  type WriteOptions,
} from "../index.ts";
import { type BatchOutcome, createBatchRunner } from "./batch.ts";
import { isBusy } from "./errors.ts";
import { noParams } from "./statements.ts";

interface Write {
  readonly statements: readonly Statement[];
  readonly durable: boolean;
  readonly since: number;
  /** Called once the group is committed. */
  readonly settle: (outcome: BatchOutcome) => void;
  readonly reject: (error: unknown) => void;
}

interface WriteQueueOptions {
  readonly name: string;
  /** How long a write waits for another process's lock. */
  readonly lockTimeoutMs: number;
  /** The `synchronous` mode of SQLite while only writes that need not be durable are committed. */
  readonly relaxed: "normal" | "off";
  readonly translate: (error: unknown) => unknown;
  readonly log: DriverLog | undefined;
  readonly metrics: DatabaseMetrics | undefined;
}

const waitingLimit = 10_000;
// How many statements a group has at most. It holds the event loop while it runs: a few milliseconds for this many.
const groupStatements = 256;
// How long a process pauses, in milliseconds, before it tries again for a lock that it was refused, and after a turn while others want the
// lock.
const pauseMs = { least: 1, most: 2 } as const;
/** How long a process may take the lock again and again while others want it, too. */
const longestTurnMs = 2;
/**
 * How long after a refusal a process assumes that others want the lock. Where the processor is short the lock is often free by chance: with
 * 50 ms here, processes that happened to be refused less paused less, and wrote more.
 */
const contendedMs = 500;

/**
 * Group commit: the writes that arrive in one turn of the event loop share one transaction, and so one fsync. A batch that fails or is undone
 * by its guard takes nothing else with it: then the whole group is undone, and made again with a savepoint for each batch. Nearly all groups
 * do without, since SQLite copies each page before it changes within a savepoint, into a file where there are many: that was a fifth of the
 * processor time of a code that is swapped. While another process has the write lock, timers wait for it: SQLite's own busy handler holds up
 * every request of this process.
 *
 * SQLite has no queue for its lock, so processes are fair by manners: a process that was refused the lock lately pauses after its own turn
 * for as long as others pause between two tries. A process that is killed or stopped while it waits leaves nothing for others to wait for.
 */
export function createWriteQueue(connection: Connection, options: WriteQueueOptions) {
  const { name, lockTimeoutMs, relaxed, translate, log, metrics } = options;
  const begin = connection.prepare("begin immediate");
  const commit = connection.prepare("commit");
  const rollback = connection.prepare("rollback");
  const batches = createBatchRunner(connection);
  const queue: Write[] = [];
  /** Whether commits wait for the disk, as they do right after the connection is opened. */
  let synced = true;
  let refusedAt = Number.NEGATIVE_INFINITY;
  let turnStartedAt = 0;
  let paused = false;
  let closed = false;
  /** Whether the next group is made batch by batch, since it could not be made as a whole. */
  let careful = false;
  let whenIdle: (() => void) | undefined;

  const unavailable = (why: string, cause?: unknown) => new DatabaseUnavailable(`database "${name}": ${why}`, cause);

  function takeGroup(): Write[] {
    let statements = 0;
    let size = 0;
    for (const write of queue) {
      statements += write.statements.length;
      if (size > 0 && statements > groupStatements) break;
      size += 1;
    }
    return queue.splice(0, size);
  }

  function rejectAll(writes: readonly Write[], error: unknown): void {
    const translated = translate(error);
    log?.error("database writes failed", { database: name, writes: writes.length, error: translated });
    for (const write of writes) write.reject(translated);
  }

  function runGroup(group: readonly Write[]): void {
    if (careful) return runOneByOne(group);
    const outcomes: BatchOutcome[] = [];
    for (const { statements } of group) {
      const outcome = batches.attempt(statements);
      if (outcome === undefined) {
        if (connection.inTransaction) rollback.run();
        queue.unshift(...group);
        careful = true;
        return;
      }
      outcomes.push(outcome);
    }
    commitGroup(group, outcomes);
  }

  function runOneByOne(group: readonly Write[]): void {
    careful = false;
    const outcomes: BatchOutcome[] = [];
    const applied: Write[] = [];
    for (const [index, write] of group.entries()) {
      try {
        outcomes.push(batches.apply(write.statements));
        applied.push(write);
      } catch (error) {
        write.reject(translate(error));
        if (!connection.inTransaction) return rejectAll([...applied, ...group.slice(index + 1)], error);
      }
    }
    commitGroup(applied, outcomes);
  }

  function commitGroup(applied: readonly Write[], outcomes: readonly BatchOutcome[]): void {
    try {
      commit.run();
    } catch (error) {
      rejectAll(applied, error);
      if (connection.inTransaction) rollback.run();
      return;
    }
    for (const [index, write] of applied.entries()) write.settle(outcomes[index] ?? []);
  }

  /** Rejects the writes that have waited too long, and tries again after a pause for the others. */
  function waitForLock(cause: unknown): void {
    const oldest = performance.now() - lockTimeoutMs;
    const firstInTime = queue.findIndex((write) => write.since > oldest);
    const late = queue.splice(0, firstInTime === -1 ? queue.length : firstInTime);
    if (late.length > 0) {
      log?.warn("database write lock not free", { database: name, writes: late.length, waitedMs: lockTimeoutMs });
      const error = unavailable(`another process held the write lock for ${lockTimeoutMs} ms`, cause);
      for (const write of late) write.reject(error);
    }
    refusedAt = performance.now();
    if (queue.length === 0) idle();
    else pause();
  }

  function pause(): void {
    paused = true;
    setTimeout(resume, pauseMs.least + Math.random() * (pauseMs.most - pauseMs.least));
  }

  function resume(): void {
    paused = false;
    turnStartedAt = performance.now();
    if (queue.length > 0) flush();
    else idle();
  }

  /** A commit waits for the disk when anyone in its group needs that. The mode can only be changed between transactions. */
  function syncIfNeeded(): void {
    const needed = queue.some(({ durable }) => durable);
    if (needed === synced) return;
    connection.run(`pragma synchronous = ${needed ? "full" : relaxed}`);
    synced = needed;
  }

  function flush(): void {
    try {
      syncIfNeeded();
      begin.run();
    } catch (error) {
      if (isBusy(error)) return waitForLock(error);
      rejectAll(queue.splice(0), error);
      return idle();
    }
    const contended = performance.now() - refusedAt < contendedMs;
    runGroup(takeGroup());
    if (contended && performance.now() - turnStartedAt >= longestTurnMs) pause();
    else if (queue.length > 0) setImmediate(flush);
    else idle();
  }

  function idle(): void {
    whenIdle?.();
  }

  function enqueue(write: Write): void {
    if (closed) return write.reject(unavailable("it is closed"));
    if (queue.length >= waitingLimit) return write.reject(unavailable(`${waitingLimit} writes are waiting`));
    if (queue.push(write) === 1 && !paused) setImmediate(flush);
  }

  const ran = metrics?.operation("run");
  const batched = metrics?.operation("batch");

  function write<Result>(
    ended: typeof ran,
    statements: readonly Statement[],
    { durable = true }: WriteOptions,
    toResult: (outcome: BatchOutcome) => Result,
  ): Promise<Result> {
    const since = performance.now();
    const waited = (): number => (performance.now() - since) / 1000;
    return new Promise((resolve, reject) =>
      enqueue({
        statements,
        durable,
        since,
        settle(outcome) {
          ended?.(waited(), true);
          resolve(toResult(outcome));
        },
        reject(error) {
          ended?.(waited(), false);
          reject(error);
        },
      }),
    );
  }

  return {
    run: <Row>(sql: string, params: Params = noParams, options: WriteOptions = {}) =>
      write(ran, [{ sql, params }], options, (outcome): RunResult<Row> => {
        const result = typeof outcome === "number" ? undefined : outcome[0];
        return result ?? { changes: 0, rows: [] };
      }),

    batch: (statements: readonly Statement[], options: WriteOptions = {}) =>
      write(batched, statements, options, (outcome): BatchResult =>
        typeof outcome === "number" ? { applied: false, failedGuard: outcome } : { applied: true, results: outcome },
      ),

    /** Resolves when all queued writes are settled; later writes are refused. */
    async close(): Promise<void> {
      closed = true;
      if (queue.length > 0) await new Promise<void>((resolve) => (whenIdle = resolve));
    },
  };
}
