import { type AgeClock, byAge } from "../core/clock.trust.ts";
import type { Schedule } from "../core/module.ts";
import { inSteps } from "../core/pace/steps.ts";
import type { Log } from "../observe/index.ts";
import type { AuditRepository } from "./audit.repository.ts";

interface PruneOptions {
  readonly rows: AuditRepository;
  readonly retentionMs: number;
  readonly ages: AgeClock;
  readonly log: Log;
}

/** `audit:prune`: hourly, deletes audit rows older than AUDIT_RETENTION, in small steps. */
export const createPrune = ({ rows, retentionMs, ages, log }: PruneOptions): Schedule => ({
  name: "audit:prune",
  cron: "37 * * * *",
  run: (signal) =>
    byAge(ages, async (now) => {
      const before = now - retentionMs;
      const deleted = await inSteps((limit) => rows.prune(before, limit), signal);
      log.info("old audit rows deleted", { rows: deleted });
    }),
});
