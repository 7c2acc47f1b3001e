import { howFar } from "../../account/shared/in.words.ts";
import type { Millis } from "../../core/clock.ts";

export type Times = ReturnType<typeof createTimes>;

interface TimesOptions {
  /** The zone that the reader's profile names (IANA). */
  readonly zone: string | null;
  readonly now: Millis;
  /** The language and region in which times are written (BCP 47). */
  readonly tag: string;
  /** Words for a moment that is less than a minute away. */
  readonly words: { readonly justNow: string; readonly soon: string };
}

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

/** Writes moments for one reader, whose profile names a zone or none. */
export function createTimes({ zone, now, tag, words }: TimesOptions) {
  const own = zoneOf(zone);
  const timeZone = own ?? "UTC";
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, { timeZone, ...options });
  const date = { day: "numeric", month: "short", year: "numeric" } as const;
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  const full = format({ ...date, ...time });
  const days = format(date);
  const clock = format(time);
  const precise = format({ ...date, ...time, second: "2-digit", timeZoneName: "short" });
  return {
    /** The zone of the written times (IANA). */
    zone: timeZone,
    /** Whether the zone comes from the reader's profile. */
    isOwn: own !== undefined,
    /** The language and region in which times are written (BCP 47). */
    tag,
    now,
    /** Writes `22 Nov 2026, 14:05`. The foot of every page names the zone. */
    at: (moment: Millis) => full.format(moment),
    /** Writes `22 Nov 2026, 14:05:09 GMT+1`. */
    exactly: (moment: Millis) => precise.format(moment),
    /** Writes `14:05`, with the day unless that is today. */
    briefly: (moment: Millis) => (days.format(moment) === days.format(now) ? clock : full).format(moment),
    /** Writes `2 hours ago` or `in 5 minutes`. */
    relatively: (moment: Millis) => howFar(moment - now, tag) ?? (moment > now ? words.soon : words.justNow),
  };
}
