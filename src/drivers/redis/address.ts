import { hostOf, percentDecoded } from "../../core/address/url.parts.ts";

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

/** Returns where a server is, without credentials. Two processes compare it to know whether they mean the same server. */
export function redisLocation(url: string): string {
  const { host, port, database } = readRedisUrl(url);
  return `${host}:${port}/${database}`;
}
