import type { Words } from "../shared/words/index.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const units = [
  ["year", 365 * day],
  ["month", 30 * day],
  ["day", day],
  ["hour", hour],
  ["minute", minute],
] as const;

/** Writes how far away a moment is: "2 hours ago". */
export function relatively(at: string, now: number, { tag, time }: Words): string {
  const seconds = (Date.parse(at) - now) / 1000;
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length)
      return new Intl.RelativeTimeFormat(tag, { numeric: "auto" }).format(Math.trunc(seconds / length), unit);
  }
  return time.now;
}

/** Writes date and time with the name of the zone: the zone of the profile, or else the browser's. */
export const exactly = (at: string, tag: string, timeZone?: string): string =>
  new Intl.DateTimeFormat(tag, {
    timeZone,
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(new Date(at));

/** Writes the time of day alone, for a moment that is minutes away. */
export const timeOfDay = (at: number, tag: string): string =>
  new Intl.DateTimeFormat(tag, { hour: "numeric", minute: "2-digit" }).format(at);

/** Writes the rest of a countdown: "4:05". */
export const asClock = (seconds: number): string =>
  `${Math.floor(seconds / minute)}:${String(seconds % minute).padStart(2, "0")}`;
