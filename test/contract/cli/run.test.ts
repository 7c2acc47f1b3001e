import { expect, test } from "bun:test";
import { untilLogged } from "../../support/log.ts";
import { openRows } from "../../support/rows.ts";
import { createClient } from "../../support/client.ts";
import { runGatehouse } from "../../support/process.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";

endTargetsAfterEach();

test("the bare command runs HTTP, worker and scheduler together, and SIGTERM ends it with 0", async () => {
  const target = await startTarget({ ownProcess: true });
  expect(target.logs()).toMatch(/"message":"started".*"roles":\["http","worker","scheduler"\]/);
  const answer = await createClient(target.url).get("/-/ready");
  expect({ status: answer.status, json: answer.json }).toEqual({ status: 200, json: { status: "ready", app: "app" } });
  expect(await target.stop()).toBe(0);
  expect(target.logs()).toContain('"message":"stopped"');
});

test("api serves HTTP alone; worker and scheduler open no listener", async () => {
  const api = await startTarget({ ownProcess: true, roles: ["http"] });
  expect((await createClient(api.url).get("/-/health")).json).toEqual({ status: "ok" });
  const env = { DB_DATABASE: api.databasePath };
  for (const role of ["worker", "scheduler"] as const) {
    const other = await startTarget({ ownProcess: true, roles: [role], env, migrate: false });
    expect(other.url).toBe("");
    expect(other.logs()).toContain(`"roles":["${role}"]`);
    expect(await other.stop()).toBe(0);
  }
  expect(await api.stop()).toBe(0);
});

/** What starts them lies beside what was started: the other binary, or its source. */
const staffPages = /^http:\/\/localhost:3001\/login \(once this has started them: .*(?:gatehouse-admin|admin\.ts)\)$/;

test("a local start prints where everything is", async () => {
  const env = { APP_ENV: "local", LIGHTHOUSE_SECRET: "a secret of this machine alone" };
  const target = await startTarget({ ownProcess: true, roles: ["http"], env });
  await untilLogged(target, "/lighthouse ");
  const home = `http://localhost:${target.port}`;
  const printed = target
    .logs()
    .split("\n")
    .filter((line) => line.startsWith("  "));
  expect(printed.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ["Sign in", `${home}/login`],
    ["Documentation", `${home}/docs`],
    ["API reference", `${home}/openapi`],
    ["Mails", `${home}/mails`],
    ["Lighthouse", `${home}/lighthouse (its secret: LIGHTHOUSE_SECRET, in .env.local unless you have set it)`],
    ["Staff pages", expect.stringMatching(staffPages)],
  ]);
  await target.stop();
});

test("with an app at APP_URL, whose server passes on the account pages alone, a local start prints its own address for the others", async () => {
  const env = {
    APP_ENV: "local",
    LIGHTHOUSE_SECRET: "a secret of this machine alone",
    APP_URL: "http://localhost:5173",
  };
  const target = await startTarget({ ownProcess: true, roles: ["http"], env });
  await untilLogged(target, "/lighthouse ");
  const printed = target.logs().matchAll(/^ {2}\w.*?(http:\/\/localhost:\d+)(\/\w+)/gm);
  const here = `http://localhost:${target.port}`;
  expect([...printed].map(([, origin = "", path = ""]) => origin + path)).toEqual([
    "http://localhost:5173/login",
    `${here}/docs`,
    `${here}/openapi`,
    `${here}/mails`,
    `${here}/lighthouse`,
    "http://localhost:3001/login",
  ]);
  for (const path of ["/openapi", "/mails", "/lighthouse/sign-in"]) {
    const { status } = await fetch(`${here}${path}`);
    expect({ path, status }).toEqual({ path, status: 200 });
  }
  await target.stop();
});

test("a start does not migrate: readiness answers 503 and the log says what to do", async () => {
  const target = await startTarget({ ownProcess: true, migrate: false });
  expect((await createClient(target.url).get("/-/ready")).status).toBe(503);
  await untilLogged(target, "run the migrate command");
  await target.stop();
});

test("a start that can't listen exits with 1 and takes no job that it could not finish", async () => {
  const holder = await startTarget({ roles: ["http"] });
  await createClient(holder.url).post("/api/v1/auth/password-reset/request", { login: "ada" });
  const env = { ...holder.env, API_HTTP_PORT: String(holder.port) };
  const { code, stdout } = await runGatehouse([], { cwd: holder.folder, env });
  expect({ code, failed: stdout.includes("the start failed") }).toEqual({ code: 1, failed: true });
  expect(stdout).toContain(`can't listen on 127.0.0.1:${holder.port} (API_HTTP_HOST, API_HTTP_PORT)`);
  const rows = openRows(holder.databasePath);
  expect(rows.get("select attempts, leased_until from jobs")).toEqual({ attempts: 0, leased_until: null });
  rows.close();
  await holder.stop();
});
