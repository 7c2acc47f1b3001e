import { farTickIn } from "../../app/clock.watch.ts";
import { systemClock, timestamp } from "../../core/clock.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { Terminal } from "../command.ts";

/** The flag of commands that delete by age. */
export const force = {
  type: "boolean",
  description: "Delete although the clock is more than a day away from the last run of a schedule",
} as const;

/**
 * Whether the clock forbids to delete by age, and then says why. A command can't watch the clock for an hour, so it only compares the clock
 * with the newest tick of the schedules. Nothing is forbidden with --force, if that tick is near, or if nothing has ticked yet.
 */
export async function clockForbids({ err }: Terminal, database: Database, forced = false): Promise<boolean> {
  const now = systemClock.now();
  const tick = forced ? undefined : await farTickIn(database, now);
  if (tick === undefined) return false;
  err(
    `the clock of this host may be wrong: it says ${timestamp(now)}, and the newest run of a schedule was at ${timestamp(tick)}`,
  );
  err(
    "  nothing was deleted. If the clock is right, as after days without a scheduler, run it again with --force; else mend the clock first",
  );
  return true;
}
