import { SQL } from "bun";
import { postgresMissing, startPostgres, type Postgres } from "../support/postgres.ts";
import { redisMissing, startRedis } from "../support/redis.ts";
import { eventually } from "../support/log.ts";
import type { Network } from "./network.ts";

export const whyNoData = (): string | undefined => postgresMissing ?? redisMissing;

const standby = "standby";

/** A primary, a standby that has every commit before it is acknowledged, and a Redis that keeps what it has acknowledged. */
export async function startData(network: Network) {
  const within = network.within("data");
  const networkOf = `${network.outside("back").replace(/\d+$/, "0")}/24`;
  const access = [
    `hostnossl postgres gatehouse_check ${network.data("proxy")}/32 trust`,
    `host all all ${networkOf} scram-sha-256`,
    `host replication all ${networkOf} scram-sha-256`,
  ];
  const settings = { max_connections: "100", wal_retrieve_retry_interval: "200ms" };
  const shared = { within, access, settings, auth: "scram-sha-256", fsync: true } as const;
  const [primary, redis] = await Promise.all([
    startPostgres({ ...shared, host: network.data("primary") }),
    startRedis({ within, host: network.data("redis"), appendonly: true, users: ["default on >secret ~* &* +@all"] }),
  ]);
  await run(primary, "create role gatehouse_check login");
  const { url } = await primary.createDatabase({ name: "gatehouse" });
  const replica = await startPostgres({
    ...shared,
    host: network.data("replica"),
    following: { primary, as: standby },
  });
  await run(primary, `alter system set synchronous_standby_names = '${standby}'`);
  await run(primary, "select pg_reload_conf()");
  await eventually("a standby that commits wait for", async () => {
    const [row] = await run(primary, "select 1 as n from pg_stat_replication where sync_state = 'sync'");
    return row !== undefined;
  });

  let current = primary;
  return {
    primary,
    replica,
    redis,
    redisUrl: redis.urlAs("default", "secret"),
    /** Of the database, at the server that takes writes now. */
    url(): string {
      const at = new URL(current.url);
      at.pathname = new URL(url).pathname;
      return at.href;
    },
    /** The primary crashes, and its standby is told to take over. */
    async failOver(): Promise<void> {
      await primary.kill();
      await replica.promote();
      current = replica;
    },
    async stop(): Promise<void> {
      await Promise.all([primary.stop(), replica.stop(), redis.stop()]);
    },
  };
}

export type Data = Awaited<ReturnType<typeof startData>>;

export async function run(server: Postgres, statement: string): Promise<readonly unknown[]> {
  await using sql = new SQL(server.url, { max: 1 });
  const rows: unknown = await sql.unsafe(statement);
  return Array.isArray(rows) ? rows : [];
}
