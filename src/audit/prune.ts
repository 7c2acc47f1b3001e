import type { Clock } from "../core/clock.ts";
import type { Schedule } from "../core/module.ts";
import { inSteps } from "../core/steps.ts";
import type { Log } from "../observe/index.ts";
import type { AuditRepository } from "./audit.repository.ts";

interface PruneOptions {
  readonly rows: AuditRepository;
  readonly retentionMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** `audit:prune`: hourly, what is older than AUDIT_RETENTION, in small batches. */
export const createPrune = ({ rows, retentionMs, clock, log }: PruneOptions): Schedule => ({
  name: "audit:prune",
  cron: "37 * * * *",
  async run(signal) {
    const before = clock.now() - retentionMs;
    const steps = await inSteps(() => rows.prune(before), signal);
    log.info("old audit rows pruned", { steps });
  },
});
