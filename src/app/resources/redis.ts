import type { Config } from "../../config/index.ts";
import { sentinelsOf } from "../../drivers/redis/address.ts";
import { openSentinels } from "../../drivers/redis/connection.ts";
import type { RedisSentinels, RedisServer } from "../../drivers/redis/index.ts";

/** Returns what keys in a Redis begin with: keys of one app, or without `app` those that apps share. Others may use the same server. */
export const redisNamespace = (env: string, app?: string): string =>
  ["gatehouse", env, ...(app === undefined ? [] : [app])].join(":");

const sentinelsIn = ({ sentinels: { places, name, ...login } }: Config["redis"]): RedisSentinels | undefined =>
  places === undefined || name === undefined ? undefined : { places, name, ...login };

/** Returns the server of one resource: its own, or else the common one. The rules of the configuration ask for one of them. */
export const redisServer = ({ redis }: Pick<Config, "redis">, own: string | undefined): RedisServer => ({
  url: own ?? redis.url ?? "",
  caFile: redis.caFile,
  sentinels: sentinelsIn(redis),
});

/** Opens a way to ask the sentinels how they are. There is no check where no URL that is used leads to them. */
export function openConfiguredSentinels(config: Pick<Config, "redis" | "cache" | "events" | "queue">) {
  const used = [
    ...Object.values(config.cache),
    ...Object.values(config.events),
    ...Object.values(config.queue.resources),
  ];
  const found = used.find(
    ({ driver, url }) => driver === "redis" && sentinelsOf(redisServer(config, url)) !== undefined,
  );
  const sentinels = found && openSentinels(redisServer(config, found.url));
  return { check: sentinels?.check, close: async (): Promise<void> => sentinels?.close() };
}
