import type { Clock } from "../../core/clock.ts";
import type { Database } from "../database/index.ts";
import { checkEntry, checkKey } from "./entry.ts";
import { createEntryRepository } from "./entry.repository.ts";
import { type Cache, CacheUnavailable } from "./index.ts";

export interface DatabaseCacheOptions {
  readonly name: string;
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Keeps entries in the application's database, where they are durable and all processes share them. An entry that has expired is never read
 * again; the schedule `cache:prune` deletes it.
 */
export function createDatabaseCache({ database, clock, name }: DatabaseCacheOptions): Cache {
  const entries = createEntryRepository(database);
  let closed = false;

  /** Turns every failure into CacheUnavailable, even a missing table: an operator can migrate the database. */
  async function reach<T>(work: () => Promise<T>): Promise<T> {
    if (closed) throw new CacheUnavailable(`cache "${name}" is closed`);
    try {
      return await work();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new CacheUnavailable(`cache "${name}": ${why}`, error);
    }
  }

  const ping = (): Promise<void> => reach(entries.probe);

  return {
    driver: "database",
    name,
    async get(key) {
      checkKey(key);
      return reach(() => entries.find(name, key, clock.now()));
    },
    async set(key, value, options = {}) {
      checkEntry(key, value, options);
      const expiresAt = options.ttlMs === undefined ? null : clock.now() + options.ttlMs;
      await reach(() => entries.save(name, key, value, expiresAt));
    },
    async delete(key) {
      checkKey(key);
      await reach(() => entries.remove(name, key));
    },
    ping,
    // Readiness has a check of its own for whether the database takes writes.
    checkWritable: ping,
    async close() {
      closed = true;
    },
  };
}
