import { hour, type Millis } from "../../../core/clock.ts";
import type { Span } from "../../../figures/index.ts";

/** Writes when bars begin: hours in the reader's zone, but days in UTC, by which they are counted. */
export function labelsOf(starts: readonly Millis[], { widthMs }: Span, zone: string): readonly string[] {
  const format = new Intl.DateTimeFormat(
    "en-GB",
    widthMs > hour
      ? { timeZone: "UTC", day: "numeric", month: "short" }
      : { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  );
  return starts.map((start) => format.format(start));
}
