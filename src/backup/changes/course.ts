import { hour, minute, second, type Millis } from "../../core/clock.ts";

/** What can fail by itself, and is told once for an outage. */
export type Work = "collecting" | "putting" | "copying";

/**
 * How far a process has come with its copies. Times are milliseconds of a monotonic clock, but those of states and copies, which restores
 * know by the wall clock.
 */
export interface Course {
  /** The time of the state that was collected last. */
  readonly collectedAt: Millis;
  readonly lookedAt: number;
  readonly putAt: number;
  /** Nothing that failed is tried before. */
  readonly restUntil: number;
  /** The last whole copy of the series; undefined before there is one. */
  readonly copied: { readonly at: Millis; readonly bytes: number } | undefined;
  readonly isCopying: boolean;
  /** What has failed and not worked since. */
  readonly failing: ReadonlySet<Work>;
}

export type Happening =
  | { readonly kind: "series begun" | "copying" | "copy ended" }
  | { readonly kind: "looked" | "put"; readonly now: number }
  | { readonly kind: "collected"; readonly at: Millis }
  | { readonly kind: "copied"; readonly at: Millis; readonly bytes: number }
  | { readonly kind: "failed"; readonly work: Work; readonly restUntil: number }
  | { readonly kind: "worked"; readonly work: Work };

interface Held {
  hasPending(): boolean;
  isPutting(): boolean;
  /** Bytes. */
  putSinceCopy(): number;
}

/** How many pages may wait before it is time to collect them: the write-ahead log must not grow long. */
const manyPages = 250;
/** An unchanged database is told to the disk as well, so that a restore can say how old its state is. */
const silenceMs = 45 * second;
const copyEveryMs = 24 * hour;
const leastBytesForCopy = 4 * 1024 * 1024;

export const atFirst: Course = {
  collectedAt: 0,
  lookedAt: Number.NEGATIVE_INFINITY,
  putAt: Number.NEGATIVE_INFINITY,
  restUntil: Number.NEGATIVE_INFINITY,
  copied: undefined,
  isCopying: false,
  failing: new Set(),
};

export function next(course: Course, happening: Happening): Course {
  switch (happening.kind) {
    case "series begun":
      return { ...course, copied: undefined };
    case "copying":
      return { ...course, isCopying: true };
    case "copy ended":
      return { ...course, isCopying: false };
    case "looked":
      return { ...course, lookedAt: happening.now };
    case "put":
      return { ...course, putAt: happening.now };
    case "collected":
      return { ...course, collectedAt: happening.at };
    case "copied":
      return { ...course, copied: { at: happening.at, bytes: happening.bytes } };
    case "failed":
      return {
        ...course,
        restUntil: Math.max(course.restUntil, happening.restUntil),
        failing: new Set([...course.failing, happening.work]),
      };
    case "worked":
      return { ...course, failing: new Set([...course.failing].filter((work) => work !== happening.work)) };
  }
}

/** Whether the clock was set back since the last state: the times of one series never go back, or no restore would find what follows. */
export const isSetBack = ({ collectedAt }: Course, at: Millis): boolean => at < collectedAt - minute;

/** Whether a new series may begin, where there is none. */
export const mayBegin = ({ restUntil, isCopying }: Course, now: number): boolean => now >= restUntil && !isCopying;

export const isDue = ({ lookedAt }: Course, now: number, everyMs: number): boolean => now - lookedAt >= everyMs;

/** Whether changes of a series that is under way are to be collected now. */
export const collects = (course: Course, now: number, everyMs: number, waitingPages: number): boolean =>
  isDue(course, now, everyMs) || waitingPages >= manyPages;

/** Whether a whole copy is due: the first of a series, one a day, and one where changes have grown as large as the last. */
export function copies(course: Course, held: Held, now: number, wall: Millis): boolean {
  const { copied, isCopying, restUntil } = course;
  if (isCopying || now < restUntil) return false;
  if (copied === undefined) return true;
  return wall - copied.at >= copyEveryMs || held.putSinceCopy() >= Math.max(copied.bytes, leastBytesForCopy);
}

/** Whether what was collected goes to the disk now. Before a copy all of it does. */
export function puts(course: Course, held: Held, now: number, { due, copying }: { due: boolean; copying: boolean }) {
  const hasNews = held.hasPending() || held.isPutting() || now - course.putAt >= silenceMs;
  return (due && hasNews) || (copying && held.hasPending());
}
