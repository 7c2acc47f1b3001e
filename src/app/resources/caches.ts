import { redisNamespace, redisServer } from "./redis.ts";
import type { Config } from "../../config/index.ts";
import type { Cache } from "../../drivers/cache/index.ts";
import { openCache } from "../../drivers/cache/open.ts";
import type { DatabaseCacheOptions } from "../../drivers/cache/database.ts";
import { redisLocation } from "../../drivers/redis/address.ts";

interface CacheOptions extends Omit<DatabaseCacheOptions, "name"> {
  readonly config: Pick<Config, "app" | "cache" | "redis">;
}

/** The place of another app's cache, as that app has announced it. */
interface Foreign {
  readonly app: string;
  readonly driver: string;
  readonly cache: string;
  readonly cacheStore: string;
}

/** Opens the caches of this app, and on demand those of another app in the same stores. */
export function createCaches({ config, ...stored }: CacheOptions) {
  const foreign = new Map<string, Cache>();
  const settingsOf = (
    { driver, url }: { readonly driver: Config["cache"][string]["driver"]; readonly url: string | undefined },
    app: string,
  ) =>
    driver === "redis"
      ? { driver, redis: redisServer(config, url), namespace: redisNamespace(config.app.env, app) }
      : { driver };

  /** Returns the URL of the Redis server of a store, if a setting of this app has it. */
  const urlOf = (store: string): string | undefined =>
    [config.redis.url, ...Object.values(config.cache).map(({ url }) => url)].find(
      (url) => url !== undefined && `redis ${redisLocation(redisServer(config, url))}` === store,
    );

  function openForeign({ app, driver, cache: name, cacheStore: store }: Foreign): Cache | undefined {
    if (driver !== "cache") return undefined;
    if (store === "database") return openCache({ driver: "database" }, { name, ...stored });
    const url = urlOf(store);
    if (url === undefined) return undefined;
    return openCache(settingsOf({ driver: "redis", url }, app), { name, ...stored });
  }

  return {
    own: Object.entries(config.cache).map(([name, settings]) =>
      openCache(settingsOf(settings, config.app.name), { name, ...stored }),
    ),

    /** Returns a cache of another app; undefined where this process can't reach it. */
    at(place: Foreign): Cache | undefined {
      const key = JSON.stringify([place.app, place.driver, place.cache, place.cacheStore]);
      const cache = foreign.get(key) ?? openForeign(place);
      if (cache !== undefined) foreign.set(key, cache);
      return cache;
    },

    async close(): Promise<void> {
      await Promise.all([...foreign.values()].map((cache) => cache.close()));
    },
  };
}
