import { describe, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { stage } from "../../support/stage.ts";
import { readAudit } from "../audit/audit.fixture.ts";

const { target, rows, people } = await stage();
const audit = readAudit(rows);

const run = (args: readonly string[], stdin = ""): Promise<CommandResult> =>
  runGatehouse(args, { cwd: target.folder, env: target.env, stdin });

describe("user:roles", () => {
  test("V-01 gives and takes roles, which the user's next request shows; each leaves a row in the audit log", async () => {
    const ada = await people.register("ada");
    expect((await ada.client.get(auth("me"))).at("user.roles")).toEqual([]);
    expect((await run(["user:roles", ada.username, "--add", "editor,admin"])).stdout).toBe("admin editor\n");
    expect((await ada.client.get(auth("me"))).at("user.roles")).toEqual(["admin", "editor"]);
    expect((await run(["user:roles", ada.email, "--add", "admin", "--remove", "editor,guest"])).stdout).toBe("admin\n");
    expect((await run(["user:roles", ada.id, "--json"])).stdout).toBe('{"roles":["admin"]}\n');
    expect((await ada.client.get(auth("me"))).at("user.roles")).toEqual(["admin"]);
    const told = (await audit.about(ada.id, 4)).slice(1);
    expect(told.map(({ action, reason, actor }) => ({ action, reason, actor }))).toEqual([
      { action: "auth.role-added", reason: "editor", actor: "operator" },
      { action: "auth.role-added", reason: "admin", actor: "operator" },
      { action: "auth.role-removed", reason: "editor", actor: "operator" },
    ]);
  });

  test("V-01 refuses what is no role, and changes nothing then", async () => {
    const ada = await people.register("ada");
    for (const wrong of [
      ["--add", "Admin"],
      ["--add", "admin,"],
      ["--add", `a${"b".repeat(32)}`],
      ["--add", "admin", "--add", "editor"],
      ["--add", "admin", "--remove", "admin"],
    ]) {
      const { code, stdout } = await run(["user:roles", ada.username, ...wrong]);
      expect({ wrong, code, stdout }).toEqual({ wrong, code: 2, stdout: "" });
    }
    expect((await run(["user:roles", ada.username, "--add", "Admin"])).stderr).toContain(
      "up to 32 of a to z, 0 to 9 and -",
    );
    const many = Array.from({ length: 33 }, (_, index) => `role-${index}`).join();
    const tooMany = await run(["user:roles", ada.username, "--add", many]);
    expect(tooMany).toMatchObject({ code: 1, stderr: expect.stringContaining("32 roles at most") });
    expect((await run(["user:roles", ada.username])).stdout).toBe("no roles\n");
    expect(await run(["user:roles", "nobody"])).toMatchObject({
      code: 1,
      stderr: "no such account\n  user:list --search finds accounts by the beginning of a name or an address\n",
    });
  });

  test("V-01 two changes at once are both made", async () => {
    const ada = await people.register("ada");
    const names = ["a", "b", "c", "d"];
    await Promise.all(names.map((name) => run(["user:roles", ada.username, "--add", name])));
    expect((await ada.client.get(auth("me"))).at("user.roles")).toEqual(names);
  });

  test("an id means the account, not another one that has it for a name", async () => {
    const ada = await people.register("ada");
    const mallory = await people.register("mallory", { username: ada.id });
    await run(["user:roles", ada.id, "--add", "admin"]);
    expect((await mallory.client.get(auth("me"))).at("user.roles")).toEqual([]);
    expect((await ada.client.get(auth("me"))).at("user.roles")).toEqual(["admin"]);
  });
});

test("auth:create-user --role makes an account with roles; no route gives any", async () => {
  const args = ["auth:create-user", "--email", "joan@example.test", "--role", "admin,support"];
  expect((await run(args, "a long walk by the sea")).code).toBe(0);
  const client = createClient(target.url);
  await client.post(auth("login"), { login: "joan@example.test", password: "a long walk by the sea" });
  expect((await client.get(auth("me"))).at("user.roles")).toEqual(["admin", "support"]);
  await client.post(auth("profile"), { display_name: "Joan", roles: ["root"] });
  expect((await client.get(auth("me"))).at("user.roles")).toEqual(["admin", "support"]);
  const registered = await people.register("eve", { roles: ["admin"] });
  expect((await registered.client.get(auth("me"))).at("user.roles")).toEqual([]);
});
