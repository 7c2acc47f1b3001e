import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { eventually } from "../../support/log.ts";
import { openRows, type Rows } from "../../support/rows.ts";
import { createClient } from "../../support/client.ts";
import { testEnvironment } from "../../support/environment.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";
import { folderOfEachTest } from "../../support/folder.ts";

const folder = folderOfEachTest();

endTargetsAfterEach();

const hour = 3_600_000;
let rows: Rows;

const env = (): Record<string, string> => testEnvironment(folder());
const run = (...args: string[]): Promise<CommandResult> => runGatehouse(args, { cwd: folder(), env: env() });

beforeEach(async () => {
  expect((await run("migrate")).code).toBe(0);
  rows = openRows(join(folder(), "data", "app.db"));
});
afterEach(async () => {
  rows.close();
});

const idOf = (number: number): string => `0193f000-0000-7000-8000-${String(number).padStart(12, "0")}`;
function bury(
  number: number,
  job: Partial<{ app: string; name: string; queue: string; error: string; ageMs: number }> = {},
): string {
  const { app = "app", name = "auth:send-notice", queue = "default", error = "connection refused", ageMs = 0 } = job;
  const id = idOf(number);
  rows.run(
    `insert into jobs (id, app, queue, name, payload, state, attempts, max_attempts, available_at, last_error, created_at, finished_at)
     values (?, ?, ?, ?, '{"notice":"password_changed","to":"ada@example.test"}', 'dead', 8, 8, 1, ?, 1, ?)`,
    id,
    app,
    queue,
    name,
    error,
    Date.now() - ageMs,
  );
  return id;
}
const stateOf = (id: string): unknown => rows.get("select state from jobs where id = ?", id)["state"];
async function listed(...args: string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout } = await run("queue:failed", "--json", ...args);
  expect(code).toBe(0);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => ({ ...Object(JSON.parse(line)) }));
}

test("queue:failed lists what used up its attempts, the latest first, by name, and so many", async () => {
  expect(await run("queue:failed")).toEqual({ code: 0, stdout: "no failed jobs\n", stderr: "" });
  bury(1, { ageMs: 3 * hour });
  bury(2, { ageMs: hour, name: "auth:send-password-reset", queue: "mails" });
  bury(3, { ageMs: 2 * hour });
  rows.run(
    "insert into jobs (id, queue, name, payload, state, max_attempts, available_at, created_at) values ('waiting', 'default', 'a:b', '{}', 'pending', 8, 99999999999999, 1)",
  );
  expect(await listed()).toMatchObject([
    { id: idOf(2), name: "auth:send-password-reset", queue: "mails", attempts: 8, error: "connection refused" },
    { id: idOf(3) },
    { id: idOf(1) },
  ]);
  expect((await listed("--name", "auth:send-notice")).map(({ id }) => id)).toEqual([idOf(3), idOf(1)]);
  expect((await listed("--limit", "1")).map(({ id }) => id)).toEqual([idOf(2)]);
  expect((await run("queue:failed", "--limit", "3")).stderr).toBe("the latest 3, there may be more: see --limit\n");
  expect((await listed())[0]?.["failed_at"]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const { stdout } = await run("queue:failed", "--name", "auth:send-password-reset");
  expect(stdout).toMatch(
    /^\S{36} {2}\S+Z\n {2}auth:send-password-reset \(mails\) {2}8 attempts: connection refused\n$/,
  );
});

test("X-46 queue:failed says which app a job belongs to", async () => {
  bury(1);
  bury(2, { app: "admin", queue: "mails", ageMs: hour });
  expect((await listed()).map(({ app }) => app)).toEqual(["app", "admin"]);
  const { stdout } = await run("queue:failed");
  expect(stdout).toContain("auth:send-notice (default)  8 attempts");
  expect(stdout).toContain("auth:send-notice (mails of admin)  8 attempts");
});

test("X-07 X-11 an error is shown without its secrets, and can't steer the terminal", async () => {
  const key = env()["API_JWT_SECRET_KEY"] ?? "";
  bury(1, { error: `refused ${key} for https://ada:hunter2hunter2@mail.test\n\u001b[31mroot# \u001b]0;owned\u0007` });
  for (const args of [["queue:failed"], ["queue:failed", "--json"]]) {
    const { stdout } = await run(...args);
    expect(stdout).toContain("refused [redacted]");
    expect(stdout).not.toContain(key);
    expect(stdout).not.toContain("hunter2");
    for (const line of stdout.split("\n")) expect(line).not.toMatch(/\p{Cc}/u);
  }
});

test("queue:retry makes jobs due with all their attempts, by id, by name or all, and says how many", async () => {
  const [first, second, third, fourth] = [bury(1), bury(2), bury(3, { name: "auth:send-password-reset" }), bury(4)];
  const byId = await run("queue:retry", first, second, first);
  expect(byId).toEqual({ code: 0, stdout: "2 jobs to be tried again\n", stderr: "" });
  expect([first, second, third, fourth].map(stateOf)).toEqual(["pending", "pending", "dead", "dead"]);
  const row = rows.get(
    "select attempts, max_attempts, available_at, finished_at, leased_until from jobs where id = ?",
    first,
  );
  expect(row).toMatchObject({ attempts: 8, max_attempts: 16, finished_at: null, leased_until: null });
  expect(Math.abs(Number(row["available_at"]) - Date.now())).toBeLessThan(60_000);

  const again = await run("queue:retry", first, idOf(99));
  expect(again).toMatchObject({ code: 1, stdout: "0 jobs to be tried again\n" });
  expect(again.stderr).toBe(`${first} is no failed job\n${idOf(99)} is no failed job\n`);

  expect((await run("queue:retry", "--name", "auth:send-password-reset")).stdout).toBe("1 job to be tried again\n");
  expect((await run("queue:retry", "--all")).stdout).toBe("1 job to be tried again\n");
  expect((await run("queue:retry", "--all")).stdout).toBe("0 jobs to be tried again\n");
});

test("queue:retry --all takes any number, step by step", async () => {
  rows.run("begin");
  for (let number = 1; number <= 350; number += 1) bury(number);
  rows.run("commit");
  expect((await run("queue:retry", "--all")).stdout).toBe("350 jobs to be tried again\n");
  expect(rows.count("jobs where state = 'dead'")).toBe(0);
});

test("a running worker takes a retried job up by itself, of a named queue too", async () => {
  const worker = await startTarget({
    env: { DB_DATABASE: env()["DB_DATABASE"] ?? "", QUEUE_MAILS_DRIVER: "database" },
    roles: ["worker"],
    ownProcess: true,
    migrate: false,
  });
  const [own, mails] = [bury(1), bury(2, { queue: "mails" })];
  const forgotten = bury(3, { queue: "forgotten" });
  expect((await run("queue:retry", own, mails, forgotten)).code).toBe(0);
  await eventually("the jobs", () => rows.count("jobs where queue <> 'forgotten'") === 0, 60_000);
  // No worker was told to serve that queue.
  expect(stateOf(forgotten)).toBe("pending");
  expect(await worker.stop()).toBe(0);
});

test("readiness tells of each queue and each disk", async () => {
  const target = await startTarget({
    env: {
      QUEUE_MAILS_DRIVER: "database",
      STORAGE_UPLOADS_DRIVER: "local",
      STORAGE_UPLOADS_PATH: join(folder(), "uploads"),
    },
    roles: ["http"],
  });
  const authorization = `Bearer ${target.env["APP_DIAG_TOKEN"]}`;
  const answer = await createClient(target.url).get("/-/ready", { headers: { authorization } });
  const checks = answer.at("checks");
  if (!Array.isArray(checks)) throw new Error(answer.text);
  const told = checks.map(({ type, name, driver, status }) => [type, name, driver, status].join(" "));
  for (const expected of [
    "queue default database",
    "queue mails database",
    "storage default local",
    "storage uploads local",
  ])
    expect(told).toContain(`${expected} ok`);
  await target.stop();
});

test("queue:prune deletes what failed longer ago, QUEUE_RETENTION unless it is told", async () => {
  bury(1, { ageMs: 721 * hour });
  bury(2, { ageMs: 200 * hour });
  bury(3, { ageMs: hour });
  expect((await run("queue:prune")).stdout).toBe("1 job deleted\n");
  expect((await run("queue:prune", "--older-than", "168h")).stdout).toBe("1 job deleted\n");
  expect((await run("queue:prune", "--older-than", "168h")).stdout).toBe("0 jobs deleted\n");
  expect(stateOf(idOf(3))).toBe("dead");
  expect((await run("queue:prune", "--older-than", "0")).stdout).toBe("1 job deleted\n");
});

test("wrong usage of the queue commands exits with 2", async () => {
  for (const args of [
    ["queue:retry"],
    ["queue:retry", "--all", idOf(1)],
    ["queue:retry", "--all", "--name", "a:b"],
    ["queue:retry", "1; drop table jobs"],
    ["queue:failed", "--name", "no name"],
    ["queue:failed", "--limit", "0"],
    ["queue:failed", "more"],
    ["queue:prune", "--older-than", "a week"],
  ]) {
    const { code, stdout } = await run(...args);
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: "" });
  }
});
