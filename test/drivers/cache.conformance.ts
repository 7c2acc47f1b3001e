import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Cache, CacheUnavailable } from "../../src/drivers/cache/index.ts";
import { maxKeyLength, maxValueLength } from "../../src/drivers/cache/entry.ts";

export interface CacheUnderTest {
  /** Opens a cache of that name. All caches of a subject are on one store. */
  open(name?: string): Promise<Cache>;
  /** Moves the store's clock by that much, or makes all lifetimes shorter by it. */
  pass(ms: number): Promise<void>;
  /** Takes the store away, unless it is this process's own memory. */
  breakStore?(): Promise<void>;
  /** Ends what `open` has opened. */
  dispose(): Promise<void>;
}

export interface CacheTraits {
  /** Whether instances on one store see each other's entries. */
  readonly shared: boolean;
  /** Whether entries outlive the instance that made them. */
  readonly durable: boolean;
}

/** Defines the tests that every driver of the cache port must pass. */
export function cacheConformance(
  driver: string,
  { shared, durable }: CacheTraits,
  begin: () => Promise<CacheUnderTest>,
): void {
  describe(`the cache port on ${driver}`, () => {
    let subject: CacheUnderTest;
    let cache: Cache;

    beforeEach(async () => {
      subject = await begin();
      cache = await subject.open();
    });
    afterEach(() => subject.dispose());

    test("it says what it is and that it answers", async () => {
      expect({ driver: cache.driver, name: cache.name }).toEqual({ driver, name: "default" });
      await cache.ping();
      await cache.checkWritable();
    });

    test("get gives what was set last, and nothing where nothing was", async () => {
      expect(await cache.get("ada")).toBeUndefined();
      await cache.set("ada", "first");
      await cache.set("ada", "second");
      expect(await cache.get("ada")).toBe("second");
      expect(await cache.get("Ada")).toBeUndefined();
    });

    test("any text comes back as it was, the empty one and the longest too", async () => {
      const longKey = "k".repeat(maxKeyLength);
      const texts = ["", " ", "für ada 📜\r\n", '{"a":[1,null]}', "0", "null", "é", "v".repeat(maxValueLength)];
      for (const text of texts) {
        await cache.set(longKey, text);
        expect(await cache.get(longKey)).toBe(text);
      }
      for (const key of ["a b", "a:b", "a%b_c", "ключ", "'; drop table x; --", "__proto__"]) {
        await cache.set(key, `of ${key}`);
        expect(await cache.get(key)).toBe(`of ${key}`);
      }
    });

    test("what was deleted is gone, and deleting nothing is fine", async () => {
      await cache.set("ada", "here");
      await cache.set("grace", "here");
      await cache.delete("ada");
      await cache.delete("ada");
      expect(await cache.get("ada")).toBeUndefined();
      expect(await cache.get("grace")).toBe("here");
    });

    test("an entry ends with its lifetime, not before", async () => {
      await cache.set("ada", "passing", { ttlMs: 60_000 });
      await cache.set("grace", "lasting");
      await subject.pass(20_000);
      expect(await cache.get("ada")).toBe("passing");
      await subject.pass(45_000);
      expect(await cache.get("ada")).toBeUndefined();
      expect(await cache.get("grace")).toBe("lasting");
    });

    test("setting anew sets the lifetime anew, and none takes it away", async () => {
      await cache.set("ada", "a", { ttlMs: 40_000 });
      await cache.set("grace", "a", { ttlMs: 40_000 });
      await cache.set("lin", "a");
      await cache.set("ada", "b", { ttlMs: 6_000_000 });
      await cache.set("grace", "b");
      await cache.set("lin", "b", { ttlMs: 40_000 });
      await subject.pass(50_000);
      expect(await Promise.all(["ada", "grace", "lin"].map((key) => cache.get(key)))).toEqual(["b", "b", undefined]);
    });

    test.each([
      ["an empty key", "", "v", {}],
      ["a key past its bound", "k".repeat(maxKeyLength + 1), "v", {}],
      ["a key with NUL", "a\0b", "v", {}],
      ["half a surrogate pair", "\ud83d", "v", {}],
      ["a value past its bound", "k", "v".repeat(maxValueLength + 1), {}],
      ["a value with NUL", "k", "a\0b", {}],
      ["a value that is no text", "k", "\udc00", {}],
      ["no lifetime at all", "k", "v", { ttlMs: 0 }],
      ["a lifetime in the past", "k", "v", { ttlMs: -1 }],
      ["a part of a millisecond", "k", "v", { ttlMs: 0.5 }],
      ["a lifetime without end", "k", "v", { ttlMs: Number.POSITIVE_INFINITY }],
      ["a lifetime that is no number", "k", "v", { ttlMs: Number.NaN }],
    ])("%s is refused, and leaves what was there", async (_, key, value, options) => {
      await cache.set("k", "before");
      await expect(cache.set(key, value, options)).rejects.toThrow(RangeError);
      expect(await cache.get("k")).toBe("before");
    });

    test("caches of different names keep apart", async () => {
      const other = await subject.open("sessions");
      await cache.set("ada", "default's");
      expect(await other.get("ada")).toBeUndefined();
      await other.set("ada", "the other's");
      await other.delete("ada");
      expect(await cache.get("ada")).toBe("default's");
    });

    test("of many writes at once one stands, whole", async () => {
      const values = Array.from({ length: 50 }, (_, n) => `${n}`.repeat(500));
      await Promise.all(values.map((value) => cache.set("ada", value)));
      expect(values).toContain((await cache.get("ada")) ?? "");
    });

    test("after close it answers nothing", async () => {
      await cache.close();
      await cache.close();
      for (const asked of [
        () => cache.get("k"),
        () => cache.set("k", "v"),
        () => cache.delete("k"),
        () => cache.ping(),
        () => cache.checkWritable(),
      ])
        await expect(asked()).rejects.toThrow(CacheUnavailable);
    });

    test(`two instances of one name ${shared ? "share" : "do not share"} their entries`, async () => {
      const second = await subject.open();
      await cache.set("ada", "here");
      await cache.set("grace", "here", { ttlMs: 40_000 });
      expect(await second.get("ada")).toBe(shared ? "here" : undefined);
      await second.delete("ada");
      expect(await cache.get("ada")).toBe(shared ? undefined : "here");
      await subject.pass(50_000);
      expect(await second.get("grace")).toBeUndefined();
    });

    test(`entries ${durable ? "outlive" : "end with"} the instance that made them`, async () => {
      await cache.set("ada", "kept");
      await cache.close();
      expect(await (await subject.open()).get("ada")).toBe(durable ? "kept" : undefined);
    });

    test("a store that is gone is CacheUnavailable in everything", async () => {
      await cache.set("k", "v");
      await subject.breakStore?.();
      if (subject.breakStore === undefined) await cache.close();
      for (const asked of [
        () => cache.get("k"),
        () => cache.set("k", "v"),
        () => cache.delete("k"),
        () => cache.ping(),
        () => cache.checkWritable(),
      ])
        await expect(asked()).rejects.toThrow(CacheUnavailable);
    });
  });
}
