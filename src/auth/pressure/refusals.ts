import type { Circumstances, LimitedOccurrence, Occurrence } from "../../core/audit.ts";
import { minute, type Clock } from "../../core/clock.ts";
import { createFlushes } from "../../core/pace/flushes.ts";
import { createFolds } from "../../core/pace/folds.ts";
import type { Job } from "../../core/job.ts";
import type { TopicPayload } from "../../core/topics.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import type { Journal } from "../journal.ts";

interface RefusalOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: Log;
}

/** An occurrence to write down. Where `user_id` is null, the typed login is no account. Counts start at 1. */
export type Refusal =
  | LimitedOccurrence
  | (Circumstances &
      Extract<TopicPayload, { readonly topic: "auth.login-failed" | "auth.locked" | "auth.logins-blocked" }>);

interface Pending {
  readonly refusal: Refusal;
  /** A mail that is sent with the row, unless a guard holds it back. */
  readonly notice: Notice | undefined;
}
interface Notice {
  readonly guards: readonly Statement[];
  readonly job: Job;
}

const flushEveryMs = 250;
/** How many rows one commit writes, which holds the event loop for a millisecond or two. */
const rowsPerFlush = 100;
const mostPending = 1_000;
const mostFolds = 1_000;

function standingFor(refusal: Refusal, changes: { user_id?: null; count: number }): Refusal {
  switch (refusal.topic) {
    case "auth.login-failed":
      return { ...refusal, payload: { ...refusal.payload, ...changes } };
    case "auth.locked":
    case "auth.logins-blocked":
      return { ...refusal, payload: { ...refusal.payload, ...changes } };
    case "auth.attempt-refused":
    case "auth.request-refused":
      return { ...refusal, payload: { ...refusal.payload, ...changes } };
  }
}

/** Returns whether nothing bounds the number of such refusals: only failures at an account are bounded, by its lock. */
const isUnbounded = ({ topic, payload }: Refusal): boolean =>
  payload.user_id === null || topic === "auth.attempt-refused" || topic === "auth.request-refused";
/** Returns the kind of a refusal. Refusals of one kind are counted together: they have one reason and one user. */
const kindOf = ({ topic, payload, reason }: Refusal): string =>
  [topic, reason ?? ("reason" in payload ? payload.reason : ""), payload.user_id ?? ""].join(" ");

/**
 * Writes failed logins, locks and their refusals down behind the request, so that none waits for it and a flood costs four commits a second
 * at most. The time of an answer thus does not tell a known account either. Failures of an account, which its lockout bounds, get a row
 * each. Failures of logins without an account, and refusals by a limit or a lock, are unbounded: they get one row a minute for each
 * account, reason and address, with their number. A process that is killed loses the rows of its last quarter of a second, never a counter.
 */
export function createRefusals({ journal, clock, log }: RefusalOptions) {
  const pending: Pending[] = [];
  const folds = createFolds<Refusal>({ everyMs: minute, most: mostFolds, clock });
  const flushes = createFlushes({
    everyMs: flushEveryMs,
    isPending: () => pending.length > 0 || folds.isPending(),
    async flush() {
      unfold(false);
      await writeSome();
    },
  });

  function fold(key: string, refusal: Refusal): void {
    if (!folds.add(key, refusal)) foldRest(refusal);
  }

  /** Counts a refusal beyond the bounds in one nameless row. */
  function foldRest(refusal: Refusal): void {
    const by = { actor: "anonymous", origin: undefined } as const;
    folds.add(refusal.topic, standingFor({ ...refusal, by }, { user_id: null, count: 1 }), true);
  }

  function unfold(all: boolean): void {
    for (const { value, count } of folds.take(all))
      pending.push({ refusal: standingFor(value, { count }), notice: undefined });
  }

  async function writeSome(): Promise<boolean> {
    const some = pending.splice(0, rowsPerFlush);
    if (some.length === 0) return true;
    try {
      await journal.commit({ tell: some.map(({ refusal }): Occurrence => refusal) });
    } catch (error) {
      const lost = Math.max(0, some.length + pending.length - mostPending);
      pending.unshift(...some.slice(lost));
      log.warn("failed logins not written to the audit log yet", { rows: some.length, lost, error });
      return false;
    }
    for (const { notice } of some) if (notice !== undefined) await send(notice);
    return true;
  }

  async function send({ guards, job }: Notice): Promise<void> {
    try {
      await journal.commit({ statements: guards, jobs: [job] });
    } catch (error) {
      log.warn("notice not enqueued", { job: job.name, error });
    }
  }

  return {
    /** Adds a refusal. Never throws and waits for nothing. `bucket` is the block that addresses are counted by. */
    add(refusal: Refusal, bucket: string, notice?: Notice): void {
      // A row for several refusals has no single end.
      if (isUnbounded(refusal)) fold(`${kindOf(refusal)} ${bucket}`, { ...refusal, endsAt: undefined });
      else if (pending.length < mostPending) pending.push({ refusal, notice });
      else foldRest(refusal);
      flushes.arm();
    },

    /** Writes what was added until now, as far as the database takes it, so that a reader finds it in the rows. What is folded stays folded. */
    async settle(): Promise<void> {
      for (let flushed = 0; flushed <= mostPending / rowsPerFlush; flushed += 1) {
        const waiting = pending.length;
        await flushes.now();
        // New refusals came as fast, or the database takes nothing.
        if (pending.length === 0 || (flushed > 0 && pending.length >= waiting)) return;
      }
    },

    async close(): Promise<void> {
      await flushes.close();
      unfold(true);
      while (pending.length > 0 && (await writeSome()));
    },
  };
}

export type Refusals = ReturnType<typeof createRefusals>;
