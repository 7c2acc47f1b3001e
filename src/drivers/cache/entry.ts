import type { EntryOptions } from "./index.ts";

export const maxKeyLength = 256;
/** The longest value in characters. A larger one belongs on a storage disk. */
export const maxValueLength = 256 * 1024;
/** The longest lifetime: ten years, a number that every store can hold, even for a caller who means "for good". */
const maxTtlMs = 10 * 365 * 24 * 3_600_000;

/** Throws RangeError past a bound. Every driver has the same bounds, so that another driver takes what this one takes. */
export function checkEntry(key: string, value: string, { ttlMs }: EntryOptions): void {
  checkKey(key);
  if (value.length > maxValueLength) throw new RangeError(`a cached value has at most ${maxValueLength} characters`);
  if (!isStorable(value)) throw new RangeError("a cached value is well-formed text without NUL");
  if (ttlMs !== undefined && !(Number.isSafeInteger(ttlMs) && ttlMs >= 1 && ttlMs <= maxTtlMs))
    throw new RangeError(`the lifetime ${ttlMs} is not a whole number of milliseconds from 1 to ${maxTtlMs}`);
}

export function checkKey(key: string): void {
  if (key === "" || key.length > maxKeyLength || !isStorable(key))
    throw new RangeError(`a cache key is well-formed text of 1 to ${maxKeyLength} characters without NUL`);
}

/** Returns whether every store can hold a text. Half a surrogate pair has no UTF-8, and not every database takes NUL. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");
