import { beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { eventually } from "../../support/log.ts";
import { auth, calm, createPeople } from "../../support/auth.ts";
import { openRows } from "../../support/rows.ts";
import { createClient } from "../../support/client.ts";
import { testEnvironment } from "../../support/environment.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";
import { folderOfEachTest } from "../../support/folder.ts";

const folder = folderOfEachTest();

endTargetsAfterEach();

const env = (): Record<string, string> => ({ ...testEnvironment(folder()), ...calm, METRICS_ENABLED: "false" });
const run = (args: readonly string[], stdin = ""): Promise<CommandResult> =>
  runGatehouse(args, { cwd: folder(), env: env(), stdin });
const databasePath = (): string => join(folder(), "data", "app.db");

/** Leaves the marks of a newer release. */
function migrateFurther(kind: "additive" | "breaking"): void {
  const rows = openRows(databasePath());
  rows.run("insert into schema_migrations (id, kind, checksum, applied_at) values ('9999_passkeys', ?, 'x', 1)", kind);
  rows.run("update schema_head set migration = '9999_passkeys'");
  rows.close();
}

beforeEach(async () => {
  expect((await run(["migrate"])).code).toBe(0);
});

test.each(["run", "api", "worker", "scheduler", "migrate", "migrate:rollback", "auth:create-user"])(
  "%s ends with 1 on a database that a newer release changed for good, and says what to do",
  async (command) => {
    migrateFurther("breaking");
    const args = command === "auth:create-user" ? ["--email", "ada@example.test"] : [];
    const { code, stdout, stderr } = await run([command, ...args], "a long walk by the sea");
    expect(code).toBe(1);
    const told = `${stdout}${stderr}`;
    expect(told).toContain("9999_passkeys");
    expect(told).toContain("Run that release or a later one");
    expect(told).not.toContain('"message":"started"');
    const rows = openRows(databasePath());
    expect(rows.count("users")).toBe(0);
    rows.close();
  },
);

test("a release that was rolled back serves on what the newer one only added, and migrates nothing", async () => {
  migrateFurther("additive");
  const target = await startTarget({ env: { ...calm, DB_DATABASE: databasePath() }, ownProcess: true, migrate: false });
  await createPeople(target.url).register("ada");
  expect((await createClient(target.url).get("/-/ready")).status).toBe(200);
  expect(await target.stop()).toBe(0);
  const { code, stderr } = await run(["migrate"]);
  expect(code).toBe(1);
  expect(stderr).toContain("Run that release or a later one");
  expect((await run(["migrate:status"])).stdout).toContain("unknown  9999_passkeys (additive)");
});

test("a database that a newer release changes for good under way is told by readiness", async () => {
  const target = await startTarget({ env: { ...calm, DB_DATABASE: databasePath() }, roles: ["http"], migrate: false });
  const client = createClient(target.url);
  expect((await client.get("/-/ready")).status).toBe(200);
  migrateFurther("breaking");
  const headers = { authorization: `Bearer ${target.env["APP_DIAG_TOKEN"]}` };
  await eventually("not ready", async () => (await client.get("/-/ready", { headers })).status === 503);
  expect((await client.get("/-/ready", { headers })).text).toContain("9999_passkeys");
  expect((await client.get(auth("me"))).status).toBe(401);
  await target.stop();
});
