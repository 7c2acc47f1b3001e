import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { auth } from "../../support/auth.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { hiddenFields, textOf } from "../../support/staff.ts";
import { openDesk } from "../staff/desk.fixture.ts";

const token = "a diagnostic token of this test run";
const { app, admin, audit, people, rows, staff } = await openDesk({ APP_DIAG_TOKEN: token });

/** The person at the command line: whom sudo names, unless the kernel of this machine knows whose login the tests run in. */
function expectedName(): string {
  const login = readFileSync("/proc/self/loginuid", "utf8").trim();
  if (login === "4294967295") return "ada";
  return Bun.spawnSync(["id", "-un", login]).stdout.toString().trim();
}

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> =>
  runGatehouse(args, { cwd: app.folder, env: { ...app.env, SUDO_USER: "ada", ...env }, stdin: "" });

test("R-14 a command names the person behind sudo in its rows, on the page of the person, in the log and its file", async () => {
  const name = expectedName();
  const grace = await people.register("grace");
  expect(await run(["user:disable", grace.email])).toMatchObject({ code: 0 });
  expect(await audit.about(grace.id, 1, "auth.user-disabled")).toMatchObject([
    { actor: "operator", actor_user_id: null, operator: name },
  ]);
  const { desk } = await staff("hedy");
  const shown = `operator (${name})`;
  expect(textOf(await desk.get(`/people/${grace.id}`))).toContain(shown);
  expect(textOf(await desk.get("/audit?actor=operator"))).toContain(shown);
  expect((await desk.get("/audit.csv?actor=operator")).text).toContain(`"${shown}"`);
  const listed = await run(["audit:list", "--user", grace.email]);
  expect(listed.stdout).toContain(shown);
});

test("R-14 what no command did names nobody, also where somebody at a shell has started the app", async () => {
  const grace = await people.register("grace");
  const { desk } = await staff("hedy");
  const { csrf = "" } = hiddenFields((await desk.get("/")).text, "/logout");
  await desk.send(`/people/${grace.id}/disable`, { csrf });
  expect(await audit.about(grace.id, 1, "auth.user-disabled")).toMatchObject([{ actor: "staff", operator: null }]);
  expect((await audit.about(grace.id, 1, "auth.registered"))[0]).toMatchObject({ actor: "user", operator: null });
});

test("R-14 a command that asks the running app names the person, too, and nobody else can", async () => {
  const ports = { API_HTTP_PORT: String(app.port), APP_DIAG_TOKEN: token };
  expect(await run(["maintenance:enable"], ports)).toMatchObject({ code: 0 });
  expect(await run(["maintenance:disable"], ports)).toMatchObject({ code: 0 });
  const name = expectedName();
  expect(audit.all("action like 'maintenance.%'")).toMatchObject([{ operator: name }, { operator: name }]);
  const stranger = await fetch(`${app.url}${auth("login")}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-gatehouse-operator": "root" },
    body: JSON.stringify({ login: "nobody", password: "a wrong guess" }),
  });
  expect(stranger.status).toBe(401);
  expect(rows.count("audit_events where operator = 'root' and actor <> 'operator'")).toBe(0);
  expect(admin.url).not.toBe(app.url);
});
