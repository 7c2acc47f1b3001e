import type { Config } from "../../config/index.ts";
import type { RedisServer } from "../../drivers/redis/index.ts";

/** What the names of everything begin with that is kept in a Redis, of one app or of all: others may use the same server. */
export const redisNamespace = (env: string, app?: string): string =>
  ["gatehouse", env, ...(app === undefined ? [] : [app])].join(":");

/** The server of one resource: its own, or the one that all others use. The rules of the configuration ask for one of them. */
export const redisServer = ({ redis }: Pick<Config, "redis">, own: string | undefined): RedisServer => ({
  url: own ?? redis.url ?? "",
  caFile: redis.caFile,
});
