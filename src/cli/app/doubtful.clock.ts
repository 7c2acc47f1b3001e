import { farTickIn } from "../../app/clock.watch.ts";
import { systemClock, timestamp } from "../../core/clock.ts";
import type { Database } from "../../drivers/database/index.ts";

/** The flag of commands that delete by age. */
export const force = {
  type: "boolean",
  description: "Delete although the clock is more than a day away from the last run of a schedule",
} as const;

/**
 * Returns what speaks against deleting by age. A command can't watch the clock for an hour, so it only compares the clock with the newest
 * tick of the schedules. Undefined if that tick is near, or nothing has ticked yet.
 */
export async function doubtOfClock(database: Database): Promise<readonly string[] | undefined> {
  const now = systemClock.now();
  const tick = await farTickIn(database, now);
  if (tick === undefined) return undefined;
  return [
    `the clock of this host may be wrong: it says ${timestamp(now)}, and the newest run of a schedule was at ${timestamp(tick)}`,
    "  nothing was deleted. If the clock is right, as after days without a scheduler, run it again with --force; else mend the clock first",
  ];
}
