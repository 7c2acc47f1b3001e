import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { createHash, createHmac } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { calm } from "../../support/auth.ts";
import { testEnvironment } from "../../support/environment.ts";
import { folderOfEachTest } from "../../support/folder.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { openRows } from "../../support/rows.ts";

const folder = folderOfEachTest();

let path: string;
let backup: string;
let manifest: string;
let more: Record<string, string>;
beforeEach(async () => {
  path = join(folder(), "data", "app.db");
  backup = join(folder(), "backup.db");
  manifest = `${backup}.manifest.json`;
  more = {};
  expect((await run("migrate")).code).toBe(0);
});

const run = (...args: string[]): Promise<CommandResult> =>
  runGatehouse(args, {
    cwd: folder(),
    env: { ...testEnvironment(folder()), ...calm, DB_DATABASE: path, STORAGE_PATH: join(folder(), "disk"), ...more },
  });
const create = async (...args: string[]) =>
  expect((await run("backup:create", "--output", backup, ...args)).code).toBe(0);
const sources = () => ["--input", backup];
const verify = (...args: string[]) => run("backup:verify", ...sources(), ...args);
const restore = (...args: string[]) => run("backup:restore", ...sources(), "--force", ...args);
const note = (): unknown => {
  const rows = openRows(path);
  const found = rows.all("select value from cache_entries where cache = 'notes'");
  rows.close();
  return found;
};
const sha256 = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");
const read = (): Record<string, unknown> => JSON.parse(readFileSync(manifest, "utf8"));
const rewrite = (change: Record<string, unknown>): void =>
  writeFileSync(manifest, JSON.stringify({ ...read(), ...change }));
/** Plants something in the backup, and says in the manifest what a thief without the key can say. */
function plant(sql: string): void {
  const file = new Database(backup);
  file.run(sql);
  file.close();
  const [bytes, sum] = [statSync(backup).size, sha256(backup)];
  rewrite({ bytes, sha256: sum, hmac: createHmac("sha256", "not the key").update(sum).digest("hex") });
}

async function expectRefused(words: string, ...args: string[]): Promise<void> {
  const before = readdirSync(join(folder(), "data"));
  for (const { code, stdout, stderr } of [await verify(...args), await restore(...args)]) {
    expect(stderr).toContain(words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  }
  expect(readdirSync(join(folder(), "data"))).toEqual(before);
  expect(note()).toEqual([]);
}

test("B-46 a backup has a manifest beside it, which says what it is, and both are replaced together", async () => {
  await create();

  expect(statSync(manifest).mode & 0o777).toBe(0o600);
  expect(read()).toMatchObject({
    gatehouse: "manifest",
    format: 1,
    file: "backup.db",
    app: "app",
    installation: expect.stringMatching(/^testing-[\da-f]{8}$/),
    series: null,
    schema: expect.stringMatching(/^\d{4}_\w+$/),
    bytes: statSync(backup).size,
    sha256: sha256(backup),
    hmac: expect.stringMatching(/^[\da-f]{64}$/),
  });
  expect(JSON.parse((await verify("--json")).stdout)).toMatchObject({ verified: true, pending_migrations: [] });
  const again = await run("backup:create", "--output", join(folder(), "another.db"));
  expect(again.code).toBe(0);
  // A manifest that lies there alone is not replaced by the way.
  rmSync(join(folder(), "another.db"));
  const refused = await run("backup:create", "--output", join(folder(), "another.db"));
  expect(refused.stderr).toContain("another.db.manifest.json exists: give another path, or --force");
  expect(existsSync(join(folder(), "another.db"))).toBe(false);
  await create("--force");
  expect(read()["sha256"]).toBe(sha256(backup));
  expect((await restore()).code).toBe(0);
});

describe("B-47 a backup that is not what its manifest says takes nobody's place", () => {
  beforeEach(async () => create());

  test("one whose bytes differ, or that is longer or shorter", async () => {
    const bytes = readFileSync(backup);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 2_000) ^ 4, bytes.length - 2_000);
    writeFileSync(backup, bytes);
    await expectRefused("is not what was backed up: its SHA-256 is not the one that its manifest names");
    await expectRefused("--unverified does not take it either", "--unverified");
    writeFileSync(backup, bytes.subarray(0, -4096));
    await expectRefused("it was cut off, prolonged or exchanged");
    writeFileSync(backup, Buffer.concat([bytes, Buffer.alloc(4096)]));
    await expectRefused("it was cut off, prolonged or exchanged");
  });

  test("one whose manifest was changed, cut off, or belongs to another backup", async () => {
    for (const change of [
      { schema: "0001_accounts_and_sessions" },
      { series: "x" },
      { app: "admin" },
      { hmac: "0".repeat(64) },
    ]) {
      await create("--force");
      rewrite(change);
      await expectRefused("was changed, or is forged");
      await expectRefused("was changed, or is forged", "--unverified");
    }
    writeFileSync(manifest, readFileSync(manifest).subarray(0, 100));
    await expectRefused("is no manifest of a backup: it was changed or cut off");
    writeFileSync(manifest, Buffer.alloc(100_000));
    await expectRefused("is too large for a manifest");
  });

  test("one into which a trigger was planted, by somebody who can make a manifest but has no key", async () => {
    plant("create trigger thief after insert on users begin update users set roles = 'admin' where id = new.id; end");
    await expectRefused("was changed, or is forged");
    // Even where the operator is talked into taking it, and without a manifest at all.
    rewrite({ installation: "production-00000000" });
    await expectRefused('trigger "thief" of table "users" was made by no migration', "--unverified");
    rmSync(manifest);
    await expectRefused('trigger "thief" of table "users" was made by no migration', "--unverified");
  });
});

test("B-48 a schema that no migration made is found by name, though the backup itself is proved", async () => {
  const planted = openRows(path);
  planted.run("create view people as select * from users");
  planted.run("drop index users_roles");
  planted.run("drop trigger audit_events_no_delete");
  planted.run("create trigger audit_events_no_delete before delete on audit_events begin select 1; end");
  planted.close();
  const created = await run("backup:create", "--output", backup);
  expect(created.code).toBe(0);
  expect(created.stderr).toContain('no restore takes this backup: trigger "audit_events_no_delete"');
  await expectRefused('view "people" was made by no migration');
  await expectRefused('index "users_roles" of table "users" is missing');
  await expectRefused('trigger "audit_events_no_delete" of table "audit_events" is not as its migration made it');
});

test("B-49 a backup of release 0.2.0, or of another installation, is taken with --unverified, which the refusal names", async () => {
  await create();
  renameSync(manifest, `${manifest}.kept`);
  await expectRefused("has no manifest");
  await expectRefused("--unverified takes it as it is");
  const verified = await verify("--unverified", "--json");
  expect(verified.stderr).toContain("not verified: ");
  expect(JSON.parse(verified.stdout)).toMatchObject({ verified: false });
  expect((await restore("--unverified")).code).toBe(0);

  renameSync(`${manifest}.kept`, manifest);
  more = { APP_KEY: "another application key, as after a rotation" };
  await expectRefused("is a backup of another installation: of testing-");
  await expectRefused("--unverified takes it, if it has the bytes that its manifest names");
  expect(await restore("--unverified")).toMatchObject({ code: 0, stderr: expect.stringContaining("not verified: ") });
  // Its bytes are compared all the same.
  const bytes = readFileSync(backup);
  bytes.writeUInt8(bytes.readUInt8(3_000) ^ 1, 3_000);
  writeFileSync(backup, bytes);
  await expectRefused("is not what was backed up", "--unverified");
});

test("B-46 on a disk a backup and its manifest are listed, checked and pruned together, and one without the other is told", async () => {
  more = { BACKUP_DISK: "default" };
  const create = async (): Promise<string> => {
    const { file }: { file: string } = JSON.parse((await run("backup:create", "--disk", "default", "--json")).stdout);
    return join(folder(), "disk", file);
  };
  const made = await create();
  expect(existsSync(`${made}.manifest.json`)).toBe(true);
  const name = made.slice(join(folder(), "disk").length + 1);
  const fetched = (command: string, ...args: string[]) => run(command, "--disk", "default", "--file", name, ...args);
  expect((await fetched("backup:verify")).code).toBe(0);
  expect((await run("backup:drill")).code).toBe(0);
  expect(JSON.parse((await run("backup:list", "--json")).stdout)).toMatchObject({ file: name, manifest: true });

  // Another one, proved, under its name: an old state that is shown as the newest.
  await Bun.sleep(1_100);
  const later = await create();
  for (const ending of ["", ".manifest.json"]) copyFileSync(`${made}${ending}`, `${later}${ending}`);
  const exchanged = await run("backup:drill");
  expect(exchanged).toMatchObject({ code: 1, stderr: expect.stringContaining("a file was exchanged") });
  for (const ending of ["", ".manifest.json"]) rmSync(`${later}${ending}`);

  renameSync(`${made}.manifest.json`, `${made}.kept`);
  for (const command of ["backup:verify", "backup:restore"])
    expect(await fetched(command)).toMatchObject({ code: 1, stderr: expect.stringContaining("has no manifest") });
  expect(await run("backup:drill")).toMatchObject({ code: 1, stderr: expect.stringContaining("has no manifest") });
  expect((await run("backup:drill", "--unverified")).code).toBe(0);
  expect((await run("backup:list")).stdout).toMatch(/none\s*$/);
  renameSync(`${made}.kept`, `${made}.manifest.json`);
  rmSync(made);
  const listed = await run("backup:list");
  expect(listed.stderr).toContain(`${name}.manifest.json lies there alone: its backup is gone`);
});
