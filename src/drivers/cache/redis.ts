import type { RedisConnection } from "../redis/connection.ts";
import { RedisUnavailable } from "../redis/index.ts";
import { checkEntry, checkKey } from "./entry.ts";
import { type Cache, CacheUnavailable } from "./index.ts";

export interface RedisCacheOptions {
  /** The connection, which is closed with the cache. */
  readonly connection: RedisConnection;
  /** The place of the server, without credentials. */
  readonly location: string;
  /** The beginning of all keys, so that others can share the server. */
  readonly namespace: string;
  readonly name: string;
}

/** Keeps entries in Redis or Valkey, which all processes share and which forgets them when their lifetime has passed. */
export function createRedisCache({ connection, location, namespace, name }: RedisCacheOptions): Cache {
  const keyOf = (key: string): string => `${namespace}:entry:${key}`;

  async function reach<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RedisUnavailable)) throw error;
      throw new CacheUnavailable(`cache "${name}": ${error.message}`, error);
    }
  }

  return {
    driver: "redis",
    name,
    location,
    async get(key) {
      checkKey(key);
      const value = await reach(() => connection.send("GET", [keyOf(key)]));
      return typeof value === "string" ? value : undefined;
    },
    async set(key, value, options = {}) {
      checkEntry(key, value, options);
      const lifetime = options.ttlMs === undefined ? [] : ["PX", String(options.ttlMs)];
      await reach(() => connection.send("SET", [keyOf(key), value, ...lifetime]));
    },
    async delete(key) {
      checkKey(key);
      await reach(() => connection.send("DEL", [keyOf(key)]));
    },
    ping: () => reach(() => connection.ping()),
    checkWritable: () => reach(() => connection.checkWritable(`${namespace}:check`)),
    close: async () => connection.close(),
  };
}
