import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createDatabaseCache } from "../../src/drivers/cache/database.ts";
import { CacheUnavailable } from "../../src/drivers/cache/index.ts";
import { createCachePrune } from "../../src/drivers/cache/prune.ts";
import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";
import { agesOf } from "../support/ages.ts";
import { type TemporaryDatabase, temporaryDatabase } from "../support/database.ts";
import { cacheConformance } from "./cache.conformance.ts";

let now = Date.UTC(2026, 0, 1);
const clock = { now: () => now };

cacheConformance("database", { shared: true, durable: true }, async () => {
  const fixture = await temporaryDatabase();
  const connections = [fixture.database];
  return {
    // Each cache has its own connection, as processes have.
    async open(name = "default") {
      const { database, health } = createSqliteDatabase({ path: fixture.path, name: "default" });
      connections.push(database);
      return createDatabaseCache({ database, health, clock, name });
    },
    pass: async (ms) => void (now += ms),
    breakStore: async () => void (await fixture.database.run("drop table cache_entries")),
    async dispose() {
      await Promise.all(connections.map((database) => database.close()));
      await fixture.dispose();
    },
  };
});

describe("the database cache", () => {
  let fixture: TemporaryDatabase;
  beforeEach(async () => {
    fixture = await temporaryDatabase();
  });
  afterEach(() => fixture.dispose());

  const open = (name = "default") => createDatabaseCache({ ...fixture, clock, name });
  const rows = async () => (await fixture.database.all("select entry_key from cache_entries")).length;

  test("cache:prune deletes what has expired, of every cache, in small steps, and nothing else", async () => {
    const [cache, other] = [open(), open("sessions")];
    await Promise.all([
      ...Array.from({ length: 250 }, (_, n) => cache.set(`passing${n}`, "x", { ttlMs: 1_000 })),
      other.set("passing", "x", { ttlMs: 1_000 }),
      cache.set("longer", "x", { ttlMs: 2_000 }),
      cache.set("lasting", "x"),
    ]);
    const prune = createCachePrune({ database: fixture.database, ages: agesOf(clock) });
    await prune.run(new AbortController().signal);
    expect(await rows()).toBe(253);
    now += 1_000;
    const stopped = new AbortController();
    stopped.abort();
    await prune.run(stopped.signal);
    expect(await rows()).toBe(153);
    await prune.run(new AbortController().signal);
    expect(await fixture.database.all("select entry_key from cache_entries order by entry_key")).toEqual([
      { entry_key: "lasting" },
      { entry_key: "longer" },
    ]);
  });

  test("finding and pruning use an index", async () => {
    for (const sql of [
      "select value from cache_entries where cache = '1' and entry_key = '1' and (expires_at is null or expires_at > 1)",
      "select cache, entry_key from cache_entries where expires_at <= 1 limit 100",
    ]) {
      const plan = await fixture.database.all<{ detail: string }>(`explain query plan ${sql}`);
      expect(plan.map(({ detail }) => detail).join()).toContain("USING INDEX");
    }
  });

  test("what the database can't do is CacheUnavailable, in the database's own words", async () => {
    const cache = open();
    await fixture.database.close();
    const failure = await cache.get("ada").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CacheUnavailable);
    expect(String(failure)).toContain('cache "default": database "default" is closed');
  });
});
