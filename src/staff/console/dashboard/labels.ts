import { hour, type Millis } from "../../../core/clock.ts";
import type { Span } from "../../../figures/index.ts";
import type { Times } from "../../../kit/index.ts";

/** Writes when bars begin: hours in the reader's zone, but days in UTC, by which they are counted. */
export function labelsOf(
  starts: readonly Millis[],
  { widthMs }: Span,
  { zone, tag }: Pick<Times, "zone" | "tag">,
): readonly string[] {
  const format = new Intl.DateTimeFormat(
    tag,
    widthMs > hour
      ? { timeZone: "UTC", day: "numeric", month: "short" }
      : { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  );
  return starts.map((start) => format.format(start));
}
