import type { Clock } from "../../core/clock.ts";
import type { Database, HealthCapability } from "../database/index.ts";
import { checkEntry, checkKey } from "./entry.ts";
import { createEntryRepository } from "./entry.repository.ts";
import { type Cache, CacheUnavailable } from "./index.ts";

export interface DatabaseCacheOptions {
  readonly name: string;
  readonly database: Database;
  readonly health: Pick<HealthCapability, "ping">;
  readonly clock: Clock;
}

/**
 * Keeps entries in the application's database, where they are durable and all processes share them. An entry that has expired is never read
 * again; the schedule `cache:prune` deletes it.
 */
export function createDatabaseCache({ database, health, clock, name }: DatabaseCacheOptions): Cache {
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

  // A file that was removed or replaced goes on answering reads; the database's own ping notices.
  const ping = (): Promise<void> =>
    reach(async () => {
      await health.ping();
      await entries.probe();
    });

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
