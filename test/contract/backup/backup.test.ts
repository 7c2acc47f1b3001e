import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync, closeSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { auth, calm, createPeople, type Person } from "../../support/auth.ts";
import { openRows } from "../../support/rows.ts";
import { createClient } from "../../support/client.ts";
import { testEnvironment } from "../../support/environment.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";
import { eventually } from "../../support/log.ts";
import { folderOfEachTest } from "../../support/folder.ts";

const folder = folderOfEachTest();

endTargetsAfterEach();

let path: string;
let backup: string;
beforeEach(async () => {
  path = join(folder(), "data", "app.db");
  backup = join(folder(), "backup.db");
});

const env = (): Record<string, string> => ({ ...testEnvironment(folder()), ...calm, DB_DATABASE: path });
const run = (...args: string[]): Promise<CommandResult> => runGatehouse(args, { cwd: folder(), env: env() });
const start = (databasePath = path, migrate = true) =>
  startTarget({ env: { ...calm, DB_DATABASE: databasePath }, roles: ["http"], ownProcess: true, migrate });
const left = (): string[] => readdirSync(join(folder(), "data")).toSorted();

const expectRefused = ({ code, stderr }: CommandResult, why: string): void => {
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(why) });
};

const loginStatus = async (url: string, { email, password }: Person): Promise<number> =>
  (await createClient(url).post(auth("login"), { login: email, password })).status;

test("restore drill: what was acknowledged before a backup under traffic is in it, and logs in", async () => {
  const target = await start();
  const people = createPeople(target.url);
  const registered: Person[] = [];
  let busy = true;
  const traffic = ["ada", "grace", "edsger"].map(async (name) => {
    while (busy) {
      const person = await people.register(name);
      registered.push(person);
      await person.login();
    }
  });
  await eventually("some traffic", () => registered.length >= 6, 60_000);
  // As often as it takes for a registration to be acknowledged in the middle of one.
  let before: Person[] = [];
  let created = await run("backup:create", "--output", backup);
  for (let tries = 0; tries < 20 && before.length === 0; tries += 1) {
    const known = [...registered];
    created = await run("backup:create", "--output", backup, "--force");
    if (registered.length > known.length) before = known;
  }
  busy = false;
  await Promise.all(traffic);
  expect(await target.stop()).toBe(0);
  expect(created).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^wrote .*backup\.db \(\d+ bytes\)\n$/),
    stderr: "",
  });
  expect(before).not.toBeEmpty();
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  const made = readdirSync(folder()).filter((name) => name.startsWith("backup.db"));
  expect(made.toSorted()).toEqual(["backup.db", "backup.db.manifest.json"]);

  path = join(folder(), "elsewhere", "app.db");
  const restored = await run("backup:restore", "--input", backup);
  expect(restored).toMatchObject({ code: 0, stderr: "" });
  expect(readdirSync(join(folder(), "elsewhere"))).toEqual(["app.db"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const second = await start(path, false);
  for (const person of before) expect(await loginStatus(second.url, person)).toBe(200);
  // What came later is there whole or not at all.
  for (const person of registered.slice(before.length))
    expect([200, 401]).toContain(await loginStatus(second.url, person));
  expect(await second.stop()).toBe(0);
}, 120_000);

describe("backup:create", () => {
  beforeEach(async () => expect((await run("migrate")).code).toBe(0));

  test("keeps a file that is there, unless --force", async () => {
    writeFileSync(backup, "a letter");
    expectRefused(await run("backup:create", "--output", backup), "--force");
    expect(await Bun.file(backup).text()).toBe("a letter");
    expect((await run("backup:create", "--output", backup, "--force")).code).toBe(0);
    expect((await Bun.file(backup).text()).slice(0, 15)).toBe("SQLite format 3");
    expect(statSync(backup).mode & 0o777).toBe(0o600);
  });

  test("refuses the database itself, a folder, a folder that is absent, and an absent database", async () => {
    expectRefused(await run("backup:create", "--output", path, "--force"), "is the database itself");
    expectRefused(await run("backup:create", "--output", folder(), "--force"), "is no file");
    expectRefused(await run("backup:create", "--output", join(folder(), "absent", "b.db")), "is no folder");
    expectRefused(await run("backup:create", "--output", "/proc/b.db"), "can't be made");
    path = join(folder(), "nowhere.db");
    expectRefused(await run("backup:create", "--output", backup), "does not exist");
    writeFileSync(path, "");
    expectRefused(await run("backup:create", "--output", backup), "holds nothing yet: is DB_DATABASE the right path?");
    await rm(path);
    expect(readdirSync(folder())).toEqual(["data"]);
    expect((await run("backup:create")).code).toBe(2);
  });

  test("refuses to call a damaged database a backup", async () => {
    const rows = openRows(path);
    rows.run("create table filler (body blob unique)");
    rows.run(
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 50) insert into filler select randomblob(2000) from n",
    );
    const root = Number(
      rows.get("select rootpage from sqlite_schema where name like 'sqlite_autoindex_filler%'")["rootpage"],
    );
    rows.run("pragma wal_checkpoint(truncate)");
    rows.close();
    const file = openSync(path, "r+");
    writeSync(file, new Uint8Array(1_000).fill(7), 0, 1_000, (root - 1) * 4096 + 2_000);
    closeSync(file);
    const { code, stderr } = await run("backup:create", "--output", backup);
    expect(code).toBe(1);
    expect(stderr).toMatch(/damaged|malformed/);
    expect(readdirSync(folder())).toEqual(["data"]);
  });
});

describe("backup:restore", () => {
  beforeEach(async () => {
    expect((await run("migrate")).code).toBe(0);
    const rows = openRows(path);
    rows.run("insert into cache_entries values ('notes', 'note', 'in the backup', null)");
    rows.close();
    expect((await run("backup:create", "--output", backup)).code).toBe(0);
    const later = openRows(path);
    later.run("update cache_entries set value = 'after the backup'");
    later.close();
  });

  const note = (): unknown => {
    const rows = openRows(path);
    const { value } = rows.get("select value from cache_entries where entry_key = 'note'");
    rows.close();
    return value;
  };
  /** What comes of it is no longer what the manifest names. */
  const change = (sql: string): void => {
    rmSync(`${backup}.manifest.json`, { force: true });
    using file = new Database(backup);
    file.run(sql);
  };
  const restore = (input = backup) => run("backup:restore", "--input", input, "--force", "--unverified");

  test("leaves a database that is there alone, unless --force", async () => {
    expectRefused(await run("backup:restore", "--input", backup), "--force");
    expect(note()).toBe("after the backup");
    expect((await run("backup:restore", "--input", backup, "--force")).code).toBe(0);
    expect(note()).toBe("in the backup");
    expect(existsSync(`${path}.restoring`)).toBe(false);
    expect((await run("backup:restore")).code).toBe(2);
  });

  test.each(["http", "worker", "scheduler"] as const)(
    "is refused while a %s process has the database open",
    async (role) => {
      const target = await startTarget({ env: { DB_DATABASE: path }, roles: [role], ownProcess: true, migrate: false });
      expectRefused(await run("backup:restore", "--input", backup, "--force"), "is in use: stop every process");
      expect(note()).toBe("after the backup");
      if (role === "http") expect((await fetch(new URL("/-/ready", target.url))).status).toBe(200);
      expect(await target.stop()).toBe(0);
      expect((await run("backup:restore", "--input", backup, "--force")).code).toBe(0);
      expect(note()).toBe("in the backup");
    },
  );

  test("the log of the database that goes is not played into the one that comes", async () => {
    const writer = new Database(path);
    writer.run("pragma journal_mode = wal");
    writer.run("insert into cache_entries values ('notes', 'second', 'only in the log', null)");
    const kept = join(folder(), "kept");
    await cp(join(folder(), "data"), kept, { recursive: true });
    writer.close();
    for (const end of ["", "-wal", "-shm"]) await cp(join(kept, `app.db${end}`), `${path}${end}`);
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    expect((await run("backup:restore", "--input", backup, "--force")).code).toBe(0);
    expect(left()).toEqual(["app.db"]);
    expect(note()).toBe("in the backup");

    await rm(path);
    await cp(join(kept, "app.db-wal"), `${path}-wal`);
    expectRefused(await run("backup:restore", "--input", backup), "left from a database that is gone");
    expect((await run("backup:restore", "--input", backup, "--force")).code).toBe(0);
    expect(left()).toEqual(["app.db"]);
    expect(note()).toBe("in the backup");
  });

  test("refuses a backup of a newer release, of additive migrations too, and says what to do", async () => {
    change("insert into schema_migrations values ('9999_passkeys', 'additive', 'x', 1)");
    const refused = await restore();
    expectRefused(refused, "made by a newer release");
    expectRefused(refused, "9999_passkeys");
    expectRefused(refused, "Restore it with that release or a later one");
    expect(note()).toBe("after the backup");
  });

  test("takes one of an older release, and says that it is to be migrated", async () => {
    expect((await run("migrate:rollback", "--step", "3")).code).toBe(0);
    expect((await run("backup:create", "--output", backup, "--force")).code).toBe(0);
    const { code, stdout } = await run("backup:restore", "--input", backup, "--force");
    expect(code).toBe(0);
    expect(stdout).toMatch(/3 migrations are pending: run the migrate command/);
  });

  test("refuses what is no backup of this service, and changes nothing", async () => {
    const letter = join(folder(), "letter");
    const refusals: Record<string, () => void> = {
      "is no file": () => undefined,
      "not a SQLite database": () => writeFileSync(letter, "Dear Ada, this is not a database. ".repeat(100)),
      "no migration was ever applied": () => writeFileSync(letter, ""),
    };
    for (const [why, prepare] of Object.entries(refusals)) {
      prepare();
      expectRefused(await restore(letter), why);
    }
    change("update schema_migrations set checksum = 'another'");
    expectRefused(await restore(), "differs from what was applied");
    change(`insert into auth_sessions
      (id, user_id, secret_hash, generation, remembered, user_agent, ip_address, created_at, last_seen_at, expires_at)
      values ('s', 'nobody', 'h', 1, 0, '', '', 1, 1, 1)`);
    expectRefused(await restore(), "damaged: a row of auth_sessions");
    const size = statSync(backup).size;
    const file = openSync(backup, "r+");
    writeSync(file, new Uint8Array(4096).fill(7), 0, 4096, size - 8192);
    closeSync(file);
    expectRefused(await restore(), "damaged");
    expectRefused(await restore(path), "is the database itself");
    expect(note()).toBe("after the backup");
    expect(left()).toEqual(["app.db"]);
  });

  test("refuses a database in use in place of a backup", async () => {
    rmSync(`${backup}.manifest.json`);
    using live = new Database(backup);
    live.run("pragma journal_mode = wal");
    live.run("update cache_entries set value = 'in the log'");
    expectRefused(await restore(), "make one with backup:create");
  });

  test("a database too damaged to be locked is not replaced, and the way out is told", async () => {
    writeFileSync(path, "this was a database once. ".repeat(500));
    expectRefused(await run("backup:restore", "--input", backup, "--force"), "move it away");
    await rm(path);
    expect((await run("backup:restore", "--input", backup)).code).toBe(0);
    expect(note()).toBe("in the backup");
  });

  test("what a killed restore left is told, not overwritten", async () => {
    writeFileSync(`${path}.restoring`, "half of");
    expectRefused(await run("backup:restore", "--input", backup, "--force"), "remove it then");
    expect(note()).toBe("after the backup");
  });
});
