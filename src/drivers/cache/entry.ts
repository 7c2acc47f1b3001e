import type { EntryOptions } from "./index.ts";

export const maxKeyLength = 256;
/** In characters. A larger value belongs on a storage disk. */
export const maxValueLength = 256 * 1024;
/** Ten years: a number that every store can hold, even for a caller who means "for good". */
const maxTtlMs = 10 * 365 * 24 * 3_600_000;

/** Every driver has the same bounds, so that another driver takes what this one takes. Throws RangeError. */
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

/** Half a surrogate pair has no UTF-8, and not every database takes NUL. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");
