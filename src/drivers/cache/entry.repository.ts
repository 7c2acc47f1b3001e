import type { Millis } from "../../core/clock.ts";
import type { Database } from "../database/index.ts";

/** Owns `cache_entries`, the entries of every cache, told apart by `cache`. An entry that has expired counts as gone. */
export const createEntryRepository = (db: Database) => ({
  async find(cache: string, key: string, now: Millis): Promise<string | undefined> {
    const row = await db.get<{ value: string }>(
      `select value from cache_entries
       where cache = $cache and entry_key = $key and (expires_at is null or expires_at > $now)`,
      { cache, key, now },
    );
    return row?.value;
  },

  async save(cache: string, key: string, value: string, expiresAt: Millis | null): Promise<void> {
    await db.run(
      `insert into cache_entries (cache, entry_key, value, expires_at) values ($cache, $key, $value, $expiresAt)
       on conflict (cache, entry_key) do update set value = excluded.value, expires_at = excluded.expires_at`,
      { cache, key, value, expiresAt },
    );
  },

  async remove(cache: string, key: string): Promise<void> {
    await db.run("delete from cache_entries where cache = $cache and entry_key = $key", { cache, key });
  },

  /** Rejects where the table is missing. */
  async probe(): Promise<void> {
    await db.get("select 1 as found from cache_entries limit 1");
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
