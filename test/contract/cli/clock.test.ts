import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { testEnvironment } from "../../support/environment.ts";
import { folderOfEachTest } from "../../support/folder.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { openRows, type Rows } from "../../support/rows.ts";

const folder = folderOfEachTest();
const day = 24 * 3_600_000;
let rows: Rows;

const run = (...args: string[]): Promise<CommandResult> =>
  runGatehouse(args, { cwd: folder(), env: testEnvironment(folder()) });

beforeEach(async () => {
  expect((await run("migrate", "--create")).code).toBe(0);
  rows = openRows(join(folder(), "data", "app.db"));
  rows.run(
    `insert into jobs (id, app, queue, name, payload, state, attempts, max_attempts, available_at, created_at, finished_at)
     values ('0193f000-0000-7000-8000-000000000001', 'app', 'default', 'a:b', '{}', 'dead', 8, 8, 1, 1, 1)`,
  );
  rows.run(
    "insert into auth_attempts (attempt_key, attempts, window_started_at, expires_at) values ('ada of long ago', 1, 1, 2)",
  );
});
afterEach(() => rows.close());

/** Schedules have last run so long ago, or so far ahead. */
function ticked(...agesMs: readonly number[]): void {
  rows.run("delete from schedule_runs");
  for (const [index, ageMs] of agesMs.entries())
    rows.run("insert into schedule_runs values (?, ?, 0, 'ada')", `schedule:${index}`, Date.now() - ageMs);
}
const left = (): number => rows.count("jobs") + rows.count("auth_attempts");

test.each([2 * day, 400 * day, -2 * day, -400 * day])(
  "K-02 commands that delete by age leave all as it is where the last run of a schedule was %d ms ago",
  async (age) => {
    ticked(age, age + 30 * day);
    for (const command of ["auth:cleanup", "queue:prune"]) {
      const { code, stdout, stderr } = await run(command);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain("the clock of this host may be wrong");
      expect(stderr).toContain(new Date(Date.now() - age).toISOString().slice(0, 13));
      expect(stderr).toContain("--force");
    }
    expect((await run("auth:cleanup", "--dry-run")).stdout).toEndWith("\n1 row would be deleted\n");
    expect(left()).toBe(2);
    expect((await run("auth:cleanup", "--force")).stdout).toEndWith("\n1 row deleted\n");
    expect((await run("queue:prune", "--force", "--older-than", "1h")).stdout).toBe("1 job deleted\n");
    expect(left()).toBe(0);
  },
);

test("K-02 they ask for nothing where a schedule has run within the day, and where none ever has", async () => {
  ticked();
  expect((await run("auth:cleanup")).code).toBe(0);
  ticked(30 * day, 23 * 3_600_000);
  expect((await run("queue:prune")).stdout).toBe("1 job deleted\n");
  expect(left()).toBe(0);
});
