import { hour, type Clock } from "../core/clock.ts";
import type { Schedule } from "../core/module.ts";
import type { Log } from "../observe/index.ts";
import type { CleanupRepository } from "./cleanup.repository.ts";

interface CleanupOptions {
  readonly rows: CleanupRepository;
  readonly sessionIdleTtlMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** An ended session is kept a day, so that its owner's mails and an operator's questions still find it. */
const keepEndedMs = 24 * hour;
const pauseMs = 2;
const maxSteps = 100_000;

/** `auth:cleanup` (SEED §1.2): hourly, in small batches with a pause between, so that no request waits for it. */
export function createCleanup({ rows, sessionIdleTtlMs, clock, log }: CleanupOptions): Schedule {
  async function drain(step: () => Promise<boolean>, signal: AbortSignal): Promise<number> {
    for (let steps = 1; steps <= maxSteps; steps += 1) {
      const more = await step();
      if (!more || signal.aborted) return steps;
      await Bun.sleep(pauseMs);
    }
    return maxSteps;
  }

  return {
    name: "auth:cleanup",
    cron: "17 * * * *",
    async run(signal) {
      const now = clock.now();
      const steps = {
        expired: await drain(() => rows.expiredSessions(now), signal),
        revoked: await drain(() => rows.revokedSessions(now - keepEndedMs), signal),
        idle: await drain(() => rows.idleSessions(now - sessionIdleTtlMs - keepEndedMs), signal),
        grants: await drain(() => rows.grants(now - keepEndedMs), signal),
        oauthStates: await drain(() => rows.oauthStates(now), signal),
        attempts: await drain(() => rows.attempts(now), signal),
      };
      log.info("stale auth rows cleaned up", steps);
    },
  };
}
