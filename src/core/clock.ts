/** Milliseconds since the epoch. */
export type Millis = number;

/** The time as a parameter: code takes a clock instead of reading the system's, so that tests can move it. */
export interface Clock {
  now(): Millis;
}

export const systemClock: Clock = Date;

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Returns when the day began in UTC. */
export const dayOf = (at: Millis): Millis => at - (at % day);

const moment = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/i;
/** Reads a time of RFC 3339; undefined for any other text, and for a time before 1970. */
export function readTimestamp(text: string): Millis | undefined {
  const at = moment.test(text) ? Date.parse(text) : Number.NaN;
  return at >= 0 ? at : undefined;
}

/** RFC 3339 in UTC, or null. */
export function timestamp(at: Millis): string;
export function timestamp(at: Millis | null): string | null;
export function timestamp(at: Millis | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
