import type { Database } from "../drivers/database/index.ts";

/** Where an app keeps its maintenance state. */
export interface Place {
  readonly app: string;
  /** `memory` or `cache`. */
  readonly driver: string;
  /** The name of the cache. */
  readonly cache: string;
  /** The driver of the cache, and the location of its server if it has one: `database`, `redis redis.example.com:6379/0`. */
  readonly cacheStore: string;
  readonly stateKey: string;
  /** Whether APP_MAINTENANCE_ENABLED holds maintenance on. */
  readonly forced: boolean;
}

interface PlaceRow extends Omit<Place, "forced"> {
  readonly forced: number;
}

/** Owns `maintenance_places`, in which each app says at its start where its state is. */
export const createPlaceRepository = (db: Database) => ({
  async save(place: Place): Promise<void> {
    await db.run(
      `insert into maintenance_places (app, driver, cache, cache_driver, state_key, forced)
       values ($app, $driver, $cache, $cacheStore, $stateKey, $forced)
       on conflict (app) do update set driver = excluded.driver, cache = excluded.cache,
         cache_driver = excluded.cache_driver, state_key = excluded.state_key, forced = excluded.forced`,
      { ...place, forced: place.forced ? 1 : 0 },
    );
  },

  async find(app: string): Promise<Place | undefined> {
    const row = await db.get<PlaceRow>(
      `select app, driver, cache, cache_driver as "cacheStore", state_key as "stateKey", forced
       from maintenance_places where app = $app`,
      { app },
    );
    return row && { ...row, forced: row.forced === 1 };
  },
});

export type PlaceRepository = ReturnType<typeof createPlaceRepository>;
