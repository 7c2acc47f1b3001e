import type { Millis } from "../../core/clock.ts";
import { computed, sql, tableOf, type Database } from "../database/index.ts";

interface StoredEntry {
  readonly cache: string;
  readonly key: string;
  readonly value: string;
  readonly expiresAt: Millis | null;
}

const stored = tableOf<StoredEntry>("cache_entries", {
  cache: "cache",
  key: "entry_key",
  value: "value",
  expiresAt: "expires_at",
});
const found = sql`select ${stored.pick("value")} from cache_entries
  where cache = $cache and entry_key = $key and (expires_at is null or expires_at > $now)`;
const probed = sql`select ${computed<{ found: number }>({ found: "1" })} from cache_entries limit 1`;
const inserted = stored.insert();
const insertEntry = `insert into ${inserted.into} values (${inserted.values})
  on conflict (cache, entry_key) do update set value = excluded.value, expires_at = excluded.expires_at`;

/** Owns `cache_entries`, the entries of every cache, told apart by `cache`. An entry that has expired counts as gone. */
export const createEntryRepository = (db: Database) => ({
  async find(cache: string, key: string, now: Millis): Promise<string | undefined> {
    return (await db.get(found, { cache, key, now }))?.value;
  },

  async save(cache: string, key: string, value: string, expiresAt: Millis | null): Promise<void> {
    await db.run(insertEntry, inserted.params({ cache, key, value, expiresAt }));
  },

  async remove(cache: string, key: string): Promise<void> {
    await db.run("delete from cache_entries where cache = $cache and entry_key = $key", { cache, key });
  },

  /** Rejects where the table is missing. */
  async probe(): Promise<void> {
    await db.get(probed);
  },

  /** Deletes at most `limit` entries that have expired. Resolves to how many. */
  async prune(now: Millis, limit: number): Promise<number> {
    const { changes } = await db.run(
      `delete from cache_entries where (cache, entry_key) in
         (select cache, entry_key from cache_entries where expires_at <= $now limit $limit)
         and expires_at <= $now`,
      { now, limit },
    );
    return changes;
  },
});
