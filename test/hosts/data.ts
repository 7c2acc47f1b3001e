import { SQL } from "bun";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { makeCertificate } from "../support/certificate.ts";
import { postgresMissing, startPostgres, type Postgres } from "../support/postgres.ts";
import { redisMissing, startRedis } from "../support/redis.ts";
import { eventually } from "../support/log.ts";
import { replaceEach } from "../support/proxy.ts";
import type { Network } from "./network.ts";

export const whyNoData = (): string | undefined => postgresMissing ?? redisMissing;

const standby = "standby";

/** Starts a primary, a standby that has every commit before it is acknowledged, and a Redis that keeps what it has acknowledged. */
export async function startData(network: Network) {
  const within = network.within("data");
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-hosts-"));
  const { certFile, keyFile } = makeCertificate(folder, `IP:${network.data("proxy")}`);
  const [certificate, key] = await Promise.all([certFile, keyFile].map((file) => Bun.file(file).text()));
  const shared = {
    within,
    access: await accessLines(network),
    settings: await settingsOfExample(),
    auth: "scram-sha-256",
    fsync: true,
    tls: { certificate: certificate ?? "", key: key ?? "" },
  } as const;
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
    /** Returns the hosts' URL of the database, through the proxy. */
    urlOfHosts(): string {
      const at = new URL(this.url());
      at.host = `${network.data("proxy")}:5432`;
      at.search = `?sslmode=verify-full&sslrootcert=${certFile}`;
      return at.href;
    },
    /** Returns the URL of the database on the server that takes writes now. */
    url(): string {
      const at = new URL(current.url);
      at.pathname = new URL(url).pathname;
      return at.href;
    },
    /** Crashes the primary, and promotes its standby. */
    async failOver(): Promise<void> {
      await primary.kill();
      await replica.promote();
      current = replica;
    },
    async stop(): Promise<void> {
      await Promise.all([primary.stop(), replica.stop(), redis.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const examples = join(import.meta.dir, "..", "..", "systemd", "postgres");

/** Returns the access rules of the example, with a rule for this machine, which looks into the database. */
async function accessLines(network: Network): Promise<readonly string[]> {
  const example = replaceEach(await Bun.file(join(examples, "pg_hba.conf")).text(), [
    [/10\.0\.0\.10\/32/g, `${network.data("proxy")}/32`],
    [/10\.0\.0\.21\/32/, `${network.data("primary")}/32`],
    [/10\.0\.0\.22\/32/, `${network.data("replica")}/32`],
    [/ replicator /g, " gatehouse "],
  ]);
  return [
    ...example.split("\n"),
    // Both servers run on one machine here, which connects from the address of the proxy.
    `hostssl replication gatehouse ${network.data("proxy")}/32 scram-sha-256`,
    `host all gatehouse ${network.outside("back")}/32 scram-sha-256`,
  ];
}

async function settingsOfExample(): Promise<Readonly<Record<string, string>>> {
  const { listen_addresses: _, ...settings } = parseEnv(await Bun.file(join(examples, "gatehouse.conf")).text());
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value ?? ""]));
}

export type Data = Awaited<ReturnType<typeof startData>>;

async function run(server: Postgres, statement: string): Promise<readonly unknown[]> {
  await using sql = new SQL(server.url, { max: 1 });
  const rows: unknown = await sql.unsafe(statement);
  return Array.isArray(rows) ? rows : [];
}
