import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auth } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { bearerOf, sharedState } from "../../support/maintenance.ts";
import { testEnvironment } from "../../support/environment.ts";
import { runGatehouse, spawnGatehouse } from "../../support/process.ts";
import { openRows } from "../../support/rows.ts";
import { createPageVisitor, titleOf } from "../../support/staff.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";
import { provideEmptyFile } from "../../support/target.process.ts";

endTargetsAfterEach();

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});
async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-readiness-"));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Resolves to the status of readiness, and to the failed checks by type and name. */
async function readinessOf(target: Target) {
  const { status, json } = await createClient(target.url).get("/-/ready", { headers: bearerOf(target) });
  const { checks = [] }: { checks?: { type: string; name: string; status: string; error?: string }[] } = Object(json);
  const failed = checks.filter((check) => check.status === "failed");
  return {
    status,
    failed: failed.map(({ type, name }) => `${type} ${name}`),
    errors: failed.map(({ error }) => error),
  };
}

test("X-49 an instance whose database can't be written is not ready", async () => {
  const target = await startTarget({ roles: ["http"] });
  expect(await readinessOf(target)).toEqual({ status: 200, failed: [], errors: [] });
  const other = new Database(target.databasePath, { readwrite: true });
  other.run("begin immediate");
  const started = performance.now();
  expect(await readinessOf(target)).toMatchObject({
    status: 503,
    failed: ["db default"],
    errors: [expect.stringContaining("another process")],
  });
  expect(performance.now() - started).toBeLessThan(2_500);
  // A commit that takes a moment is no failure.
  const soon = setTimeout(() => other.run("rollback"), 300);
  expect((await readinessOf(target)).status).toBe(200);
  clearTimeout(soon);
  other.close();
  await target.stop();
});

test("X-49 an instance whose jobs can't be read is not ready", async () => {
  const target = await startTarget({ roles: ["http"] });
  const rows = openRows(target.databasePath);
  rows.run("alter table jobs rename to jobs_elsewhere");
  expect(await readinessOf(target)).toMatchObject({ status: 503, failed: ["queue default"] });
  rows.run("alter table jobs_elsewhere rename to jobs");
  expect((await readinessOf(target)).status).toBe(200);
  rows.close();
  await target.stop();
});

test("X-49 an instance that is ready after a migration lets requests in", async () => {
  const target = await startTarget({ roles: ["http"], env: sharedState, migrate: false, ownProcess: true });
  const client = createClient(target.url);
  // The maintenance switch can't be read yet, which counts as on.
  expect((await client.get(auth("me"))).status).toBe(503);
  const before = await readinessOf(target);
  expect(before.status).toBe(503);
  expect(before.failed).toContain("component maintenance");
  const migrating = runGatehouse(["migrate"], { cwd: target.folder, env: target.env });
  const deadline = performance.now() + 60_000;
  let ready = false;
  while (!ready && performance.now() < deadline) {
    // Asking again and again makes the instance find the switch unreadable just before.
    await client.get(auth("me"));
    ready = (await client.get("/-/ready")).status === 200;
  }
  const statuses = new Set<number>();
  for (let count = 0; count < 50; count += 1) statuses.add((await client.get(auth("me"))).status);
  expect({ ready, statuses: [...statuses] }).toEqual({ ready: true, statuses: [401] });
  expect((await migrating).code).toBe(0);
  await target.stop();
});

test("readiness goes on during maintenance that an operator has switched on", async () => {
  const target = await startTarget({ roles: ["http"], env: sharedState });
  const client = createClient(target.url);
  expect((await client.post("/-/maintenance/enable", undefined, { headers: bearerOf(target) })).status).toBe(200);
  expect((await client.get(auth("me"))).status).toBe(503);
  expect(await readinessOf(target)).toEqual({ status: 200, failed: [], errors: [] });
  await target.stop();
});

const bootstrap = {
  AUTH_BOOTSTRAP_USERNAME: "ada",
  AUTH_BOOTSTRAP_EMAIL: "ada@example.test",
  AUTH_BOOTSTRAP_PASSWORD: "a long walk by the sea",
};

/** Starts a process whose terminal may show the password: the targets of other tests would report that as a leak. */
async function startWithBootstrap(cwd: string) {
  const env: Record<string, string> = { ...testEnvironment(cwd), ...bootstrap };
  await provideEmptyFile(env);
  const child = spawnGatehouse(["api"], { cwd, env });
  closers.push(async () => {
    child.kill("SIGKILL");
    await child.exited;
  });
  let said = "";
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    for await (const chunk of stream) said += new TextDecoder().decode(chunk);
  };
  void read(child.stdout);
  void read(child.stderr);
  const until = async (pattern: RegExp): Promise<string> => {
    const deadline = performance.now() + 60_000;
    while (performance.now() < deadline) {
      const [, found] = pattern.exec(said) ?? [];
      if (found !== undefined) return found;
      await Bun.sleep(20);
    }
    throw new Error(`${pattern} is not in: ${said}`);
  };
  return { child, env, until };
}

test("a bootstrap account appears also when the migrations are applied after the start", async () => {
  const cwd = await emptyFolder();
  const { child, env, until } = await startWithBootstrap(cwd);
  const url = await until(/"listening"[^\n]*?"url":"([^"]+)"/);
  expect((await runGatehouse(["migrate"], { cwd, env })).code).toBe(0);
  await until(/(bootstrap account: ada \/ )/);
  const answer = await fetch(new URL(auth("login"), url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ login: "ada", password: bootstrap.AUTH_BOOTSTRAP_PASSWORD }),
  });
  expect(answer.status).toBe(200);
  // The account opens the pages of the admin app as well.
  expect(await answer.json()).toMatchObject({ user: { username: "ada", roles: ["admin"] } });
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});

test("a process that waits for its migrations with a bootstrap account stops at once", async () => {
  const { child, until } = await startWithBootstrap(await emptyFolder());
  await until(/("message":"started")/);
  const stopping = performance.now();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  expect(performance.now() - stopping).toBeLessThan(3_000);
});

test("S-46 an admin app that started before the migrations lets the first admin in once they are applied, and says then where its maintenance state is", async () => {
  const cwd = await emptyFolder();
  const env = { ...testEnvironment(cwd), ...sharedState };
  const admin = await startTarget({ app: "admin", roles: ["http"], ownProcess: true, migrate: false, env });
  expect((await createClient(admin.url).get("/-/ready")).status).toBe(503);
  expect((await runGatehouse(["migrate"], { cwd, env: admin.env })).code).toBe(0);
  const [email, password] = ["ada@example.test", "a long walk by the sea"];
  const create = ["auth:create-user", "--email", email, "--verified", "--role", "admin"];
  const created = await runGatehouse(create, { cwd, env: admin.env, stdin: `${password}\n` });
  expect(created.code).toBe(0);
  const ada = createPageVisitor(admin.url);
  // Maintenance counted as on while nobody could read the switch.
  await eventually("the pages to be served", async () => (await ada.get("/login")).status === 200);
  const { status, headers } = await ada.submit("/login", { login: email, password });
  expect([status, headers.get("location")]).toEqual([303, "/"]);
  expect(titleOf(await ada.get("/maintenance"))).toBe("Maintenance");
  using rows = openRows(admin.databasePath);
  await eventually("the place", () => rows.count("maintenance_places where app = 'admin' and driver = 'cache'") === 1);
  expect(await admin.stop()).toBe(0);
});

test("R-70 a disk that only backups use may be away: it is shown as failed, and the app goes on serving", async () => {
  const away = (name: string) => ({
    [`STORAGE_${name}_DRIVER`]: "s3",
    [`STORAGE_${name}_ENDPOINT`]: "http://127.0.0.1:1",
    [`STORAGE_${name}_BUCKET`]: "backups",
    [`STORAGE_${name}_ACCESS_KEY_ID`]: "an access key",
    [`STORAGE_${name}_SECRET_ACCESS_KEY`]: "a secret of this test",
  });
  const target = await startTarget({ roles: ["http"], env: { ...away("OFFSITE"), BACKUP_DISK: "offsite" } });
  expect(await readinessOf(target)).toMatchObject({ status: 200, failed: ["storage offsite"] });
  const detailed = await createClient(target.url).get("/-/ready", { headers: bearerOf(target) });
  expect(detailed.at("checks")).toContainEqual(
    expect.objectContaining({ type: "storage", name: "offsite", status: "failed", optional: true }),
  );
  await target.stop();
  const other = await startTarget({ roles: ["http"], env: away("OFFSITE") });
  expect(await readinessOf(other)).toMatchObject({ status: 503, failed: ["storage offsite"] });
  await other.stop();
});
