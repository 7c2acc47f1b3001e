import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { FilePage, ListOptions, Storage } from "../../src/drivers/storage/index.ts";

export interface StorageUnderTest {
  readonly storage: Storage;
  dispose(): Promise<void>;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export async function textOf(storage: Storage, name: string): Promise<string | undefined> {
  const file = await storage.get(name);
  return file === undefined ? undefined : new Response(file.content).text();
}

/** Defines the tests that every storage driver must pass. */
export function storageConformance(driver: string, open: () => Promise<StorageUnderTest>): void {
  describe(`every storage disk: ${driver}`, () => {
    let subject: StorageUnderTest;
    let storage: Storage;
    beforeEach(async () => {
      subject = await open();
      ({ storage } = subject);
    });
    afterEach(() => subject.dispose());

    async function pages(options: ListOptions): Promise<string[][]> {
      const all: string[][] = [];
      let page: FilePage = { files: [], next: "" };
      while (page.next !== undefined) {
        page = await storage.list({ ...options, after: page.next });
        all.push(page.files.map(({ name }) => name));
      }
      return all;
    }

    test("a file comes back as it was put, from bytes and from a stream", async () => {
      const content = crypto.getRandomValues(new Uint8Array(50_000));
      const large = Buffer.concat(Array.from({ length: 30 }, () => content));
      const put = await storage.put("letters/ada.bin", content);
      expect(put).toMatchObject({ name: "letters/ada.bin", size: content.byteLength });
      expect(Math.abs(Date.now() - put.modifiedAt)).toBeLessThan(60_000);
      await storage.put("letters/grace.bin", new Blob([large]).stream());
      for (const [name, expected] of [
        ["letters/ada.bin", content],
        ["letters/grace.bin", large],
      ] as const) {
        const file = await storage.get(name);
        expect(file).toMatchObject({ name, size: expected.byteLength });
        expect(Buffer.from(await new Response(file?.content).arrayBuffer()).equals(expected)).toBe(true);
        expect(await storage.stat(name)).toMatchObject({ name, size: expected.byteLength });
      }
    });

    test("an empty file is a file", async () => {
      await storage.put("empty", new Uint8Array());
      await storage.put("empty-too", new Blob([]).stream());
      expect(await textOf(storage, "empty")).toBe("");
      expect(await storage.stat("empty-too")).toMatchObject({ size: 0 });
    });

    test("what is not there is undefined, and deleting it is no error", async () => {
      expect(await storage.get("nobody")).toBeUndefined();
      expect(await storage.get("no/body/here")).toBeUndefined();
      expect(await storage.stat("nobody")).toBeUndefined();
      await storage.delete("nobody");
      await storage.delete("no/body");
      expect(await storage.list()).toEqual({ files: [], next: undefined });
    });

    test("put replaces, delete removes", async () => {
      await storage.put("note", bytes("first, and longer"));
      await storage.put("note", bytes("second"));
      expect(await textOf(storage, "note")).toBe("second");
      await storage.delete("note");
      expect(await storage.get("note")).toBeUndefined();
      expect((await storage.list()).files).toEqual([]);
    });

    test("a put that fails or is aborted leaves what was there, and nothing else", async () => {
      await storage.put("note", bytes("before"));
      const failing = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(bytes("half of")),
        pull: (controller) => controller.error(new Error("the source broke")),
      });
      await expect(storage.put("note", failing)).rejects.toThrow("the source broke");
      await expect(storage.put("other", failing)).rejects.toThrow();
      const endless = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes("half of")) });
      const signal = AbortSignal.timeout(20);
      await expect(storage.put("note", endless, { signal })).rejects.toThrow();
      await expect(storage.put("late", bytes("too late"), { signal })).rejects.toThrow();
      expect(await textOf(storage, "note")).toBe("before");
      expect((await storage.list()).files.map(({ name }) => name)).toEqual(["note"]);
    });

    test("of puts side by side one wins whole, and a reader sees one of them whole", async () => {
      const letters = ["a", "b", "c", "d"].map((letter) => letter.repeat(100_000));
      await storage.put("note", bytes(letters[0] ?? ""));
      const writers = letters.map((text) => storage.put("note", new Blob([text]).stream()));
      const seen = await Promise.all(Array.from({ length: 8 }, () => textOf(storage, "note")));
      await Promise.all(writers);
      for (const text of [...seen, await textOf(storage, "note")]) expect(letters).toContain(text ?? "nothing");
    });

    test("lists by prefix in the order of names, page by page", async () => {
      const names = ["a/b/c", "a/b/d", "a-b", "a", "a.b", "b/1", "b/10", "b/2", "backups/x", "z"].toSorted();
      // Not every disk can have both "a" and "a/b/c" as files.
      const kept = names.filter((name) => name !== "a");
      for (const name of kept.toReversed()) await storage.put(name, bytes(name));
      expect((await storage.list()).files.map(({ name, size }) => [name, size])).toEqual(
        kept.map((name) => [name, name.length]),
      );
      for (const limit of [1, 2, 3, kept.length, 1_000]) {
        const found = await pages({ limit });
        expect(found.flat()).toEqual(kept);
        expect(found.every((page) => page.length <= limit)).toBe(true);
      }
      expect((await pages({ prefix: "a/", limit: 1 })).flat()).toEqual(["a/b/c", "a/b/d"]);
      expect((await pages({ prefix: "b", limit: 2 })).flat()).toEqual(["b/1", "b/10", "b/2", "backups/x"]);
      expect((await storage.list({ prefix: "a/b/c/" })).files).toEqual([]);
      expect((await storage.list({ after: "b/1", limit: 2 })).files.map(({ name }) => name)).toEqual(["b/10", "b/2"]);
      expect((await storage.list({ after: "not/there" })).files.map(({ name }) => name)).toEqual(["z"]);
    });

    test("a page has a limit of 1 to 1000", async () => {
      for (const limit of [0, -1, 1.5, 1_001, Number.NaN])
        await expect(storage.list({ limit })).rejects.toThrow(TypeError);
    });

    test.each([
      "",
      "/",
      "/etc/passwd",
      "..",
      "../app.db",
      "a/../../b",
      "a//b",
      "a/",
      ".hidden",
      "a/.incoming/b",
      "a\\..\\b",
      "a\0b",
      "a\nb",
      "ä",
      "a b",
      "x".repeat(201),
      "a/".repeat(16) + "b",
      `${"abc/".repeat(15)}${"x".repeat(600)}`,
    ])("%j is no name", async (name) => {
      await expect(storage.put(name, bytes("x"))).rejects.toThrow(TypeError);
      await expect(storage.get(name)).rejects.toThrow(TypeError);
      await expect(storage.stat(name)).rejects.toThrow(TypeError);
      await expect(storage.delete(name)).rejects.toThrow(TypeError);
    });

    test("answers a ping, and nothing once it is closed", async () => {
      await storage.ping();
      await storage.close();
      await expect(storage.ping()).rejects.toThrow("closed");
      await expect(storage.put("late", bytes("x"))).rejects.toThrow("closed");
    });
  });
}
