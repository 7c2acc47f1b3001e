import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { keepsRowsInFile } from "../../support/engine.ts";
import { auth } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { manual } from "../../support/manual.ts";
import { tableRows } from "../../support/markdown.ts";
import { runGatehouse } from "../../support/process.ts";
import { readAudit } from "./audit.fixture.ts";
import { stage } from "../../support/stage.ts";

const { target, rows, people } = await stage();
const audit = readAudit(rows);
const ada = await people.register("ada");
const grace = await people.register("grace");
await createClient(target.url).post(auth("login"), { login: ada.email, password: "not the password" });
await createClient(target.url).post(auth("login"), { login: "nobody", password: "not the password" });
await audit.about(ada.id, 2);
await ada.client.post(auth("logout"));

const run = (args: readonly string[], stdin = "") => runGatehouse(args, { cwd: target.folder, env: target.env, stdin });

/** Resolves to the JSON lines of audit:list. */
async function listed(...args: string[]): Promise<ReadonlyMap<string, unknown>[]> {
  const { code, stdout, stderr } = await run(["audit:list", "--json", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => new Map<string, unknown>(Object.entries(Object(JSON.parse(line)))));
}
const actions = (rows: readonly ReadonlyMap<string, unknown>[]): unknown[] => rows.map((row) => row.get("action"));

describe("commands of an operator", () => {
  test("leave a row each, by an operator and from no address; what changes nothing leaves none", async () => {
    const made = await run(["auth:create-user", "--email", "joan@example.test"], "a long walk by the sea");
    const id = made.stdout.trim().replace("created ", "");
    await createClient(target.url).post(auth("login"), {
      login: "joan@example.test",
      password: "a long walk by the sea",
    });
    await run(["auth:revoke-sessions", "joan@example.test"]);
    await run(["auth:revoke-sessions", "joan@example.test"]);
    await run(["auth:set-password", "joan@example.test"], "another walk by the sea");
    await run(["auth:create-user", "--email", "joan@example.test"], "a long walk by the sea");
    const by = { actor: "operator", actor_user_id: null, address: null, user_agent: null, request_id: null };
    expect(await audit.about(id, 4)).toMatchObject([
      { ...by, action: "auth.registered", session_id: null },
      { action: "auth.logged-in", actor: "user" },
      { ...by, action: "auth.session-revoked", session_id: null, reason: "all_sessions" },
      { ...by, action: "auth.password-changed" },
    ]);
    expect(await audit.about(id, 4)).toHaveLength(4);
  });
});

describe("audit:list", () => {
  test("lists newest first, with the fields that the manual names", async () => {
    const rows = await listed("--user", ada.id);
    expect(actions(rows)).toEqual(["auth.logged-out", "auth.login-failed", "auth.registered"]);
    const documented = tableRows(manual, "Audit").map(({ cells }) => cells[0] ?? "");
    expect([...(rows[0]?.keys() ?? [])].toSorted()).toEqual(documented.toSorted());
    expect(rows[0]?.get("at")).toMatch(/^\d{4}-\d{2}-\d{2}T.*Z$/);
  });

  test("takes a user by id, name or address, an action, an outcome and a client's address", async () => {
    expect(actions(await listed("--user", ada.username, "--outcome", "failure"))).toEqual(["auth.login-failed"]);
    expect(actions(await listed("--user", ` ${ada.email.toUpperCase()} `, "--action", "auth.registered"))).toEqual([
      "auth.registered",
    ]);
    const failures = await listed("--action", "auth.login-failed", "--address", "::ffff:127.0.0.1");
    expect(failures.map((row) => row.get("user_id")).toSorted()).toEqual([ada.id, null].toSorted());
    expect(await listed("--user", grace.id, "--address", "203.0.113.7")).toEqual([]);
    expect(actions(await listed("--user", grace.id, "--limit", "1"))).toHaveLength(1);
  });

  test("takes a span of time, as dates or as how long ago", async () => {
    const all = await listed("--user", ada.id);
    const middle = String(all[1]?.get("at"));
    expect(actions(await listed("--user", ada.id, "--since", middle))).toEqual([
      "auth.logged-out",
      "auth.login-failed",
    ]);
    expect(actions(await listed("--user", ada.id, "--until", middle))).toEqual(["auth.registered"]);
    expect(actions(await listed("--user", ada.id, "--since", "1h"))).toHaveLength(3);
    expect(await listed("--user", ada.id, "--until", "1h")).toEqual([]);
    expect(await listed("--user", ada.id, "--until", "2026-01-01")).toEqual([]);
  });

  test("prints a table for people", async () => {
    const { stdout } = await run(["audit:list", "--user", ada.id]);
    const [head, ...lines] = stdout.trimEnd().split("\n");
    expect(head?.split(/ {2,}/)).toEqual(["TIME (UTC)", "ACTION", "OUTCOME", "ABOUT", "BY"]);
    expect(lines).toHaveLength(3);
    expect(lines[1]?.split(/ {2,}/).slice(1)).toEqual([
      "auth.login-failed",
      "wrong_password",
      ada.username,
      "anonymous 127.0.0.1",
    ]);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect((await run(["audit:list", "--address", "203.0.113.7"])).stdout).toBe("no entries\n");
  });

  test.each([
    [["--action", "auth.nonsense"], "--action takes one of auth.registered"],
    [["--outcome", "maybe"], "--outcome takes one of success, failure"],
    [["--since", "yesterday"], "--since takes a TIME"],
    [["--until", "2026-13-45"], "--until takes a TIME"],
    [["--limit", "0"], "--limit takes a whole number from 1 to 10000"],
    [["--limit", "10001"], "--limit takes a whole number"],
    [["--nonsense"], "nonsense"],
  ])("%p is wrong usage", async (args, message) => {
    const { code, stderr } = await run(["audit:list", ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test("says when there may be more than it lists", async () => {
    const { stderr, stdout } = await run(["audit:list", "--limit", "1"]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(2);
    expect(stderr).toBe("the newest 1, there may be more: see --limit and --until\n");
  });

  test.skipIf(!keepsRowsInFile)("without a database it says so, and makes none", async () => {
    const path = join(target.folder, "elsewhere", "app.db");
    const env = { ...target.env, DB_DATABASE: path };
    const { code, stderr } = await runGatehouse(["audit:list"], { cwd: target.folder, env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`${path} does not exist`) });
    expect(existsSync(join(target.folder, "elsewhere"))).toBe(false);
  });

  test("an unknown account exits with 1; an id is taken as it is, for the log outlives the account", async () => {
    const { code, stderr } = await run(["audit:list", "--user", "nobody"]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "no such account\n  user:list --search finds accounts by the beginning of a name or an address\n",
    });
    expect(await listed("--user", "00000000-0000-7000-8000-000000000000")).toEqual([]);
  });

  test("X-07 a user agent can't speak to the operator's terminal", async () => {
    const userAgent = "evil\u009b31m\u007f";
    const credentials = { login: grace.email, password: grace.password };
    await createClient(target.url).post(auth("login"), credentials, { headers: { "user-agent": userAgent } });
    const { stdout } = await run(["audit:list", "--json", "--user", grace.id, "--action", "auth.logged-in"]);
    expect(stdout).toContain("evil");
    expect(stdout.trimEnd()).not.toMatch(/\p{Cc}/u);
  });
});
