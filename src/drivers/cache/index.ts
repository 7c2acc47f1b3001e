/**
 * Keeps texts by key. An entry with a lifetime is forgotten when that has passed, or earlier when room is needed. An entry without one
 * stays until it is deleted. Every failure to answer is CacheUnavailable.
 */
export interface Cache {
  readonly driver: string;
  readonly name: string;
  /** The place of the store, for another process to compare; undefined where the driver and the name say it. */
  readonly location?: string;
  /** Returns undefined when the key has no entry, or one that has expired. */
  get(key: string): Promise<string | undefined>;
  /** Replaces an entry together with its lifetime. Throws RangeError past a bound: see `checkEntry`. */
  set(key: string, value: string, options?: EntryOptions): Promise<void>;
  /** Deletes an entry. Resolves also when the key has none. */
  delete(key: string): Promise<void>;
  /** Rejects when the cache can't be read. */
  ping(): Promise<void>;
  /** Rejects when the cache can't be read or takes no entries. */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}

export interface EntryOptions {
  /** The lifetime in whole milliseconds, at least one. Without it the entry stays. */
  readonly ttlMs?: number;
}

/** Thrown when the cache can't take the request now; answered with 503. */
export class CacheUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "CacheUnavailable";
  }
}
