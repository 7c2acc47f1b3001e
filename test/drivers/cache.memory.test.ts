import { beforeEach, describe, expect, test } from "bun:test";
import { CacheUnavailable, type Cache } from "../../src/drivers/cache/index.ts";
import { createMemoryCache } from "../../src/drivers/cache/memory.ts";
import { cacheConformance } from "./cache.conformance.ts";

let now = Date.UTC(2026, 0, 1);
const clock = { now: () => now };

cacheConformance("memory", { shared: false, durable: false }, async () => ({
  open: async (name = "default") => createMemoryCache({ clock, name }),
  pass: async (ms) => void (now += ms),
  dispose: async () => {},
}));

describe("the memory cache when it is full", () => {
  let cache: Cache;
  beforeEach(() => {
    cache = createMemoryCache({ clock, name: "default", maxEntries: 3, maxCharacters: 30 });
  });
  const minute = { ttlMs: 60_000 };
  const has = async (...keys: string[]) => {
    const present = [];
    for (const key of keys) if ((await cache.get(key)) !== undefined) present.push(key);
    return present;
  };

  test("the entry with a lifetime that was not used for longest makes room", async () => {
    await cache.set("ada", "1", minute);
    await cache.set("grace", "2", minute);
    await cache.set("lin", "3", minute);
    await cache.get("ada");
    await cache.set("mary", "4", minute);
    expect(await has("ada", "grace", "lin", "mary")).toEqual(["ada", "lin", "mary"]);
  });

  test("an entry without a lifetime is never dropped", async () => {
    await cache.set("ada", "1");
    await cache.set("grace", "2", minute);
    for (let n = 0; n < 100; n += 1) await cache.set(`other${n}`, "3", minute);
    expect(await has("ada", "grace", "other98", "other99")).toEqual(["ada", "other98", "other99"]);
  });

  test("once only such entries are left, another is refused, and what is there stays and may change", async () => {
    for (const key of ["ada", "grace", "lin"]) await cache.set(key, "1");
    await expect(cache.set("mary", "2", minute)).rejects.toThrow(CacheUnavailable);
    await cache.set("ada", "changed");
    await expect(cache.set("grace", "far too long for what is left")).rejects.toThrow(CacheUnavailable);
    expect([await cache.get("ada"), await cache.get("grace"), await cache.get("mary")]).toEqual([
      "changed",
      "1",
      undefined,
    ]);
    await cache.delete("lin");
    await cache.set("mary", "2", minute);
    expect(await has("mary")).toEqual(["mary"]);
  });

  test("characters are counted as entries are", async () => {
    await cache.set("ada", "x".repeat(12), minute);
    await cache.set("lin", "x".repeat(12), minute);
    await cache.set("mary", "x".repeat(8), minute);
    expect(await has("ada", "lin", "mary")).toEqual(["lin", "mary"]);
    await cache.delete("lin");
    await cache.delete("mary");
    await cache.set("ada", "x".repeat(27));
    expect(await has("ada")).toEqual(["ada"]);
  });
});
