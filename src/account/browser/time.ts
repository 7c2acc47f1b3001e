import { howFar } from "../shared/in.words.ts";
import type { Words } from "../shared/words.ts";

/** Writes how far away a moment is: "2 hours ago". */
export const relatively = (at: string, now: number, { tag, time }: Words): string =>
  howFar(Date.parse(at) - now, tag) ?? time.now;

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
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
