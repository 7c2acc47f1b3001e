import { auditEntry, eventOf, type AuditEntry, type By, type Occurrence, type Origin } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import type { Job } from "../core/job.ts";
import type { BatchResult, Statement } from "../drivers/database/index.ts";
import type { EventBus } from "../drivers/events/index.ts";
import type { Queue } from "../drivers/queue/index.ts";

export interface JournalOptions {
  readonly queue: Queue;
  readonly audit: { row(entry: AuditEntry): Statement };
  readonly events: EventBus;
  readonly clock: Clock;
}

/** The account's own user, who has proved it. */
export const byUser = (origin: Origin): By => ({ actor: "user", origin });
export const byNobody = (origin: Origin): By => ({ actor: "anonymous", origin });
export const byOperator: By = { actor: "operator" };

/** Commits what happens to accounts together with its jobs and its audit rows, and tells of it once it is so. */
export const createJournal = ({ queue, audit, events, clock }: JournalOptions) => ({
  /** The queue's commit. A batch undone by a guard leaves no row and tells nobody. */
  async commit(
    statements: readonly Statement[],
    jobs: readonly Job[],
    occurrences: readonly Occurrence[] = [],
  ): Promise<BatchResult> {
    if (occurrences.length === 0) return queue.commit(statements, jobs);
    const now = clock.now();
    const noted = occurrences.map((occurrence) => ({ occurrence, entry: auditEntry(occurrence, now) }));
    const rows = noted.map(({ entry }) => audit.row(entry));
    const result = await queue.commit([...statements, ...rows], jobs);
    if (!result.applied) return result;
    for (const { occurrence, entry } of noted) {
      const event = eventOf(occurrence, entry);
      if (event !== undefined) events.publish(event);
    }
    return { applied: true, results: result.results.slice(0, statements.length) };
  },
});

export type Journal = ReturnType<typeof createJournal>;
