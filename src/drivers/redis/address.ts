import { hostOf, percentDecoded, placeInUrl } from "../../core/address/url.parts.ts";
import type { RedisSentinels, RedisServer } from "./index.ts";

const defaultPort = 6379;

/** The address of a server and of one of its databases, with the login. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The number of the database. */
  readonly database: string;
}

export function readRedisUrl(url: string): RedisAddress {
  const parsed = new URL(url);
  const { protocol, port, username, password, pathname } = parsed;
  return {
    host: hostOf(parsed),
    port: port === "" ? defaultPort : Number(port),
    tls: protocol === "rediss:",
    user: username === "" ? undefined : percentDecoded(username),
    password: password === "" ? undefined : percentDecoded(password),
    database: pathname.slice(1) || "0",
  };
}

/** Returns the sentinels that name the server; undefined where its URL has an address. */
export const sentinelsOf = ({ url, sentinels }: Pick<RedisServer, "url" | "sentinels">): RedisSentinels | undefined =>
  sentinels !== undefined && readRedisUrl(url).host === sentinels.name ? sentinels : undefined;

/**
 * Returns where a server is, without credentials. Two processes compare it to know whether they mean the same server. A name alone would
 * not tell: `mymaster` is what most sentinels call their primary.
 */
export function redisLocation(server: Pick<RedisServer, "url" | "sentinels">): string {
  const { host, port, database } = readRedisUrl(server.url);
  const sentinels = sentinelsOf(server);
  if (sentinels === undefined) return `${host}:${port}/${database}`;
  return `${host}/${database} of ${sentinels.places.map(placeInUrl).toSorted().join(",")}`;
}
