import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "../../../migrations/index.ts";
import { keepsRowsInFile } from "../../support/engine.ts";
import { testEnvironment } from "../../support/environment.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { sharedFolder } from "../../support/folder.ts";

const cwd = sharedFolder();

const run = (...args: string[]): Promise<CommandResult> => runGatehouse(args, { cwd, env: testEnvironment(cwd) });
const ids = migrations.map(({ id }) => id);
const states = async (): Promise<unknown> => {
  const lines = (await run("migrate:status", "--json")).stdout.trimEnd().split("\n");
  return lines.map((line) => {
    const { id, state }: { id: string; state: string } = JSON.parse(line);
    return [id, state];
  });
};

// Each test continues where the one before has stopped.
test.skipIf(!keepsRowsInFile)(
  "looking at an absent database says that everything is pending, and creates nothing",
  async () => {
    expect(await states()).toEqual(ids.map((id) => [id, "pending"]));
    const { code, stdout } = await run("migrate", "--dry-run");
    expect(code).toBe(0);
    for (const id of ids) expect(stdout).toContain(`-- ${id}\n`);
    expect(stdout).toContain("create table users");
    expect((await run("migrate:rollback")).code).toBe(1);
    expect(existsSync(join(cwd, "data"))).toBe(false);
  },
);

test("migrate --step applies so many, migrate the rest, and again nothing", async () => {
  expect((await run("migrate", "--step", "1")).stdout).toMatch(new RegExp(`^applied ${ids[0]} \\(\\w+\\)\n$`));
  expect(await states()).toEqual(ids.map((id, index) => [id, index === 0 ? "applied" : "pending"]));
  expect((await run("migrate")).code).toBe(0);
  expect(await states()).toEqual(ids.map((id) => [id, "applied"]));
  expect(await run("migrate")).toEqual({ code: 0, stdout: "nothing to migrate\n", stderr: "" });
});

test("two runners at once apply each migration once", async () => {
  await run("migrate:rollback", "--step", String(ids.length));
  const [first, second] = await Promise.all([run("migrate"), run("migrate")]);
  expect([first.code, second.code]).toEqual([0, 0]);
  for (const id of ids) expect(`${first.stdout}${second.stdout}`.split(`applied ${id} `)).toHaveLength(2);
});

test("migrate:rollback undoes the latest, with --dry-run only shows how", async () => {
  const last = ids.at(-1) ?? "";
  const shown = await run("migrate:rollback", "--dry-run");
  expect(shown.stdout).toStartWith(`-- ${last}\n`);
  expect(await states()).toEqual(ids.map((id) => [id, "applied"]));
  expect((await run("migrate:rollback")).stdout).toContain(`rolled back ${last} `);
  expect(await states()).toEqual(ids.map((id) => [id, id === last ? "pending" : "applied"]));
});

test("--step takes a whole number", async () => {
  for (const step of ["0", "all", "1.5", "99999"]) expect((await run("migrate", "--step", step)).code).toBe(2);
});
