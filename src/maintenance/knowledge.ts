import { second } from "../core/clock.ts";

export type Switch = "on" | "off";

/**
 * What one process knows about the stored switch. Times are milliseconds of a monotonic clock: a wall clock that is set back must not
 * prolong what is known.
 */
export interface Knowledge {
  /** `unknown` before the first read has ended, `unreadable` after the last read has failed or hung. */
  readonly stored: Switch | "unknown" | "unreadable";
  /** When `stored` was certainly true: the beginning of the read or write that says so, or the time at which a read failed. */
  readonly since: number;
  /** When the last write of this process ended. */
  readonly writtenAt: number;
  /** The last position that was read or written, and when it was certainly true; undefined before the first one. */
  readonly last: { readonly position: Switch; readonly at: number } | undefined;
}

export type Happening =
  /** A read that began at `began` found the switch in that position. */
  | { readonly kind: "read"; readonly began: number; readonly found: Switch }
  | { readonly kind: "read failed"; readonly began: number; readonly at: number }
  /** A read has given no answer for as long as anybody waits for one. */
  | { readonly kind: "no answer"; readonly at: number }
  /** This process has moved the switch, and the store has confirmed it. */
  | { readonly kind: "written"; readonly began: number; readonly ended: number; readonly to: Switch };

/**
 * The age up to which a read may decide a request, counted from its beginning: a switch holds within a second, less what answering takes.
 */
export const longestAgeMs = 0.9 * second;
/** The age from which the next request starts a read of the switch without waiting for it, so that under load nobody waits. */
export const refreshAgeMs = 0.4 * second;

export const nothingKnown: Knowledge = {
  stored: "unknown",
  since: Number.NEGATIVE_INFINITY,
  writtenAt: Number.NEGATIVE_INFINITY,
  last: undefined,
};

/** Returns what is known after something happened. Happenings may come late: a slow read ends after a write that it has not seen. */
export function next(known: Knowledge, happening: Happening): Knowledge {
  switch (happening.kind) {
    case "read":
      return isOvertaken(known, happening.began, happening.began)
        ? known
        : {
            ...known,
            stored: happening.found,
            since: happening.began,
            last: { position: happening.found, at: happening.began },
          };
    case "read failed":
      return isOvertaken(known, happening.began, happening.at)
        ? known
        : { ...known, stored: "unreadable", since: happening.at };
    case "no answer":
      return happening.at < known.since ? known : { ...known, stored: "unreadable", since: happening.at };
    case "written":
      // A write counts from its beginning: another process may have moved the switch while it was under way.
      return {
        stored: happening.to,
        since: happening.began,
        writtenAt: Math.max(known.writtenAt, happening.ended),
        last: { position: happening.to, at: happening.began },
      };
  }
}

/** Returns whether to ignore a read, because it began before the last write ended or says less than is known. */
const isOvertaken = ({ since, writtenAt }: Knowledge, began: number, at: number): boolean =>
  began <= writtenAt || at < since;

/**
 * Returns where the switch stands as far as is known: while it can't be read, its last position counts for `staleMs`. Returns undefined
 * before the first read and after that time, which counts as on.
 */
export function positionOf({ stored, last }: Knowledge, now: number, staleMs: number): Switch | undefined {
  if (stored === "on" || stored === "off") return stored;
  return stored === "unreadable" && last !== undefined && now - last.at <= staleMs ? last.position : undefined;
}

/**
 * Whether maintenance is on at that time; undefined when what is known is too old to decide a request by. While the switch can't be read, the last
 * position decides at once: a store that hangs would otherwise keep each request waiting for the next read.
 */
export function isOn(known: Knowledge, now: number, staleMs = 0): boolean | undefined {
  const position = positionOf(known, now, staleMs);
  if (known.stored === "unreadable" && position !== undefined) return position === "on";
  return now - known.since > longestAgeMs ? undefined : position !== "off";
}

export const isDue = ({ since }: Knowledge, now: number): boolean => now - since > refreshAgeMs;
