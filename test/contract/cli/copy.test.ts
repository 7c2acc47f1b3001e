import { Database } from "bun:sqlite";
import { SQL } from "bun";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { auth, browserWith, calm, createPeople, refreshes, secretsOf } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { testEnvironment } from "../../support/environment.ts";
import { folderOfEachTest } from "../../support/folder.ts";
import { eventually } from "../../support/log.ts";
import { postgresMissing, startPostgres, type Postgres } from "../../support/postgres.ts";
import { runGatehouse, spawnGatehouse, type CommandResult } from "../../support/process.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";

const folder = folderOfEachTest();

endTargetsAfterEach();

describe.skipIf(postgresMissing !== undefined)("db:copy", () => {
  let server: Postgres;
  let path: string;
  let url: string;

  beforeAll(async () => {
    server = await startPostgres({ auth: "scram-sha-256" });
  }, 90_000);
  afterAll(async () => server?.stop(), 60_000);

  beforeEach(async () => {
    path = join(folder(), "data", "app.db");
    ({ url } = await server.createDatabase());
    const password = new URL(server.url).password;
    url = url.replace("gatehouse@", `gatehouse:${password}@`);
    expect(await run(["migrate"], onPostgres())).toMatchObject({ code: 0 });
  });

  const onSqlite = (file = path) => ({ ...testEnvironment(folder()), ...calm, DB_DRIVER: "sqlite", DB_DATABASE: file });
  const onPostgres = () => ({
    ...testEnvironment(folder()),
    ...calm,
    DB_DRIVER: "postgres",
    DB_DATABASE: "",
    DB_URL: url,
  });
  const run = (args: readonly string[], env: Record<string, string>): Promise<CommandResult> =>
    runGatehouse(args, { cwd: folder(), env, limitMs: 60_000 });
  const start = (env: Record<string, string>) =>
    startTarget({ env, roles: ["http"], ownProcess: true, migrate: env["DB_DRIVER"] === "sqlite" });
  const copyArgs = (...more: string[]) => ["db:copy", "--from", `sqlite:${path}`, "--to", "postgres", ...more];

  async function rowsIn(table: string): Promise<number> {
    await using sql = new SQL(url, { max: 1 });
    return (await sql.unsafe<object[]>(`select 1 from ${table}`)).length;
  }

  /** Fills a database file with accounts by SQL, which needs no passwords. */
  async function populate(people: number): Promise<void> {
    expect(await run(["migrate", "--create"], onSqlite())).toMatchObject({ code: 0 });
    using file = new Database(path);
    file.run(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${people})
       insert into users (id, username, username_key, email, email_key, display_name, created_at, updated_at)
       select 'user' || i, 'ada' || i, 'ada' || i, i || '@example.test', i || '@example.test', 'Adä' || char(9, 10, 92) || i, i, i
       from n`,
    );
  }

  test("D-23 what lived on SQLite goes on on PostgreSQL, and back again: sessions, passwords and counts", async () => {
    const before = await start(onSqlite());
    const ada = await createPeople(before.url).register("ada");
    const phone = secretsOf(await ada.login());
    const laptop = secretsOf(await ada.login());
    await createClient(before.url).post(auth("login"), { login: ada.email, password: "not her password" });
    await before.stop();

    const copied = await run(copyArgs("--json"), onPostgres());
    expect(copied).toMatchObject({ code: 0, stderr: "" });
    expect(copied.stdout).not.toContain(new URL(url).password);
    expect(JSON.parse(copied.stdout)).toMatchObject({
      from: path,
      to: `postgres://127.0.0.1:${server.port}${new URL(url).pathname}`,
      was_there: false,
      tables: expect.arrayContaining([
        { table: "users", rows: 1, checksum: expect.stringMatching(/^[0-9a-f]{64}$/) },
        { table: "auth_sessions", rows: 3, checksum: expect.any(String) },
      ]),
    });

    const after = await start(onPostgres());
    expect(await refreshes(browserWith(after.url, { refresh: phone.refresh }))).toBe(true);
    const login = await createClient(after.url).post(auth("login"), { login: ada.email, password: ada.password });
    expect(login.status).toBe(200);
    await after.stop();

    const back = join(folder(), "data", "back.db");
    expect(await run(["migrate", "--create"], onSqlite(back))).toMatchObject({ code: 0 });
    const returned = await run(["db:copy", "--from", "postgres", "--to", `sqlite:${back}`], onPostgres());
    expect(returned).toMatchObject({ code: 0, stderr: "" });
    expect(returned.stdout).toMatch(/^auth_sessions +4 {2}[0-9a-f]{32}$/m);
    const again = await start(onSqlite(back));
    expect(await refreshes(browserWith(again.url, { refresh: laptop.refresh }))).toBe(true);
    await again.stop();
  }, 120_000);

  test("H-83 what an app keeps on accounts moves from SQLite to PostgreSQL and back field for field", async () => {
    const kept = {
      external_id: "customer-42",
      app_metadata: {
        plan: "pro",
        "b\\\t\n\"'": ["é🎉", null, { a: null }],
        limits: { seats: 5, ratio: 0.1, small: 1e-7 },
      },
      user_metadata: { theme: "dark" },
      private_metadata: { note: "x".repeat(8_192 - '{"note":""}'.length) },
    };
    const lines = [{ email: "ada@example.test", ...kept }, { email: "grace@example.test" }];
    const imported = { cwd: folder(), limitMs: 60_000, stdin: lines.map((line) => JSON.stringify(line)).join("\n") };
    expect(await run(["migrate", "--create"], onSqlite())).toMatchObject({ code: 0 });
    expect(await runGatehouse(["user:import", "-"], { ...imported, env: onSqlite() })).toMatchObject({ code: 0 });
    const before = await run(["user:export"], onSqlite());
    expect(JSON.parse(before.stdout.split("\n")[0] ?? "")).toMatchObject(kept);

    expect(await run(copyArgs(), onPostgres())).toMatchObject({ code: 0, stderr: "" });
    expect(await rowsIn("account_metadata")).toBe(1);
    expect(await run(["user:export"], onPostgres())).toEqual(before);

    const back = join(folder(), "data", "back.db");
    expect(await run(["migrate", "--create"], onSqlite(back))).toMatchObject({ code: 0 });
    const returned = await run(["db:copy", "--from", "postgres", "--to", `sqlite:${back}`], onPostgres());
    expect(returned).toMatchObject({ code: 0, stderr: "" });
    expect(await run(["user:export"], onSqlite(back))).toEqual(before);
  }, 60_000);

  test("D-24 killed at any time it has copied nothing, and done again it ends as if nothing had happened", async () => {
    await populate(30_000);
    const child = spawnGatehouse(copyArgs(), { cwd: folder(), env: onPostgres() });
    await using sql = new SQL(url, { max: 1 });
    const busy = "select 1 from pg_stat_activity where datname = current_database() and query like 'copy \"users\"%'";
    await eventually("rows are copied", async () => (await sql.unsafe<object[]>(busy)).length > 0);
    child.kill("SIGKILL");
    await child.exited;
    expect(await rowsIn("users")).toBe(0);

    const copied = await run(copyArgs("--json"), onPostgres());
    expect(copied).toMatchObject({ code: 0, stderr: "" });
    expect(await rowsIn("users")).toBe(30_000);
    const again = await run(copyArgs("--json"), onPostgres());
    expect(JSON.parse(again.stdout)).toEqual({ ...JSON.parse(copied.stdout), was_there: true });
  }, 120_000);

  test("D-25 values that PostgreSQL does not take are named by table and row, and nothing is copied", async () => {
    await populate(3);
    const file = new Database(path);
    file.run("pragma foreign_keys = off");
    file.run("update users set display_name = 'Ada' || char(0) where id = 'user1'");
    file.run("update users set created_at = 1.5 where id = 'user2'");
    file.run("update users set updated_at = 9007199254740993, avatar_url = x'00' where id = 'user3'");
    file.run("insert into auth_identities values ('stray', 'nobody', 'github', 'i', 's', null, null, 1, null)");
    file.close();
    const { code, stdout, stderr } = await run(copyArgs(), onPostgres());
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("nothing was copied");
    expect(stderr).toMatch(/^users +user1 +display_name has a NUL character$/m);
    expect(stderr).toMatch(/^users +user2 +created_at is no whole number but real$/m);
    expect(stderr).toMatch(/^users +user3 +avatar_url is no text but blob$/m);
    expect(stderr).toMatch(/^auth_identities +stray +refers to a row of users that is not there$/m);
    expect(await rowsIn("users")).toBe(0);
  }, 60_000);

  test("D-27 a database that a service has open is refused before the first row, and copied once the service has stopped", async () => {
    const refused = { code: 1, stdout: "", stderr: expect.stringContaining("in use") };
    const onFile = await start(onSqlite());
    expect(await run(copyArgs(), onPostgres())).toMatchObject(refused);
    expect(await rowsIn("users")).toBe(0);
    await onFile.stop();
    expect(await run(copyArgs(), onPostgres())).toMatchObject({ code: 0, stderr: "" });

    const onServer = await start(onPostgres());
    const back = join(folder(), "data", "back.db");
    expect(await run(["migrate", "--create"], onSqlite(back))).toMatchObject({ code: 0 });
    const returning = ["db:copy", "--from", "postgres", "--to", `sqlite:${back}`];
    expect(await run(returning, onPostgres())).toMatchObject(refused);
    await onServer.stop();
    expect(await run(returning, onPostgres())).toMatchObject({ code: 0, stderr: "" });
  }, 60_000);

  test("D-26 a URL is taken from a variable or a file, and never from the arguments", async () => {
    await populate(2);
    for (const flag of ["--from", "--to"]) {
      const other = flag === "--from" ? "--to" : "--from";
      const { code, stdout, stderr } = await run(["db:copy", flag, url, other, `sqlite:${path}`], onPostgres());
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain("can read the arguments of a command");
      expect(stderr).not.toContain(new URL(url).password);
    }
    const env = { ...onSqlite(), NEW_DATABASE: url };
    const from = ["db:copy", "--from", `sqlite:${path}`];
    expect(await run([...from, "--to", "postgres:NEW_DATABASE"], env)).toMatchObject({ code: 0 });
    const secret = join(folder(), "url");
    await Bun.write(secret, `${url}\n`);
    await chmod(secret, 0o600);
    const second = await run([...from, "--to", `postgres:${secret}`], onSqlite());
    expect(second.stdout).toContain("had all 6 rows already");

    for (const [to, complaint] of [
      ["postgres:OTHER", "the variable OTHER is not set"],
      ["postgres:/nowhere/url", "can't be read"],
      ["postgres", "DB_URL is not set"],
      ["mysql:app", "takes sqlite:PATH, postgres"],
      ["sqlite:other.db", "a SQLite file and a PostgreSQL database"],
    ] as const) {
      const { code, stderr } = await run([...from, "--to", to], onSqlite());
      expect({ to, code, stderr }).toEqual({ to, code: 2, stderr: expect.stringContaining(complaint) });
    }
  }, 120_000);

  test("a target that is not migrated, or that has rows of its own, is refused", async () => {
    await populate(2);
    ({ url } = await server.createDatabase());
    url = url.replace("gatehouse@", `gatehouse:${new URL(server.url).password}@`);
    const refused = { code: 1, stdout: "" };
    expect(await run(copyArgs(), onPostgres())).toMatchObject({
      ...refused,
      stderr: expect.stringContaining("is not migrated"),
    });
    expect(await run(["migrate"], onPostgres())).toMatchObject({ code: 0 });
    await using sql = new SQL(url, { max: 1 });
    await sql.unsafe("insert into cache_entries values ('default', 'key', '1', null)");
    expect(await run(copyArgs(), onPostgres())).toMatchObject({
      ...refused,
      stderr: expect.stringContaining("has rows of its own: cache_entries (1)"),
    });
    path = join(folder(), "absent.db");
    expect(await run(copyArgs(), onPostgres())).toMatchObject({
      ...refused,
      stderr: expect.stringContaining("does not exist"),
    });
  }, 60_000);
});
