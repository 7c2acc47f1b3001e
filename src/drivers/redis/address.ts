import { hostOf, percentDecoded } from "../../core/address/url.parts.ts";

const defaultPort = 6379;

/** Where a server is, and who logs in to which of its databases. */
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

/** Where a server is, without credentials: what two processes compare to know whether they mean the same one. */
export function redisLocation(url: string): string {
  const { host, port, database } = readRedisUrl(url);
  return `${host}:${port}/${database}`;
}
