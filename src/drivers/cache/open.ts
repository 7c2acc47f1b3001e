import { createRedisConnection } from "../redis/connection.ts";
import type { RedisServer } from "../redis/index.ts";
import { redisLocation } from "../redis/address.ts";
import { createDatabaseCache, type DatabaseCacheOptions } from "./database.ts";
import type { Cache } from "./index.ts";
import { createMemoryCache } from "./memory.ts";
import { createRedisCache } from "./redis.ts";

export type CacheSettings =
  | { readonly driver: "memory" | "database" }
  | {
      readonly driver: "redis";
      readonly redis: RedisServer;
      /** The beginning of all keys: a server may have more than one app, and more than one environment. */
      readonly namespace: string;
    };

/** Opens a cache. No other code switches on the names of cache drivers. */
export function openCache(settings: CacheSettings, { name, database, health, clock }: DatabaseCacheOptions): Cache {
  switch (settings.driver) {
    case "memory":
      return createMemoryCache({ clock, name });
    case "database":
      return createDatabaseCache({ database, health, clock, name });
    case "redis":
      return createRedisCache({
        connection: createRedisConnection(settings.redis),
        location: redisLocation(settings.redis),
        namespace: `${settings.namespace}:cache:${name}`,
        name,
      });
  }
}
