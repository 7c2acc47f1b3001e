import { sql, tableOf, type Database } from "../drivers/database/index.ts";

/** Where an app keeps its maintenance state. */
export interface Place {
  readonly app: string;
  /** `memory` or `cache`. */
  readonly driver: string;
  readonly cache: string;
  /** The driver of the cache, and the location of its server if it has one: `database`, `redis redis.example.com:6379/0`. */
  readonly cacheStore: string;
  readonly stateKey: string;
  /** Whether APP_MAINTENANCE_ENABLED holds maintenance on. */
  readonly forced: boolean;
}

/** A whole row of `maintenance_places`. */
interface PlaceRow extends Omit<Place, "forced"> {
  readonly forced: number;
}

const stored = tableOf<PlaceRow>("maintenance_places", {
  app: "app",
  driver: "driver",
  cache: "cache",
  cacheStore: "cache_driver",
  stateKey: "state_key",
  forced: "forced",
});
const found = sql`select ${stored} from maintenance_places where app = $app`;
const inserted = stored.insert();
const insertPlace = `insert into ${inserted.into} values (${inserted.values})
  on conflict (app) do update set driver = excluded.driver, cache = excluded.cache,
    cache_driver = excluded.cache_driver, state_key = excluded.state_key, forced = excluded.forced`;

/** Owns `maintenance_places`: what each app has said of itself when it started last. */
export const createPlaceRepository = (db: Database) => ({
  async save(place: Place): Promise<void> {
    await db.run(insertPlace, inserted.params({ ...place, forced: place.forced ? 1 : 0 }));
  },

  async find(app: string): Promise<Place | undefined> {
    const row = await db.get(found, { app });
    return row && { ...row, forced: row.forced === 1 };
  },
});

export type PlaceRepository = ReturnType<typeof createPlaceRepository>;
