import { hour, type Clock } from "../core/clock.ts";
import type { Schedule } from "../core/module.ts";
import { inSteps } from "../core/steps.ts";
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

/** `auth:cleanup` (SEED §1.2): hourly, in small batches with a pause between, so that no request waits for it. */
export function createCleanup({ rows, sessionIdleTtlMs, clock, log }: CleanupOptions): Schedule {
  return {
    name: "auth:cleanup",
    cron: "17 * * * *",
    async run(signal) {
      const now = clock.now();
      const steps = {
        expired: await inSteps(() => rows.expiredSessions(now), signal),
        revoked: await inSteps(() => rows.revokedSessions(now - keepEndedMs), signal),
        idle: await inSteps(() => rows.idleSessions(now - sessionIdleTtlMs - keepEndedMs), signal),
        grants: await inSteps(() => rows.grants(now - keepEndedMs), signal),
        oauthStates: await inSteps(() => rows.oauthStates(now), signal),
        attempts: await inSteps(() => rows.attempts(now), signal),
      };
      log.info("stale auth rows cleaned up", steps);
    },
  };
}
