import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RedisSentinels } from "../../src/drivers/redis/index.ts";
import { eventually } from "./log.ts";
import { launchRedis, somePort, startRedis, type RedisOptions, type RedisServer } from "./redis.ts";

export interface SentinelOptions {
  /** Users of the servers besides the default one. */
  readonly users?: readonly string[];
  /** Lines of the configuration of servers. */
  readonly settings?: readonly string[];
}

/** One sentinel. */
export interface Sentinel {
  readonly port: number;
  command(...words: readonly [string, ...string[]]): Promise<unknown>;
  kill(): Promise<void>;
  restart(): Promise<void>;
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const name = "mymaster";
const downAfterMs = 1_000;
const user = "watcher";
const password = "of-the-watchers";
/** What sentinels and replicas need of a server: without it a server is cut off from them, and clients still reach it. */
const watching = `${user} on >${password} ~* &* +@all`;

/** Sentinels ask and tell more often than they do of themselves, and don't take a busy machine for a clock that jumps. */
const pace = ["info-period", "500", "publish-period", "300", "tilt-trigger", "60000", "tilt-period", "1000"];

/** What sentinels and replicas send, and the tests don't while a server is cut off. */
const watchers = ["ping", "info", "publish", "subscribe", "replicaof", "slaveof", "psync", "replconf", "multi"];

async function commandAt(port: number, [command, ...words]: readonly [string, ...string[]]): Promise<unknown> {
  const client = new Bun.RedisClient(`redis://127.0.0.1:${port}`, { autoReconnect: false });
  try {
    return await client.send(command, words);
  } finally {
    client.close();
  }
}

/** Starts a sentinel of the primary at a host and a port, which alone or with others chooses another one. */
export async function startSentinel(primary: string, quorum: number, settings: readonly string[]): Promise<Sentinel> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-sentinel-"));
  const file = join(folder, "sentinel.conf");
  const begin = () => launchRedis([file, "--sentinel"], { ready: "Sentinel ID is" });
  async function beginAnew(): Promise<{ port: number; running: NonNullable<Awaited<ReturnType<typeof begin>>> }> {
    const port = somePort();
    const lines = [
      ...(settings.some((each) => each.startsWith("tls-")) ? ["port 0", `tls-port ${port}`] : [`port ${port}`]),
      "bind 127.0.0.1",
      `dir ${folder}`,
      // Names are read only after the line that lets them be.
      ...settings,
      `sentinel monitor ${name} ${primary} ${quorum}`,
      `sentinel auth-user ${name} ${user}`,
      `sentinel auth-pass ${name} ${password}`,
      `sentinel down-after-milliseconds ${name} ${downAfterMs}`,
      `sentinel failover-timeout ${name} 3000`,
    ];
    await Bun.write(file, `${lines.join("\n")}\n`);
    const running = await begin();
    return running === undefined ? beginAnew() : { port, running };
  }
  const { port, running } = await beginAnew();
  let current = running;
  async function kill(): Promise<void> {
    current.child.kill("SIGKILL");
    await current.ended;
  }
  return {
    port,
    command: (...words) => commandAt(port, words),
    kill,
    async restart() {
      const again = await begin();
      if (again === undefined) throw new Error(`port ${port} was taken while the sentinel restarted`);
      current = again;
    },
    freeze: () => current.child.kill("SIGSTOP"),
    thaw: () => current.child.kill("SIGCONT"),
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const fieldsOf = (reply: unknown): ReadonlyMap<string, unknown> => new Map(Object.entries(Object(reply)));

/** Starts a primary, a replica and three sentinels that watch them, and waits until they know each other. */
export async function startSentinels({ users = [], settings = [] }: SentinelOptions = {}) {
  const common = [`masteruser ${user}`, `masterauth ${password}`, "repl-diskless-sync-delay 0", ...settings];
  const options: RedisOptions = { users: ["default on nopass ~* &* +@all", watching, ...users], settings: common };
  const first = await startRedis(options);
  const second = await startRedis({ ...options, settings: [...common, `replicaof 127.0.0.1 ${first.port}`] });
  const servers: readonly RedisServer[] = [first, second];
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(`127.0.0.1 ${first.port}`, 2, [])));
  for (const { port } of sentinels) await commandAt(port, ["SENTINEL", "DEBUG", ...pace]);

  const serverAt = (port: unknown): RedisServer => {
    const found = servers.find((each) => String(each.port) === String(port));
    if (found === undefined) throw new Error(`no server has the port ${String(port)}`);
    return found;
  };
  const otherThan = (server: RedisServer): RedisServer => (server === first ? second : first);
  async function namedBy(sentinel: Sentinel): Promise<RedisServer> {
    const reply = await sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name);
    return serverAt(Array.isArray(reply) ? reply[1] : undefined);
  }
  async function primary(): Promise<RedisServer> {
    const [sentinel] = sentinels;
    if (sentinel === undefined) throw new Error("there is no sentinel");
    return namedBy(sentinel);
  }
  const knowsAll = async (sentinel: Sentinel): Promise<boolean> => {
    const fields = fieldsOf(await sentinel.command("SENTINEL", "MASTER", name));
    return fields.get("num-slaves") === "1" && fields.get("num-other-sentinels") === "2";
  };
  const isUp = async ({ port }: RedisServer): Promise<boolean> =>
    String(await commandAt(port, ["INFO", "replication"])).includes("master_link_status:up");
  await eventually("three sentinels that know each other", async () =>
    (await Promise.all([...sentinels.map(knowsAll), isUp(second)])).every(Boolean),
  );

  return {
    name,
    servers,
    sentinels,
    /** The settings of a process that asks these sentinels. */
    settings: { name, places: sentinels.map(({ port }) => ({ host: "127.0.0.1", port })) } satisfies RedisSentinels,
    url: `redis://${name}/0`,
    primary,
    otherThan,
    /** Resolves to the server that all sentinels name, once it is another one than that. */
    async untilReplaced(before: RedisServer, withinMs = 60_000): Promise<RedisServer> {
      const isAnother = async (): Promise<boolean> =>
        (await Promise.all(sentinels.map(namedBy))).every((each) => each !== before);
      await eventually("another primary", isAnother, withinMs);
      return otherThan(before);
    },
    /** Has the sentinels make the replica primary while all is well. */
    async failover(): Promise<void> {
      const ask = async () => (await sentinels[0]?.command("SENTINEL", "FAILOVER", name)) === "OK";
      // Sentinels refuse it for a moment after the last one.
      await eventually("a failover", () => ask().catch(() => false));
    },
    /** Kills the primary and waits until another one is named; the one that was killed follows that one then. */
    async replace(): Promise<void> {
      const killed = await primary();
      await killed.kill();
      const next = await this.untilReplaced(killed);
      await killed.restart();
      await this.rejoin(killed, next);
    },
    /** Cuts a server off from sentinels and replicas, while clients still reach it, or ends that. */
    async isolate(server: RedisServer, isCut = true): Promise<void> {
      await server.command("ACL", "SETUSER", user, isCut ? "off" : "on");
      // Who is refused as that user goes on as the default one.
      await server.command("ACL", "SETUSER", "default", ...watchers.map((each) => `${isCut ? "-" : "+"}${each}`));
      if (isCut) await server.command("CLIENT", "KILL", "USER", user);
    },
    /** Makes a server that was replaced a replica again, in place of the sentinels, which take their time for it. */
    async rejoin(server: RedisServer, primary: RedisServer): Promise<void> {
      await server.command("REPLICAOF", "127.0.0.1", String(primary.port));
      await eventually("a replica", () => isUp(server));
    },
    async stop(): Promise<void> {
      await Promise.all([...sentinels, ...servers].map((each) => each.stop()));
    },
  };
}

export type SentinelsOfTest = Awaited<ReturnType<typeof startSentinels>>;
