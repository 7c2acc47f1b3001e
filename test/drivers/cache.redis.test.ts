import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { CacheUnavailable, type Cache } from "../../src/drivers/cache/index.ts";
import { openCache } from "../../src/drivers/cache/open.ts";
import { opensslMissing } from "../support/certificate.ts";
import { unopenedDatabase } from "../../src/cli/app/unopened.database.ts";
import { sharedFolder } from "../support/folder.ts";
import { eventually } from "../support/log.ts";
import { redisMissing, startRedis, type RedisServer } from "../support/redis.ts";
import { cacheConformance } from "./cache.conformance.ts";

const missing = redisMissing ?? opensslMissing;
const folder = sharedFolder();
const { database, health } = unopenedDatabase("sqlite");

/** The server goes by the machine's clock, so lifetimes are made shorter instead. */
const shortenLifetimes = `
  for _, key in ipairs(redis.call('KEYS', '*')) do
    local left = redis.call('PTTL', key)
    if left >= 0 then redis.call('PEXPIRE', key, left - ARGV[1]) end
  end`;

const openAt = (url: string, { name = "default", caFile }: { name?: string; caFile?: string | undefined } = {}) =>
  openCache(
    { driver: "redis", redis: { url, caFile }, namespace: "gatehouse:testing:app" },
    { name, database, health, clock: systemClock },
  );
const reasonOf = (cache: Cache, asked: () => Promise<unknown> = () => cache.get("ada")): Promise<string> =>
  asked().then(
    () => "none",
    (error: unknown) => (error instanceof CacheUnavailable ? error.message : `another error: ${String(error)}`),
  );

/** Waits until the cache gives this reason: on a busy machine the probe may give up a step earlier than the server. */
const untilReason = (cache: Cache, text: string): Promise<void> =>
  eventually(text, async () => (await reasonOf(cache)).includes(text));

describe.skipIf(missing !== undefined)("the Redis cache", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis({
      appendonly: true,
      users: [
        "default on nopass ~* &* +@all",
        "ada on >p@ss/word ~gatehouse:* &* +@all",
        "reader on >reader-password ~* +get +ping",
      ],
    });
  });
  afterAll(() => server.stop());

  cacheConformance("redis", { shared: true, durable: true }, async () => {
    const opened: Cache[] = [];
    let isDown = false;
    return {
      async open(name = "default") {
        const cache = openAt(server.url, { name });
        opened.push(cache);
        return cache;
      },
      pass: async (ms) => void (await server.command("EVAL", shortenLifetimes, "0", String(ms))),
      async breakStore() {
        await server.kill();
        isDown = true;
      },
      async dispose() {
        await Promise.all(opened.map((cache) => cache.close()));
        if (isDown) await server.restart();
        await server.command("FLUSHALL");
      },
    };
  });

  test("D-30 apps, environments and names keep apart on one server, and an ACL user can be held to their keys", async () => {
    const cache = openAt(server.urlAs("ada", "p@ss/word"), { name: "user-profiles" });
    await cache.set("ada", "here");
    expect(await server.command("KEYS", "*")).toEqual(["gatehouse:testing:app:cache:user-profiles:entry:ada"]);
    await cache.checkWritable();
    await cache.close();
  });

  test("the number of the database counts", async () => {
    const cache = openAt(`${server.url}/3`);
    await cache.set("grace", "here");
    expect(await cache.get("grace")).toBe("here");
    expect(await server.command("EXISTS", "gatehouse:testing:app:cache:default:entry:grace")).toBe(0);
    await cache.close();
  });

  test("D-31 what is wrong is said in words, without credentials", async () => {
    const at = `Redis at 127.0.0.1:${server.port}/0`;
    const wrong = openAt(server.urlAs("ada", "wr0ng-password"));
    expect(await reasonOf(wrong)).toBe(`cache "default": ${at}: it refuses the user or the password`);
    const reader = openAt(server.urlAs("reader", "reader-password"));
    expect(await reasonOf(reader)).toBe("none");
    expect(await reasonOf(reader, () => reader.checkWritable())).toContain("the rights of its user do not allow this");
    const elsewhere = openAt(`${server.url}/999`);
    await untilReason(elsewhere, "it answers ERR DB index is out of range");
    const secure = openAt(server.url.replace("redis:", "rediss:"));
    await untilReason(secure, "it is connected, and does not speak TLS: a URL with redis:// goes without");
    const nobody = openAt("redis://ada:s3cr3t-password@127.0.0.1:1");
    expect(await reasonOf(nobody)).toBe(
      'cache "default": Redis at 127.0.0.1:1/0: the connection is refused: nothing listens there',
    );
    await Promise.all([wrong, reader, elsewhere, secure, nobody].map((cache) => cache.close()));
  });

  test("a server that is full or a replica is read, and says why it takes nothing", async () => {
    const cache = openAt(server.url);
    await cache.set("ada", "here");
    await server.command("CONFIG", "SET", "maxmemory", "1");
    expect(await reasonOf(cache, () => cache.set("grace", "x"))).toContain("its memory is full (maxmemory)");
    expect(await reasonOf(cache, () => cache.checkWritable())).toContain("its memory is full");
    await cache.ping();
    expect(await cache.get("ada")).toBe("here");
    await server.command("CONFIG", "SET", "maxmemory", "0");
    await server.command("REPLICAOF", "127.0.0.1", "1");
    expect(await reasonOf(cache, () => cache.checkWritable())).toContain("it is a replica");
    await server.command("REPLICAOF", "NO", "ONE");
    await cache.checkWritable();
    await cache.close();
  });

  test("D-32 a server that hangs or dies fails calls within seconds, and is used again once it is back", async () => {
    const cache = openAt(server.url);
    await cache.set("ada", "here");
    server.freeze();
    expect(await reasonOf(cache)).toContain("no answer within 1000 ms");
    await untilReason(cache, "it is connected, and gives no answer");
    server.thaw();
    await untilReason(cache, "none");
    const asked = Array.from({ length: 50 }, () => reasonOf(cache));
    await server.kill();
    await Promise.all(asked);
    await untilReason(cache, "the connection is refused");
    await server.restart();
    await untilReason(cache, "none");
    expect(await cache.get("ada")).toBe("here");
    await cache.close();
  });

  test("D-33 TLS is spoken with a server whose certificate an authority vouches for, for its name, and with no other", async () => {
    const secure = await startRedis({ tls: true });
    const { url, caFile } = secure;
    const trusted = openAt(url, { caFile });
    await trusted.set("ada", "here");
    expect(await trusted.get("ada")).toBe("here");
    const unknown = openAt(url);
    await untilReason(unknown, "TLS fails: DEPTH_ZERO_SELF_SIGNED_CERT");
    const renamed = openAt(url.replace("localhost", "127.0.0.1"), { caFile });
    await untilReason(renamed, "TLS fails: ERR_TLS_CERT_ALTNAME_INVALID");
    const plain = openAt(url.replace("rediss:", "redis:"));
    await untilReason(plain, "a server that speaks TLS wants a URL with rediss://");
    expect(() => openAt(url, { caFile: join(folder, "none.pem") })).toThrow("REDIS_CA_FILE names can't be read");
    await Promise.all([trusted, unknown, renamed, plain].map((cache) => cache.close()));
    await secure.stop();
  });
});
