import { expect, test } from "bun:test";
import { join } from "node:path";
import { calm } from "../../support/auth.ts";
import { testEnvironment } from "../../support/environment.ts";
import { folderOfEachTest } from "../../support/folder.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { openRows } from "../../support/rows.ts";
import { organizationsOn } from "../organization/organization.fixture.ts";

const folder = folderOfEachTest();

test("Z-71 a backup has organizations with their members, and what keeps their last owner", async () => {
  const path = join(folder(), "data", "app.db");
  const env = { ...testEnvironment(folder()), ...calm, ...organizationsOn, DB_DATABASE: path };
  const run = (args: readonly string[], stdin = ""): Promise<CommandResult> =>
    runGatehouse(args, { cwd: folder(), env, stdin });
  const backup = join(folder(), "backup.db");
  await run(["migrate"]);
  for (const name of ["ada", "grace"])
    await run(["auth:create-user", "--email", `${name}@example.test`, "--verified"], "a long walk by the sea");
  await run(["org:create", "Acme", "--owner", "ada@example.test"]);
  await run(["org:add", "acme", "grace@example.test", "--role", "billing"]);
  const state = async (): Promise<string> => (await run(["org:export"])).stdout;
  const before = await state();
  expect(before).toContain('"roles":["billing"]');
  expect((await run(["backup:create", "--output", backup])).code).toBe(0);
  await run(["org:delete", "acme", "--force"]);
  expect(await state()).toBe("");
  expect(await run(["backup:restore", "--input", backup, "--force"])).toMatchObject({ code: 0 });
  expect(await state()).toBe(before);
  const rows = openRows(path);
  try {
    expect(() => rows.run("delete from organization_members where rank = 2")).toThrow("an organization has an owner");
    rows.run("delete from organization_members where rank = 0");
    expect(rows.get("select members, owners from organizations")).toEqual({ members: 1, owners: 1 });
  } finally {
    rows.close();
  }
});
