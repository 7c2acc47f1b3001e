import type { Millis } from "../core/clock.ts";
import { type AgeClock, byAge } from "../core/clock.trust.ts";
import type { Schedule } from "../core/module.ts";
import { inSteps } from "../core/pace/steps.ts";
import type { Log } from "../observe/index.ts";
import type { AuditRepository } from "./audit.repository.ts";
import { auditKinds, conditionOf, type AuditKind } from "./kinds.ts";

/** How long rows of each kind are kept. */
export type Retention = Readonly<Record<AuditKind, Millis>>;

interface PruneOptions {
  readonly rows: AuditRepository;
  readonly retentionMs: Retention;
  readonly ages: AgeClock;
  readonly log: Log;
}

/**
 * The schedule `audit:prune`: hourly, deletes audit rows that are older than their kind is kept, in small steps. Rows that no kind of this
 * release names go once every kind would.
 */
export const createPrune = ({ rows, retentionMs, ages, log }: PruneOptions): Schedule => ({
  name: "audit:prune",
  cron: "37 * * * *",
  run: (signal) =>
    byAge(ages, async (now) => {
      const longestMs = Math.max(...auditKinds.map((kind) => retentionMs[kind]));
      const shorter = auditKinds.filter((kind) => retentionMs[kind] < longestMs);
      let deleted = 0;
      for (const kind of shorter)
        deleted += await inSteps((limit) => rows.prune(now - retentionMs[kind], limit, conditionOf(kind)), signal);
      deleted += await inSteps((limit) => rows.prune(now - longestMs, limit), signal);
      log.info("old audit rows deleted", { rows: deleted });
    }),
});
