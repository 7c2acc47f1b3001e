/**
 * Text by key, forgotten when its time has come. What was given a lifetime may also go earlier, when room is needed;
 * what was given none stays until it is deleted. Every failure to answer is CacheUnavailable.
 */
export interface Cache {
  readonly driver: string;
  readonly name: string;
  /** Undefined when there is nothing, or nothing any more. */
  get(key: string): Promise<string | undefined>;
  /** Replaces what was there, its lifetime included. Throws RangeError past a bound: see `checkEntry`. */
  set(key: string, value: string, options?: EntryOptions): Promise<void>;
  /** Also when there is nothing. */
  delete(key: string): Promise<void>;
  /** Rejects when the cache can't serve. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface EntryOptions {
  /** Whole milliseconds, at least one. Without it the entry stays. */
  readonly ttlMs?: number;
}

/** The cache can't take the request now; answered with 503. */
export class CacheUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "CacheUnavailable";
  }
}
