import type { Words } from "./words/index.ts";

const minute = 60;
const hour = 60 * minute;

/** Writes a duration, rounded down: "one hour", "30 minutes". */
export function lasting(ms: number, { time }: Words): string {
  const seconds = ms / 1000;
  return seconds < hour
    ? time.minutes(Math.max(1, Math.floor(seconds / minute)))
    : time.hours(Math.floor(seconds / hour));
}
