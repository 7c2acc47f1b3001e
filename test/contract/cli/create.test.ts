import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomToken } from "../../../src/core/crypto.ts";
import { testEnvironment } from "../../support/environment.ts";
import { runGatehouse } from "../../support/process.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";

endTargetsAfterEach();

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-create-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Returns settings with which such a deployment starts. */
const deployed = (APP_ENV: "staging" | "production") => ({
  ...testEnvironment(folder),
  DB_DATABASE: join(folder, "data", "app.db"),
  APP_ENV,
  APP_URL: "https://auth.example.org",
  API_JWT_SECRET_KEY: randomToken(),
  APP_KEY: randomToken(),
  APP_DIAG_TOKEN: randomToken(),
  DB_DRIVER: "sqlite",
  QUEUE_DRIVER: "database",
  CACHE_DRIVER: "database",
  EVENTS_DRIVER: "inproc",
  APP_MAINTENANCE_DRIVER: "cache",
  STORAGE_DRIVER: "local",
  LIGHTHOUSE_SECRET: randomToken(),
  LIGHTHOUSE_INSPECT_ENABLED: "true",
});

test.each(["staging", "production"] as const)(
  "X-48 in %s nothing makes a database but migrate --create",
  async (mode) => {
    const env = deployed(mode);
    const run = (...args: readonly string[]) => runGatehouse(args, { cwd: folder, env });
    // The folder of the data is absent first, as on a host whose volume is not mounted; then it is there and empty.
    for (const prepare of [async () => undefined, () => mkdir(join(folder, "data"))]) {
      await prepare();
      const before = readdirSync(folder, { recursive: true });
      for (const command of ["run", "api", "worker", "scheduler", "migrate"]) {
        const { code, stdout, stderr } = await run(command);
        expect({ command, code }).toEqual({ command, code: 1 });
        expect(`${stdout}${stderr}`).toContain(`${env.DB_DATABASE} does not exist`);
        expect(`${stdout}${stderr}`).toContain("migrate --create");
        expect(readdirSync(folder, { recursive: true })).toEqual(before);
      }
    }
    expect((await run("migrate", "--create")).code).toBe(0);
    expect((await run("migrate")).stdout).toBe("nothing to migrate\n");
    const target = await startTarget({ env, migrate: false, ownProcess: true });
    expect(await target.stop()).toBe(0);
  },
  60_000,
);

test("X-48 migrate --create goes on with a database that is there", async () => {
  const env = deployed("production");
  const run = (...args: readonly string[]) => runGatehouse(args, { cwd: folder, env });
  expect((await run("migrate", "--create", "--step", "2")).code).toBe(0);
  const { code, stdout } = await run("migrate", "--create");
  expect({ code, firstAgain: stdout.includes("0001_") }).toEqual({ code: 0, firstAgain: false });
});

test("X-48 locally and in testing migrate makes the database without being told to, and nothing else makes it", async () => {
  const env = testEnvironment(folder);
  for (const command of ["run", "user:list", "queue:failed", "auth:cleanup", "migrate:rollback"]) {
    for (const APP_ENV of ["local", "testing"]) {
      const { code, stderr } = await runGatehouse([command], { cwd: folder, env: { ...env, APP_ENV } });
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(stderr).toContain("does not exist");
      // Commands that look after data leave nothing behind, not even the secrets of a local start.
      if (command !== "run") expect(readdirSync(folder)).toEqual([]);
    }
    await rm(join(folder, ".env.local"), { force: true });
  }
  expect((await runGatehouse(["migrate"], { cwd: folder, env })).code).toBe(0);
  expect(existsSync(env["DB_DATABASE"] ?? "")).toBe(true);
});

test("X-48 a database file that holds no database is refused all the same", async () => {
  const env = deployed("production");
  await mkdir(join(folder, "data"));
  await writeFile(
    env.DB_DATABASE,
    "not a database, but long enough to look like one to somebody who only asks for its size",
  );
  const { code, stderr } = await runGatehouse(["migrate", "--create"], { cwd: folder, env });
  expect({ code, said: stderr.includes("not a SQLite database") }).toEqual({ code: 1, said: true });
});
