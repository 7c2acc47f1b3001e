import type { Millis } from "../core/clock.ts";
import { type AgeClock, byAge } from "../core/clock.trust.ts";
import type { Schedule } from "../core/module.ts";
import { inSteps } from "../core/pace/steps.ts";
import type { Log } from "../observe/index.ts";
import type { AuditRepository } from "./audit.repository.ts";
import { auditKinds, conditionOf, type AuditKind } from "./kinds.ts";
import { beginOfMonth, type Months } from "./months.ts";

/** How long rows of each kind are kept. */
export type Retention = Readonly<Record<AuditKind, Millis>>;

interface PruneOptions {
  readonly rows: AuditRepository;
  readonly retentionMs: Retention;
  /** Whether rows of the kinds that are kept longest stay until all of their month is over. */
  readonly wholeMonths?: boolean | undefined;
  /** The parts of the log, on a server. */
  readonly months?: Months | undefined;
  readonly ages: AgeClock;
  readonly log: Log;
}

/**
 * The schedule `audit:prune`: hourly, deletes audit rows that are older than their kind is kept, in small steps. Rows that no kind of this
 * release names go once every kind would. On a server a month that is over for every kind goes at once, with all that is left of it.
 */
export const createPrune = ({ rows, retentionMs, wholeMonths, months, ages, log }: PruneOptions): Schedule => ({
  name: "audit:prune",
  cron: "37 * * * *",
  run: (signal) =>
    byAge(ages, async (now) => {
      const longestMs = Math.max(...auditKinds.map((kind) => retentionMs[kind]));
      const shorter = auditKinds.filter((kind) => retentionMs[kind] < longestMs);
      await months?.makeAhead(now);
      const before = wholeMonths === true ? beginOfMonth(now - longestMs) : now - longestMs;
      await months?.drop(before);
      let deleted = 0;
      for (const kind of shorter)
        deleted += await inSteps((limit) => rows.prune(now - retentionMs[kind], limit, conditionOf(kind)), signal);
      deleted += await inSteps((limit) => rows.prune(before, limit), signal);
      log.info("old audit rows deleted", { rows: deleted });
    }),
});
