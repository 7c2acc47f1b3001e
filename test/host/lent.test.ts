import { afterEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lend } from "../../src/host/caller/given.ts";
import { createDisk } from "../../src/host/system/disk.ts";

// What the services write for a caller, into a folder that is lent to them. The services are this process here.
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});
async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "gatehouse-lent-"));
  folders.push(made);
  return made;
}

const account = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const lack = account.uid === 0 ? undefined : "root";

/** Lends a folder beside a path; `knowsOwners` is whether the caller's file system does. */
async function lendBeside(path: string, { knowsOwners = true, replace = false } = {}) {
  const disk = createDisk();
  const refusal = Object.assign(new Error("not permitted"), { code: "EPERM" });
  const other = await folder();
  const giveTo: typeof disk.giveTo = (to, which) =>
    knowsOwners || which === other ? disk.giveTo(to, which) : Promise.reject(refusal);
  const options = { path, beside: [".manifest"], replace, account, kept: [], elsewhere: async () => other };
  return { other, ...(await lend({ ...options, disk: { ...disk, giveTo } })) };
}

const asRoot = test.skipIf(lack !== undefined);
const needs = lack === undefined ? "" : ` (needs ${lack})`;

asRoot(`R-73 a file goes to a disk that knows no owners as a copy, and over no other file${needs}`, async () => {
  const place = await folder();
  const path = join(place, "x.db");
  const lent = await lendBeside(path, { knowsOwners: false });
  expect(lent.folder).toBe(lent.other);
  await writeFile(join(lent.folder, "x.db"), "rows");
  await writeFile(join(lent.folder, "x.db.manifest"), "sums");
  await lent.publish();
  expect((await readdir(place)).toSorted()).toEqual(["x.db", "x.db.manifest"]);
  expect(await readFile(path, "utf8")).toBe("rows");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await expect(lendBeside(path, { knowsOwners: false })).rejects.toThrow("is there already");
});

asRoot(`R-73 what the services leave in the folder in place of a file is not taken${needs}`, async () => {
  const place = await folder();
  const secret = join(place, "secret");
  await writeFile(secret, "a secret");
  const makers: Readonly<Record<string, (at: string) => Promise<unknown>>> = {
    link: (at) => symlink(secret, at),
    folder: (at) => mkdir(at),
    nothing: async () => {},
  };
  for (const [name, make] of Object.entries(makers)) {
    const lent = await lendBeside(join(place, name));
    await make(join(lent.folder, name));
    await expect(lent.publish()).rejects.toThrow();
    await lent.remove();
  }
  expect(await readdir(place)).toEqual(["secret"]);
  expect(await readFile(secret, "utf8")).toBe("a secret");
});
