import type { Clock } from "../core/clock.ts";
import type { Schedule } from "../core/module.ts";
import type { Log } from "../observe/index.ts";
import type { AuditRepository } from "./audit.repository.ts";

interface PruneOptions {
  readonly rows: AuditRepository;
  readonly retentionMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

const pauseMs = 2;
const maxSteps = 100_000;

/** `audit:prune`: hourly, what is older than AUDIT_RETENTION, in small batches with a pause between. */
export const createPrune = ({ rows, retentionMs, clock, log }: PruneOptions): Schedule => ({
  name: "audit:prune",
  cron: "47 * * * *",
  async run(signal) {
    const before = clock.now() - retentionMs;
    let steps = 1;
    while ((await rows.prune(before)) && !signal.aborted && steps < maxSteps) {
      await Bun.sleep(pauseMs);
      steps += 1;
    }
    log.info("old audit rows pruned", { steps });
  },
});
