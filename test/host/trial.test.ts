import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contentHash } from "../../src/core/crypto.ts";
import { createInstall, createSystem, HostFailure, type InstallOptions } from "../../src/host/index.ts";

// What an installation says of a machine that is no host: a laptop, or a machine of a CI, on which nothing may be written.
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const never = (): Promise<never> => Promise.reject(new Error("a trial starts nothing"));

async function laptop(asked: Partial<InstallOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-laptop-"));
  folders.push(folder);
  const binary = join(folder, "gatehouse");
  await writeFile(binary, "a binary");
  await writeFile(`${binary}.sha256`, `${contentHash("a binary")}  gatehouse\n`);
  const own = createSystem({ line: "./gatehouse host:install --dry-run" });
  const absent = () => Promise.reject(new HostFailure("systemd does not run this host", "take a host with systemd"));
  const { install } = createInstall({
    system: {
      ...own,
      isRoot: () => false,
      systemd: { ...own.systemd, check: absent, list: never, act: never, journal: never, runAsService: never },
      run: never,
      disk: { ...own.disk, write: never, folder: never, remove: never },
    },
    freshSecret: () => "a secret",
    activate: never,
    restart: never,
    untilReady: never,
    say: () => {},
  });
  const options: InstallOptions = { app: "gatehouse", root: "/", binary, secrets: () => ["APP_KEY"], ...asked };
  return { folder, trial: () => install(options, { dryRun: true }), install: () => install(options) };
}

const url = new URL("https://auth.example.test");
const noRoot = {
  problem: "this is not run by root",
  mend: "run it as root: sudo ./gatehouse host:install --dry-run",
};
const noSystemd = { problem: "systemd does not run this host", mend: "take a host with systemd" };

test("R-62 where no systemd runs and without root a trial says what would be done, and what keeps this machine from it", async () => {
  const { trial } = await laptop({ url });
  const { written, activates, obstacles, restarts_due: due } = await trial();
  expect(written).toContain("/etc/systemd/system/gatehouse-worker.service");
  expect(written).toContain("/etc/gatehouse/gatehouse.env");
  expect(activates).toBe(true);
  expect(obstacles.slice(0, 2)).toEqual([noRoot, noSystemd]);
  expect(due).toEqual([]);
});

test("R-62 a trial needs no address, no checksum and no compiled binary, and says that an installation does", async () => {
  const { folder, trial } = await laptop();
  await rm(join(folder, "gatehouse.sha256"));
  const { url: shown, obstacles } = await trial();
  expect(shown).toBe("https://auth.example.com");
  expect(obstacles).toContainEqual({
    problem: "the address of this host is not known",
    mend: "run this with --url https://auth.example.com",
  });
  expect(obstacles).toContainEqual(expect.objectContaining({ problem: expect.stringMatching(/\.sha256 is missing$/) }));
  const sources = await laptop({ url, binary: undefined });
  expect((await sources.trial()).obstacles).toContainEqual({
    problem: "this runs from the sources, and a host takes a compiled binary",
    mend: "build one with bun build.ts",
  });
  const admin = await laptop({ app: "gatehouse-admin" });
  expect((await admin.trial()).obstacles).toContainEqual({
    problem: "gatehouse is not installed on this host",
    mend: "run its host:install first, then this again",
  });
});

test("R-66 what a trial only names, an installation is refused by", async () => {
  const { install } = await laptop({ url });
  await expect(install()).rejects.toThrow(noRoot.problem);
});
