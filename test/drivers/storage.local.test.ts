import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { type Storage, StorageUnavailable } from "../../src/drivers/storage/index.ts";
import { createLocalStorage } from "../../src/drivers/storage/local.ts";
import { openStorage } from "../../src/drivers/storage/open.ts";
import { canMount, smallDisk } from "../support/small.disk.ts";
import { storageConformance, textOf } from "./storage.conformance.ts";

const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "gatehouse-storage-"));
const open = (path: string): Storage =>
  openStorage({ config: { driver: "local", path }, name: "uploads", clock: systemClock });
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const kilobytes = (count: number): Uint8Array => new Uint8Array(count * 1024);

storageConformance("local", async () => {
  const folder = await temporaryFolder();
  const storage = open(join(folder, "disk"));
  return {
    storage,
    async dispose() {
      await storage.close();
      await rm(folder, { recursive: true });
    },
  };
});

describe("a local disk", () => {
  let outside: string;
  let root: string;
  let storage: Storage;
  beforeEach(async () => {
    outside = await temporaryFolder();
    root = join(outside, "deep", "disk");
    storage = open(root);
  });
  afterEach(async () => {
    await storage.close();
    await rm(outside, { recursive: true });
  });

  test("makes nothing before it is used, then folders of 0700 and files of 0600", async () => {
    expect(existsSync(join(outside, "deep"))).toBe(false);
    await storage.put("letters/2026/ada", bytes("Dear Grace"));
    for (const folder of ["", "letters", "letters/2026"]) expect(statSync(join(root, folder)).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, "letters/2026/ada")).mode & 0o777).toBe(0o600);
  });

  test("a link to a folder leads nowhere: not out of the disk, and not within it", async () => {
    const secrets = join(outside, "secrets");
    mkdirSync(secrets);
    writeFileSync(join(secrets, "key"), "secret");
    await storage.put("real/note", bytes("inside"));
    symlinkSync(secrets, join(root, "out"));
    symlinkSync(join(root, "real"), join(root, "in"));
    for (const name of ["out/key", "in/note"]) {
      expect(await storage.get(name)).toBeUndefined();
      expect(await storage.stat(name)).toBeUndefined();
      await storage.delete(name);
      await expect(storage.put(name, bytes("overwritten"))).rejects.toThrow(StorageUnavailable);
    }
    await expect(storage.put("out/new", bytes("x"))).rejects.toThrow("a file or a link stands where a folder belongs");
    expect(readdirSync(secrets)).toEqual(["key"]);
    expect(await Bun.file(join(secrets, "key")).text()).toBe("secret");
    expect((await storage.list()).files.map(({ name }) => name)).toEqual(["real/note"]);
  });

  test("a link to a file is no file; put takes its place and leaves its target alone", async () => {
    const key = join(outside, "key");
    writeFileSync(key, "secret");
    await storage.put("note", bytes("x"));
    symlinkSync(key, join(root, "alias"));
    expect(await storage.get("alias")).toBeUndefined();
    expect(await storage.stat("alias")).toBeUndefined();
    await storage.delete("alias");
    await storage.put("alias", bytes("mine"));
    expect(await textOf(storage, "alias")).toBe("mine");
    expect(await Bun.file(key).text()).toBe("secret");
  });

  test("a pipe or a folder is no file, and nobody waits for it", async () => {
    await storage.put("folder/note", bytes("x"));
    expect(Bun.spawnSync(["mkfifo", join(root, "pipe")]).success).toBe(true);
    for (const name of ["pipe", "folder"]) {
      expect(await storage.get(name)).toBeUndefined();
      expect(await storage.stat(name)).toBeUndefined();
      await storage.delete(name);
    }
    expect((await storage.list()).files).toHaveLength(1);
    await expect(storage.put("folder/note/deeper", bytes("x"))).rejects.toThrow(StorageUnavailable);
  });

  test("its own folder may be a link", async () => {
    const real = join(outside, "real");
    mkdirSync(real);
    mkdirSync(join(outside, "deep"));
    await symlink(real, root);
    await storage.put("note", bytes("x"));
    expect(existsSync(join(real, "note"))).toBe(true);
  });

  test("K-01 what a killed writer left behind shows nowhere and is cleared away; what is being written stays, whatever the clock", async () => {
    mkdirSync(join(root, ".incoming"), { recursive: true });
    const [dead, live] = [join(root, ".incoming", "dead"), join(root, ".incoming", "live")];
    writeFileSync(dead, "half of");
    writeFileSync(live, "half of");
    // As a clock sees them that is ahead by 400 days.
    const longAgo = Date.now() / 1_000 - 400 * 24 * 3_600;
    for (const path of [dead, live]) utimesSync(path, longAgo, longAgo);
    let monotonic = 0;
    const disk = createLocalStorage({ name: "uploads", path: root, monotonic: () => monotonic });
    expect((await disk.list()).files).toEqual([]);
    for (let minutes = 0; minutes < 60; minutes += 30) {
      await disk.put("note", bytes("x"));
      monotonic += 1_800_000;
      utimesSync(live, longAgo + minutes + 1, longAgo + minutes + 1);
    }
    expect(readdirSync(join(root, ".incoming")).toSorted()).toEqual(["dead", "live"]);
    await disk.put("note", bytes("x"));
    await disk.close();
    expect(readdirSync(join(root, ".incoming"))).toEqual(["live"]);
    expect((await storage.list()).files.map(({ name }) => name)).toEqual(["note"]);
  });

  test("kill -9 in the middle of a put leaves the file before it", async () => {
    await storage.put("note", bytes("before"));
    const script = join(import.meta.dir, "storage.writer.process.ts");
    const child = Bun.spawn([process.execPath, script, root], { stdout: "pipe", stderr: "inherit" });
    expect((await child.stdout.getReader().read()).done).toBe(false);
    child.kill("SIGKILL");
    await child.exited;
    expect(readdirSync(join(root, ".incoming"))).toHaveLength(1);
    expect(await textOf(storage, "note")).toBe("before");
    expect((await storage.list()).files.map(({ name }) => name)).toEqual(["note"]);
  });

  test("a folder of thousands of files is listed in pages of any size", async () => {
    await storage.ping();
    const names = Array.from({ length: 2_500 }, (_, index) => `n${String(index).padStart(5, "0")}`);
    for (const name of names) writeFileSync(join(root, name), "");
    const found: string[] = [];
    for (let after: string | undefined = ""; after !== undefined;) {
      const page = await storage.list({ after, limit: 7 * 60 });
      found.push(...page.files.map(({ name }) => name));
      after = page.next;
    }
    expect(found).toEqual(names);
    expect((await storage.list({ limit: 1 })).files).toHaveLength(1);
  });

  test("a folder that is gone or no folder is told in plain words", async () => {
    await storage.put("note", bytes("x"));
    await rm(root, { recursive: true });
    await expect(storage.ping()).rejects.toThrow("the folder was removed");
    await expect(storage.put("note", bytes("x"))).rejects.toThrow("the folder was removed");
    writeFileSync(join(outside, "file"), "");
    await expect(open(join(outside, "file")).ping()).rejects.toThrow();
    await expect(open("/proc/uploads").ping()).rejects.toThrow(/storage disk "uploads" \(\/proc\/uploads\): /);
  });

  test.skipIf(!canMount)("a full disk is told, leaves nothing half written, and recovers", async () => {
    using disk = smallDisk(4096);
    const full = open(join(disk.folder, "disk"));
    await full.put("kept", kilobytes(100));
    const put = full.put("large", new Blob([kilobytes(5000)]).stream());
    await expect(put).rejects.toThrow(StorageUnavailable);
    await expect(full.put("large", kilobytes(5000))).rejects.toThrow("the disk is full");
    expect((await full.list()).files.map(({ name }) => name)).toEqual(["kept"]);
    await full.ping();
    await full.put("ballast", kilobytes(3500));
    await expect(full.ping()).rejects.toThrow(/the disk is full, \d+ KiB are free/);
    await full.delete("ballast");
    await full.ping();
    expect(readdirSync(join(disk.folder, "disk", ".incoming"))).toEqual([]);
    await full.close();
  });

  test.skipIf(!canMount)("a read-only file system is told, and can still be read", async () => {
    using disk = smallDisk(4096);
    const stuck = open(join(disk.folder, "disk"));
    await stuck.put("kept", bytes("x"));
    disk.makeReadOnly();
    await expect(stuck.ping()).rejects.toThrow("the file system is read-only");
    await expect(stuck.put("more", bytes("x"))).rejects.toThrow("the file system is read-only");
    await expect(stuck.delete("kept")).rejects.toThrow(StorageUnavailable);
    expect(await textOf(stuck, "kept")).toBe("x");
    await stuck.close();
  });
});
