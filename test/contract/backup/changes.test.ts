import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { auth, calm, createPeople, type Person } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { testEnvironment } from "../../support/environment.ts";
import { folderOfEachTest } from "../../support/folder.ts";
import { eventually } from "../../support/log.ts";
import { runGatehouse } from "../../support/process.ts";
import { openRows } from "../../support/rows.ts";
import { offSiteOn, startS3 } from "../../support/s3.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";

const folder = folderOfEachTest();
endTargetsAfterEach();

let server: ReturnType<typeof startS3>;
let path: string;
let more: Record<string, string>;
beforeEach(() => {
  server = startS3();
  path = join(folder(), "data", "app.db");
  more = {};
});
afterEach(() => server.stop());

const onS3 = (): Record<string, string> => ({
  DB_DATABASE: path,
  ...offSiteOn(server),
  BACKUP_DISK: "off-site",
  ...more,
});
const continuous = { BACKUP_CHANGES_INTERVAL: "1s" };
const run = (...args: string[]) =>
  runGatehouse(args, { cwd: folder(), env: { ...testEnvironment(folder()), ...calm, ...onS3() }, limitMs: 60_000 });
const start = (env: Record<string, string>, migrate: boolean) =>
  startTarget({ env: { ...calm, ...onS3(), ...env }, ownProcess: true, migrate });
const statusOf = async (url: string, { email, password }: Person): Promise<number> =>
  (await createClient(url).post(auth("login"), { login: email, password })).status;
const names = (ending: RegExp): readonly string[] => [...server.files.keys()].filter((key) => ending.test(key));
const audited = (): unknown[] => {
  const rows = openRows(path);
  const found = rows.all("select actor, outcome from audit_events where action = 'backup.drilled' order by at");
  rows.close();
  return found;
};

test("B-40 a host that is lost is back with what was acknowledged, from continuous copies", async () => {
  const target = await start(continuous, true);
  const people = createPeople(target.url);
  const ada = await people.register("ada");
  await eventually("the copy", () => names(/\.copy$/).length > 0, 60_000);
  const atCopy = names(/\.pages$/).length;
  const grace = await people.register("grace");
  await eventually("her change", () => names(/\.pages$/).length > atCopy, 60_000);
  // Waiting changes go to the disk before the process ends.
  const late = await people.register("joan");
  expect(await target.stop()).toBe(0);
  expect(audited()).toEqual([]);

  const listed = await run("backup:list", "--disk", "off-site");
  expect(listed.stdout).toContain("CONTINUOUS COPIES");
  const drilled = await run("backup:drill", "--max-age", "1h");
  expect(drilled.stderr).toBe("");
  expect(drilled.stdout).toContain("whole: continuous copies, as of 20");
  const stale = await run("backup:drill", "--max-age", "1ms");
  expect(stale).toMatchObject({ code: 1, stdout: "" });
  expect(stale.stderr).toContain("the newest state on the disk is from 20");
  expect(audited()).toEqual([
    { actor: "operator", outcome: "success" },
    { actor: "operator", outcome: "failure" },
  ]);

  await rm(join(folder(), "data"), { recursive: true });
  const verified = await run("backup:verify", "--disk", "off-site", "--json");
  const { rows }: { rows: Record<string, number> } = JSON.parse(verified.stdout);
  expect(rows["users"]).toBe(3);
  expect(existsSync(path)).toBe(false);
  const restored = await run("backup:restore", "--disk", "off-site");
  expect(restored.stderr).toBe("");
  expect(restored.stdout).toMatch(
    /^restored .* from the continuous copies on disk off-site\nit has all that was committed before 20\S+Z, \d+ s ago\n$/,
  );
  expect(readdirSync(join(folder(), "data"))).toEqual(["app.db"]);
  const second = await start({}, false);
  for (const person of [ada, grace, late]) expect(await statusOf(second.url, person)).toBe(200);
  expect(await second.stop()).toBe(0);

  const early = await run("backup:restore", "--disk", "off-site", "--at", "2020-01-01", "--force");
  expect(early.stderr).toContain("no copy on disk off-site is from before 2020-01-01");
  const middle = names(/\.pages$/)[0] ?? "";
  const file = server.files.get(middle);
  const bytes = Uint8Array.from(file?.bytes ?? []);
  bytes[bytes.length - 40] = (bytes[bytes.length - 40] ?? 0) ^ 1;
  if (file !== undefined) server.files.set(middle, { ...file, bytes, metadata: {} });
  const damaged = await run("backup:restore", "--disk", "off-site", "--force");
  expect(damaged).toMatchObject({ code: 1, stdout: "" });
  expect(damaged.stderr).toContain(`${middle} is damaged`);
}, 180_000);

const age = Bun.which("age");
const keygen = Bun.which("age-keygen");

test.skipIf(age === null || keygen === null)(
  "B-41 what goes to a disk is encrypted for the key of age, which age itself reads",
  async () => {
    const key = join(folder(), "key.txt");
    expect(Bun.spawnSync([keygen ?? "", "-o", key]).exitCode).toBe(0);
    const recipient = Bun.spawnSync([keygen ?? "", "-y", key])
      .stdout.toString()
      .trim();
    more = { BACKUP_AGE_RECIPIENT: recipient };
    const target = await start(continuous, true);
    const ada = await createPeople(target.url).register("ada");
    expect(await run("backup:create", "--disk", "off-site")).toMatchObject({ code: 0 });
    await eventually("a copy", () => names(/\.copy\.age$/).length > 0, 60_000);
    expect(await target.stop()).toBe(0);
    const clear = names(/^(?!.*\.age$)/);
    expect(clear.every((name) => name.endsWith(".age.manifest.json"))).toBe(true);
    for (const [name, { bytes }] of server.files) {
      if (clear.includes(name)) continue;
      expect(Buffer.from(bytes.subarray(0, 21)).toString()).toBe("age-encryption.org/v1");
      expect(name).not.toContain("ada");
      expect(Buffer.from(bytes).includes("SQLite format 3")).toBe(false);
    }
    const [daily = ""] = names(/\.db\.age$/);
    const sealed = join(folder(), "daily.db.age");
    writeFileSync(sealed, server.files.get(daily)?.bytes ?? "");
    writeFileSync(`${sealed}.manifest.json`, server.files.get(`${daily}.manifest.json`)?.bytes ?? "");
    const plain = Bun.spawnSync([age ?? "", "--decrypt", "-i", key, sealed]);
    expect(plain.exitCode).toBe(0);
    expect(plain.stdout.subarray(0, 15).toString()).toBe("SQLite format 3");
    expect((await run("backup:verify", "--input", sealed, "--identity", key)).stdout).toContain("whole: ");
    expect((await run("backup:verify", "--input", sealed)).stderr).toContain("is encrypted: --identity names the file");
    writeFileSync(sealed, (server.files.get(daily)?.bytes ?? new Uint8Array()).subarray(0, -100));
    expect((await run("backup:verify", "--input", sealed, "--identity", key)).code).toBe(1);

    await rm(join(folder(), "data"), { recursive: true });
    expect((await run("backup:restore", "--disk", "off-site")).stderr).toContain("--identity names the file");
    const other = join(folder(), "other.txt");
    Bun.spawnSync([keygen ?? "", "-o", other]);
    expect((await run("backup:restore", "--disk", "off-site", "--identity", other)).stderr).toContain(
      "another identity",
    );
    expect(existsSync(path)).toBe(false);
    expect((await run("backup:restore", "--disk", "off-site", "--identity", key)).code).toBe(0);
    const second = await start({}, false);
    expect(await statusOf(second.url, ada)).toBe(200);
    expect(await second.stop()).toBe(0);
  },
  180_000,
);

test("with PostgreSQL the commands say what to use instead", async () => {
  more = { DB_DRIVER: "postgres", DB_URL: "postgres://gatehouse@127.0.0.1:1/gatehouse", BACKUP_DISK: "" };
  for (const args of [
    ["backup:verify", "--input", "a.db"],
    ["backup:verify", "--disk", "off-site"],
    ["backup:restore", "--disk", "off-site"],
    ["backup:drill", "--disk", "off-site"],
  ]) {
    const { code, stderr } = await run(...args);
    expect(stderr).toContain("back up and restore a PostgreSQL database with pg_dump and pg_restore");
    expect(code).toBe(1);
  }
}, 60_000);
