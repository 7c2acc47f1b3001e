import type { Words } from "../shared/words/index.ts";

const units = [
  ["year", 365 * 24 * 3600],
  ["month", 30 * 24 * 3600],
  ["day", 24 * 3600],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** How long ago, or in how long, a moment is: "2 hours ago". */
export function relatively(at: string, now: number, { tag, time }: Words): string {
  const seconds = (Date.parse(at) - now) / 1000;
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length)
      return new Intl.RelativeTimeFormat(tag, { numeric: "auto" }).format(Math.trunc(seconds / length), unit);
  }
  return time.now;
}

/** Date and time with the name of the zone. */
export const exactly = (at: string, tag: string): string =>
  new Intl.DateTimeFormat(tag, {
    dateStyle: "long",
    timeStyle: "short",
  }).format(new Date(at));
