import { auditEntry, eventOf, type AuditEntry, type By, type Occurrence, type Origin } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import type { Job } from "../core/job.ts";
import type { DomainEvent } from "../core/topics.ts";
import type { BatchResult, Statement } from "../drivers/database/index.ts";
import type { EventBus } from "../drivers/events/index.ts";
import type { UnitOfWork, Work } from "../drivers/queue/index.ts";

export interface JournalOptions {
  readonly work: UnitOfWork;
  readonly audit: { readonly row: (entry: AuditEntry) => Statement };
  readonly events: EventBus;
  /** Returns the jobs that an event asks for, such as a message to each webhook. Default: none. */
  readonly jobsOf?: ((event: DomainEvent) => readonly Job[]) | undefined;
  /** Says that the running work is about this account, where inspects are on. */
  readonly concerns?: ((userId: string) => void) | undefined;
  readonly clock: Clock;
}

/** A change to accounts with the jobs that it asks for. `tell` is written to the audit log and published as events. */
export interface Change extends Work {
  readonly tell?: readonly Occurrence[];
  /** Occurrences that are only written to the audit log. */
  readonly record?: readonly Occurrence[];
}

/** The actor of an act by the account's own user, who has proved it. */
export const byUser = (origin: Origin): By => ({ actor: "user", origin });
export const byNobody = (origin: Origin): By => ({ actor: "anonymous", origin });

/**
 * The unit of work of everything that is told: rows, jobs, audit rows and messages to webhooks are committed together or not at all, and
 * subscribers hear of them afterwards. A batch that a guard undid leaves no row and tells nobody.
 */
export const createJournal = ({ work, audit, events: bus, jobsOf = () => [], concerns, clock }: JournalOptions) => ({
  /** Resolves to the results of `statements` only. Their order is the order of locks: see ARCHITECTURE.md. */
  async commit({ statements = [], jobs = [], tell = [], record = [] }: Change): Promise<BatchResult> {
    const now = clock.now();
    const told: AuditEntry[] = [];
    const events: DomainEvent[] = [];
    for (const occurrence of tell) {
      const entry = auditEntry(occurrence, now);
      const event = eventOf(occurrence, entry);
      told.push(entry);
      if (event !== undefined) events.push(event);
    }
    const recorded = record.map((occurrence) => auditEntry(occurrence, now));
    const result = await work.commit({
      statements: [...statements, ...[...told, ...recorded].map(audit.row)],
      jobs: [...jobs, ...events.flatMap(jobsOf)],
    });
    if (!result.applied) return result;
    for (const { actorUserId, subjectUserId } of told)
      for (const userId of [actorUserId, subjectUserId]) if (userId !== null) concerns?.(userId);
    for (const event of events) bus.publish(event);
    return { applied: true, results: result.results.slice(0, statements.length) };
  },
});

export type Journal = ReturnType<typeof createJournal>;
