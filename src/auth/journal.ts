import { auditEntry, eventOf, type AuditEntry, type By, type Occurrence, type Origin } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import type { Job } from "../core/job.ts";
import type { DomainEvent } from "../core/topics.ts";
import type { BatchResult, Statement } from "../drivers/database/index.ts";
import type { EventBus } from "../drivers/events/index.ts";
import type { UnitOfWork, Work } from "../drivers/queue/index.ts";

export interface JournalOptions {
  readonly work: UnitOfWork;
  readonly audit: { row(entry: AuditEntry): Statement };
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
export const createJournal = ({ work, audit, events, jobsOf = () => [], concerns, clock }: JournalOptions) => ({
  /** Resolves to the results of `statements` only. Their order is the order of locks: see ARCHITECTURE.md. */
  async commit({ statements = [], jobs = [], tell = [], record = [] }: Change): Promise<BatchResult> {
    const now = clock.now();
    const entries = tell.map((occurrence) => ({ occurrence, entry: auditEntry(occurrence, now) }));
    const auditRows = [
      ...entries.map(({ entry }) => audit.row(entry)),
      ...record.map((occurrence) => audit.row(auditEntry(occurrence, now))),
    ];
    const told = entries.flatMap(({ occurrence, entry }) => eventOf(occurrence, entry) ?? []);
    const result = await work.commit({
      statements: [...statements, ...auditRows],
      jobs: [...jobs, ...told.flatMap(jobsOf)],
    });
    if (!result.applied) return result;
    for (const { entry } of entries)
      for (const userId of [entry.actorUserId, entry.subjectUserId]) if (userId !== null) concerns?.(userId);
    for (const event of told) events.publish(event);
    return { applied: true, results: result.results.slice(0, statements.length) };
  },
});

export type Journal = ReturnType<typeof createJournal>;
