import type { Millis } from "../core/clock.ts";
import type { Schedule } from "../core/module.ts";
import { registerName } from "../core/naming.ts";
import { plainTick } from "./plain.cron.ts";

/** Returns the first time after `after` that matches the expression, in UTC whatever the zone of the host. Throws on a bad expression. */
export function nextTick({ name, cron }: Pick<Schedule, "name" | "cron">, after: Millis): Millis {
  const plain = plainTick(cron, after);
  if (plain !== undefined) return plain;
  let next: Date | null;
  try {
    next = Bun.cron.parse(cron, after, { tz: "UTC" });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`schedule ${name}: "${cron}" is not a cron expression: ${reason}`, { cause });
  }
  if (next === null) throw new Error(`schedule ${name}: "${cron}" never comes`);
  return next.getTime();
}

/** Throws on a bad or duplicate name and on a bad expression, each of which stops the start. */
export function checkSchedules(schedules: readonly Schedule[], now: Millis): void {
  const names = new Set<string>();
  for (const schedule of schedules) {
    registerName("schedule", schedule.name, names);
    names.add(schedule.name);
    nextTick(schedule, now);
  }
}
