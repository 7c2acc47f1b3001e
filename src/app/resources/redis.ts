import type { Config } from "../../config/index.ts";
import type { RedisServer } from "../../drivers/redis/index.ts";

/** What all keys in a Redis begin with, those of one app or those that apps share: others may use the same server. */
export const redisNamespace = (env: string, app?: string): string =>
  ["gatehouse", env, ...(app === undefined ? [] : [app])].join(":");

/** The server of one resource: its own, or the one that all others use. The rules of the configuration ask for one of them. */
export const redisServer = ({ redis }: Pick<Config, "redis">, own: string | undefined): RedisServer => ({
  url: own ?? redis.url ?? "",
  caFile: redis.caFile,
});
