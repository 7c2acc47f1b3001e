import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createRedisConnection, type RedisConnection } from "../../src/drivers/redis/connection.ts";
import { RedisUnavailable, type RedisServer as Settings } from "../../src/drivers/redis/index.ts";
import { eventually } from "../support/log.ts";
import { redisMissing, type RedisServer } from "../support/redis.ts";
import { startSentinels, type SentinelsOfTest } from "../support/sentinels.ts";

/** Longer than a server is missed for, and the sentinels need to agree and a busy machine to go on. */
const failoverMs = 30_000;
const opened: RedisConnection[] = [];
let set: SentinelsOfTest;

function open(settings: Partial<Settings> = {}): RedisConnection {
  const connection = createRedisConnection({ url: set.url, caFile: undefined, sentinels: set.settings, ...settings });
  opened.push(connection);
  return connection;
}
const write = (connection: RedisConnection, text: string): Promise<unknown> => connection.send("SET", ["ada", text]);

async function reasonOf(asked: Promise<unknown>): Promise<string> {
  try {
    await asked;
    return "none";
  } catch (error) {
    return error instanceof RedisUnavailable ? error.message : `another error: ${String(error)}`;
  }
}
/** Resolves once writes arrive at the server, to the milliseconds from now. */
async function untilWritten(connection: RedisConnection, server: RedisServer, text: string): Promise<number> {
  const began = performance.now();
  await eventually(
    "a write at the new primary",
    async () => (await reasonOf(write(connection, text))) === "none" && (await server.command("GET", "ada")) === text,
    failoverMs,
  );
  return performance.now() - began;
}
/** Waits for entries of a stream that nobody writes, as events and workers wait. Resolves to the end of the wait. */
async function waiting(connection: RedisConnection): Promise<{ readonly ended: Promise<string> }> {
  await connection.ping();
  const asked = connection.send("XREAD", ["BLOCK", "60000", "STREAMS", "nothing", "0-0"], 62_000);
  return { ended: reasonOf(asked) };
}

describe.skipIf(redisMissing !== undefined)("a Redis that sentinels watch", () => {
  beforeAll(async () => {
    set = await startSentinels();
  });
  afterAll(async () => {
    for (const connection of opened) connection.close();
    await set.stop();
  });
  const primaryNow = async (): Promise<{ readonly primary: RedisServer; readonly replica: RedisServer }> => {
    const primary = await set.primary();
    return { primary, replica: set.otherThan(primary) };
  };

  test("D-37 a primary that is killed is followed by the one that the sentinels choose, and a wait on it ends", async () => {
    const { primary, replica } = await primaryNow();
    const [connection, blocked] = [open(), open()];
    await write(connection, "before");
    expect(await primary.command("GET", "ada")).toBe("before");
    const { ended } = await waiting(blocked);
    await primary.kill();
    const why = await reasonOf(write(connection, "lost"));
    expect(why).toStartWith(`Redis at 127.0.0.1:${primary.port}/0, the primary mymaster: the connection `);
    await untilWritten(connection, replica, "after");
    expect(await ended).toContain("the connection was lost");
    await set.untilReplaced(primary);
    await primary.restart();
    await set.rejoin(primary, replica);
  }, 120_000);

  test("D-37 a primary that is frozen is left for the next one, by calls and by a wait that nobody would end", async () => {
    const { primary, replica } = await primaryNow();
    const [connection, blocked] = [open(), open()];
    await write(connection, "before");
    const { ended } = await waiting(blocked);
    primary.freeze();
    await untilWritten(connection, replica, "after");
    expect(await ended).toContain("the connection was lost");
    primary.thaw();
    await set.untilReplaced(primary);
    await set.rejoin(primary, replica);
  }, 120_000);

  test("D-37 a primary that was cut off from the sentinels and still takes writes is left within seconds of its replacement", async () => {
    const { primary, replica } = await primaryNow();
    const [connection, blocked] = [open(), open()];
    await write(connection, "before");
    const { ended } = await waiting(blocked);
    await set.isolate(primary);
    await set.untilReplaced(primary);
    const replacedAt = performance.now();
    expect(await primary.command("ROLE")).toContain("master");
    await untilWritten(connection, replica, "after");
    expect(await ended).toContain("the connection was lost");
    // The check of every second, half a second for the sentinels, and the time that a busy machine takes.
    expect(performance.now() - replacedAt).toBeLessThan(5_000);
    await write(connection, "again");
    expect([await primary.command("GET", "ada"), await replica.command("GET", "ada")]).not.toContain("lost");
    await set.isolate(primary, false);
    await set.rejoin(primary, replica);
  }, 120_000);

  test("D-37 a failover that somebody asks for fails at most the writes that were under way", async () => {
    const { primary, replica } = await primaryNow();
    const connection = open();
    await write(connection, "before");
    await set.failover();
    await untilWritten(connection, replica, "after");
    await set.untilReplaced(primary);
    await set.rejoin(primary, replica);
  }, 120_000);

  test("D-37 a primary that is made a replica by hand takes no more writes, says so, and ends waits", async () => {
    const { primary, replica } = await primaryNow();
    const [connection, blocked] = [open(), open()];
    await write(connection, "before");
    const { ended } = await waiting(blocked);
    await primary.command("REPLICAOF", "127.0.0.1", String(replica.port));
    expect(await reasonOf(write(connection, "lost"))).toContain("it is a replica, and takes no writes");
    expect(await reasonOf(write(connection, "lost"))).toContain("it is a replica, and takes no writes");
    expect(await ended).toContain(`127.0.0.1:${primary.port}`);
    await primary.command("REPLICAOF", "NO", "ONE");
    await untilWritten(connection, primary, "after");
  }, 120_000);

  test("D-38 sentinels that are away do not add up, the last one is enough, and without any a connection that is good stays", async () => {
    const { primary } = await primaryNow();
    const [first, second, third] = set.sentinels;
    const connection = open();
    await write(connection, "before");
    first?.freeze();
    await second?.kill();
    const asked = performance.now();
    await write(open(), "by one sentinel");
    expect(performance.now() - asked).toBeLessThan(2_000);
    third?.freeze();
    const other = open();
    const began = performance.now();
    const why = await reasonOf(other.ping());
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(why).toStartWith("Redis mymaster: no sentinel of 3 names a primary: ");
    expect(why).toContain(`127.0.0.1:${second?.port}: the connection is refused: nothing listens there`);
    // Longer than a connection is used without a check.
    await Bun.sleep(6_000);
    await write(connection, "by none");
    expect(await primary.command("GET", "ada")).toBe("by none");
    first?.thaw();
    third?.thaw();
    await second?.restart();
    await eventually("the sentinels again", async () => (await reasonOf(other.ping())) === "none");
  }, 60_000);

  test("D-38 what is wrong with sentinels is said in words", async () => {
    const { primary } = await primaryNow();
    const places = set.settings.places.map(({ port }) => `127.0.0.1:${port}`).join(", ");
    const unknown = open({ url: "redis://other/0", sentinels: { ...set.settings, name: "other" } });
    expect(await reasonOf(unknown.ping())).toBe(
      `Redis other: no sentinel of 3 names a primary: ${places}: it knows no primary of this name`,
    );
    const noSentinel = open({
      sentinels: { name: "mymaster", places: [{ host: "127.0.0.1", port: primary.port }] },
    });
    expect(await reasonOf(noSentinel.ping())).toBe(
      `Redis mymaster: no sentinel of 1 names a primary: 127.0.0.1:${primary.port}: it is no sentinel`,
    );
    const elsewhere = open({ sentinels: { name: "mymaster", places: [{ host: "127.0.0.1", port: 1 }] } });
    expect(await reasonOf(elsewhere.ping())).toBe(
      "Redis mymaster: no sentinel of 1 names a primary: 127.0.0.1:1: the connection is refused: nothing listens there",
    );
  });
});
