import { hour, minute, second, type Millis } from "../../core/clock.ts";

/** Writes moments for one reader. */
export interface Times {
  /** The zone of the written times (IANA). */
  readonly zone: string;
  /** Whether the zone comes from the reader's profile. */
  readonly isOwn: boolean;
  readonly now: Millis;
  /** Writes `22 Nov 2026, 14:05`. The foot of every page names the zone. */
  at(moment: Millis): string;
  /** Writes `22 Nov 2026, 14:05:09 GMT+1`. */
  exactly(moment: Millis): string;
  /** Writes `14:05`, with the day unless that is today. */
  briefly(moment: Millis): string;
  /** Writes `2 hours ago` or `in 5 minutes`. */
  relatively(moment: Millis): string;
}

const day = 24 * hour;
const units = [
  ["year", 365 * day],
  ["month", 30 * day],
  ["day", day],
  ["hour", hour],
  ["minute", minute],
] as const;

/** Returns the zone where this runtime knows it: a profile may name one that it does not. */
function zoneOf(wanted: string | null): string | undefined {
  if (wanted === null) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: wanted }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export function createTimes(wanted: string | null, now: Millis): Times {
  const own = zoneOf(wanted);
  const timeZone = own ?? "UTC";
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { timeZone, hourCycle: "h23", ...options });
  const date = { day: "numeric", month: "short", year: "numeric" } as const;
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  const full = format({ ...date, ...time });
  const days = format(date);
  const clock = format(time);
  const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const precise = format({ ...date, ...time, second: "2-digit", timeZoneName: "short" });
  return {
    zone: timeZone,
    isOwn: own !== undefined,
    now,
    at: (moment) => full.format(moment),
    exactly: (moment) => precise.format(moment),
    briefly: (moment) => (days.format(moment) === days.format(now) ? clock.format(moment) : full.format(moment)),
    relatively(moment) {
      const ms = moment - now;
      const [unit, length] = units.find(([, length]) => Math.abs(ms) >= length) ?? (["second", second] as const);
      if (Math.abs(ms) < minute) return ms > 0 ? "in less than a minute" : "just now";
      return relative.format(Math.trunc(ms / length), unit);
    },
  };
}
