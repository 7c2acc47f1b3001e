import type { Millis } from "../core/clock.ts";
import type { Schedule } from "../core/module.ts";
import { registerName } from "../core/naming.ts";

/**
 * The first time after `after` that matches the expression, in UTC whatever the zone of the host. The first call of a process takes
 * several milliseconds, in which the runtime loads its parser.
 */
export function nextTick({ name, cron }: Pick<Schedule, "name" | "cron">, after: Millis): Millis {
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

/** Throws on a bad or duplicate name. Expressions are read when the scheduler starts, which a start does once it listens. */
export function checkNames(schedules: readonly Schedule[]): void {
  const names = new Set<string>();
  for (const { name } of schedules) {
    registerName("schedule", name, names);
    names.add(name);
  }
}
