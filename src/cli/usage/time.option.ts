import { systemClock, type Millis } from "../../core/clock.ts";
import { parseDuration } from "../../core/text/duration.ts";
import { UsageError } from "./arguments.ts";

/** The value of an option that names a time, for its description. */
export const when = "TIME (2026-01-31T12:00:00Z, 2026-01-31, or 24h for so long ago)";

const dateTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

export function readTime(flag: string, text: string | undefined): Millis | undefined {
  if (text === undefined) return undefined;
  const ago = parseDuration(text);
  const at = ago === undefined ? (dateTime.test(text) ? Date.parse(text) : Number.NaN) : systemClock.now() - ago;
  if (Number.isNaN(at)) throw new UsageError(`--${flag} takes a ${when}`);
  return at;
}
