import type { Clock, Millis } from "../../core/clock.ts";
import { checkEntry, checkKey } from "./entry.ts";
import { type Cache, CacheUnavailable } from "./index.ts";

export interface MemoryCacheOptions {
  readonly clock: Clock;
  readonly name: string;
  readonly maxEntries?: number;
  /** The most characters of keys and values together. */
  readonly maxCharacters?: number;
}

interface Entry {
  readonly value: string;
  readonly expiresAt: Millis;
  readonly size: number;
}

const never = Number.POSITIVE_INFINITY;

/**
 * Keeps entries in this process, and loses them with it. In a full cache, the entry with a lifetime that was unused for longest makes room.
 * Entries without a lifetime never do, as under `volatile-lru` in Redis; once they fill the cache, writes are refused.
 */
export function createMemoryCache(options: MemoryCacheOptions): Cache {
  const { clock, name, maxEntries = 10_000, maxCharacters = 16 * 1024 * 1024 } = options;
  const lasting = new Map<string, Entry>();
  // Entries in the order of use: the one that was unused for longest comes first.
  const passing = new Map<string, Entry>();
  let characters = 0;
  let closed = false;

  function open(): void {
    if (closed) throw new CacheUnavailable(`cache "${name}" is closed`);
  }
  const check = async (): Promise<void> => open();

  function remove(key: string): void {
    const entry = passing.get(key) ?? lasting.get(key);
    if (entry === undefined) return;
    characters -= entry.size;
    passing.delete(key);
    lasting.delete(key);
  }

  function store(key: string, entry: Entry): void {
    (entry.expiresAt === never ? lasting : passing).set(key, entry);
    characters += entry.size;
  }

  function makeRoom(size: number): void {
    const isFull = () => lasting.size + passing.size >= maxEntries || characters + size > maxCharacters;
    for (const key of passing.keys()) {
      if (!isFull()) return;
      remove(key);
    }
    if (isFull()) throw new CacheUnavailable(`cache "${name}" is full of entries without a lifetime`);
  }

  return {
    driver: "memory",
    name,

    async get(key) {
      checkKey(key);
      open();
      const entry = passing.get(key);
      if (entry === undefined) return lasting.get(key)?.value;
      if (entry.expiresAt <= clock.now()) {
        remove(key);
        return undefined;
      }
      passing.delete(key);
      passing.set(key, entry);
      return entry.value;
    },

    async set(key, value, entryOptions = {}) {
      checkEntry(key, value, entryOptions);
      open();
      const { ttlMs } = entryOptions;
      const size = key.length + value.length;
      const before = passing.get(key) ?? lasting.get(key);
      remove(key);
      try {
        makeRoom(size);
      } catch (error) {
        // An entry that could not be replaced stays as it was.
        if (before !== undefined) store(key, before);
        throw error;
      }
      store(key, { value, size, expiresAt: ttlMs === undefined ? never : clock.now() + ttlMs });
    },

    async delete(key) {
      checkKey(key);
      open();
      remove(key);
    },

    ping: check,
    checkWritable: check,

    async close() {
      closed = true;
      lasting.clear();
      passing.clear();
    },
  };
}
