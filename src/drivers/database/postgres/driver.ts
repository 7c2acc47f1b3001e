import { readPostgresUrl } from "../../../core/address/postgres.url.ts";
import type { DatabaseDriver } from "../driver.ts";
import { createPostgresDatabase } from "./postgres.ts";

export function postgresDriver(url: string, connections: number): DatabaseDriver {
  const address = readPostgresUrl(url);
  if (typeof address === "string") throw new Error(`DB_URL ${address}`);
  const { host, port, socket, name } = address;
  return {
    describe: () => ({
      driver: "postgres",
      location: `postgres://${socket ?? `${host}:${port}`}/${name}`,
      // An empty database is made with the tools of the server, so the first call tells of a missing one.
      exists: async () => true,
    }),
    open: (options) => createPostgresDatabase({ address, connections, ...options }),
  };
}
