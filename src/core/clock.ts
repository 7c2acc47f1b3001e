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

/** RFC 3339 in UTC, or null. */
export function timestamp(at: Millis): string;
export function timestamp(at: Millis | null): string | null;
export function timestamp(at: Millis | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
