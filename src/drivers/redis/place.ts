import { percentDecoded } from "../../core/base.url.ts";

const defaultPort = 6379;

/** The parts of the URL of a server. */
export interface RedisPlace {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The number of the database. */
  readonly database: string;
}

export function readRedisUrl(url: string): RedisPlace {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
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
