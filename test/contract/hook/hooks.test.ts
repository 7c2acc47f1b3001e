import { describe, expect, test } from "bun:test";
import { auth, expectRefusal, secretsOf } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { runGatehouse } from "../../support/process.ts";
import { stage } from "../../support/stage.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { serviceKit } from "../backend/service.fixture.ts";
import { createOperator, recording } from "../inspect/lighthouse.fixture.ts";
import { startGate } from "./hook.fixture.ts";

const gate = startGate("gate", { TIMEOUT: "400ms" });
const { target, rows, people, browser } = await stage({
  env: { ...gate.env, ...recording, AUTH_TOKEN_CLAIMS: "roles,name" },
});
const audit = readAudit(rows);
const kit = serviceKit(target);
const password = "a long walk by the sea";
let count = 0;
const newEmail = (): string => `hooked${(count += 1)}@example.test`;
const register = (email: string, client = browser()): Promise<Answer> =>
  client.post(auth("register"), { email, password });
const usual = "this was not allowed";
function claimsOf(token: string): Record<string, unknown> {
  const [, payload = ""] = token.split(".");
  return { ...Object(JSON.parse(Buffer.from(payload, "base64url").toString())) };
}

describe("a hook", () => {
  test("H-30 is told who comes and how, signed as a webhook is, at each of its points", async () => {
    const email = newEmail();
    const client = browser();
    const headers = { "user-agent": "a browser of tests", "accept-language": "de-AT" };
    await client.post(auth("register"), { email, password, display_name: "Ada" }, { headers });
    expect(gate.refused()).toEqual([]);
    const [first, second, third] = gate.asked();
    expect(gate.points()).toEqual(["before.register", "before.sign-in", "before.token"]);
    const who = { email, username: email, display_name: "Ada", locale: "de-AT", method: "password" };
    expect(first?.data).toEqual({ ...who, ip_address: "127.0.0.1", user_agent: "a browser of tests" });
    expect(second?.data).toMatchObject(who);
    expect(third?.data).toMatchObject({ ...who, session_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(Math.abs(Date.parse(first?.timestamp ?? "") - Date.now())).toBeLessThan(60_000);
    const id = (await client.get(auth("me"))).textAt("user.id");
    await client.post(auth("login"), { login: email, password });
    const asked = gate.asked().at(-2);
    expect([asked?.type, asked?.data["user"]]).toEqual([
      "before.sign-in",
      expect.objectContaining({ id, email, app_metadata: {}, external_id: null }),
    ]);
    expect(asked?.body).not.toContain("private_metadata");
  });

  test("H-31 refuses a registration: no account is made, and the person reads why, as plain text", async () => {
    const said = 'Only <b>staff</b> & "friends"\u202e\nof ours\u0007';
    gate.deny("before.register", said);
    const email = newEmail();
    const answer = await register(email);
    expectRefusal(answer, 403, 'Only <b>staff</b> & "friends" of ours', "denied_by_hook");
    expect(answer.setCookies).toEqual([]);
    expect(rows.count("users where email = ?", email)).toBe(0);
    gate.deny("before.register");
    expectRefusal(await register(email), 403, usual, "denied_by_hook");
    gate.deny("before.register", "x".repeat(5_000));
    expect((await register(email)).textAt("error")).toBe("x".repeat(300));
    expect(gate.points()).toEqual(["before.register", "before.register", "before.register"]);
    const [row] = rows.all("select * from audit_events where action = 'auth.registration-refused' order by id desc");
    expect(row).toMatchObject({ outcome: "failure", reason: "denied_by_hook", subject_user_id: null });
  });

  test("H-31 refuses a sign-in: nothing is opened, and the log and Lighthouse say why", async () => {
    const ada = await people.register("ada");
    const sessions = rows.count("auth_sessions where user_id = ?", ada.id);
    gate.deny("before.sign-in", "Your subscription has ended.");
    const client = browser();
    const answer = await client.post(auth("login"), { login: ada.email, password: ada.password });
    expectRefusal(answer, 403, "Your subscription has ended.", "denied_by_hook");
    expect([answer.setCookies, rows.count("auth_sessions where user_id = ?", ada.id)]).toEqual([[], sessions]);
    const [row] = await audit.about(ada.id, 1, "auth.login-failed");
    expect(row).toMatchObject({ outcome: "failure", reason: "denied_by_hook" });
    const operator = createOperator(target.url);
    const inspect = await operator.find("name=auth/login&failed=true");
    expect(JSON.stringify(inspect)).toContain("denied_by_hook");
    expect(JSON.stringify(inspect)).toContain(new URL(gate.url).origin);
  });

  test("H-32 refuses a token: a refresh is refused before its secret is swapped, and works again later", async () => {
    const ada = await people.register("ada");
    const { refresh } = secretsOf(ada.client);
    gate.deny("before.token", "Not now.");
    for (let tried = 0; tried < 3; tried += 1)
      expectRefusal(await ada.client.post(auth("refresh")), 403, "Not now.", "denied_by_hook");
    expect(secretsOf(ada.client).refresh).toBe(refresh);
    expect(rows.count("audit_events where action = 'auth.token-refused' and subject_user_id = ?", ada.id)).toBe(1);
    expect((await ada.client.get(auth("me"))).status).toBe(200);
    ada.client.deleteCookie("auth_access");
    expect((await ada.client.get(auth("me"))).status).toBe(403);
    gate.deny("never");
    expect((await ada.client.post(auth("refresh"))).status).toBe(200);
  });

  test("H-33 gives claims, which are in the token, at verify and in introspection; ours and registered ones win", async () => {
    const claims = {
      tenant: "acme",
      limits: { seats: 3 },
      roles: ["admin"],
      name: "Mallory",
      sub: "somebody",
      sid: "x",
      exp: 1,
      username: "mallory",
      active: false,
      scope: "users:write",
      client_id: "billing",
      act: { sub: "somebody" },
      amr: ["mfa"],
    };
    gate.answer(({ type }) => Response.json({ decision: "allow", ...(type === "before.token" && { claims }) }));
    const ada = await people.register("ada", { display_name: "Ada" });
    const inToken = claimsOf(secretsOf(ada.client).access);
    expect(inToken).toMatchObject({ tenant: "acme", limits: { seats: 3 }, roles: [], name: "Ada", sub: ada.id });
    expect(inToken["amr"]).toEqual(["pwd"]);
    for (const name of ["scope", "client_id", "act", "username", "active"]) expect(inToken).not.toHaveProperty(name);
    const shown = { roles: [], name: "Ada", tenant: "acme", limits: { seats: 3 } };
    const header = (await ada.client.get(auth("verify"))).headers.get("x-auth-claims") ?? "";
    expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual(shown);
    const introspected = await kit.introspect(await kit.create("asker"), secretsOf(ada.client).access);
    expect(introspected.json).toMatchObject({ ...shown, active: true, sub: ada.id, username: ada.username });
    ada.client.deleteCookie("auth_access");
    const reissued = (await ada.client.get(auth("verify"))).headers.get("x-auth-claims") ?? "";
    expect(JSON.parse(Buffer.from(reissued, "base64url").toString())).toEqual(shown);
    // At the other points nobody gives claims, and too many are left out.
    gate.answer(() => Response.json({ decision: "allow", claims: { big: "x".repeat(2_000), small: 1 } }));
    await ada.client.post(auth("refresh"));
    expect(claimsOf(secretsOf(ada.client).access)).toMatchObject({ small: 1, roles: [] });
    expect(claimsOf(secretsOf(ada.client).access)).not.toHaveProperty("big");
  });

  test("H-34 that lies, redirects, answers too much or nothing at all counts as it was chosen: nobody is let in", async () => {
    const ada = await people.register("ada");
    const lies: Readonly<Record<string, () => Response | Promise<Response>>> = {
      "no decision": () => Response.json({}),
      "another word": () => Response.json({ decision: "yes" }),
      "a truth value": () => Response.json({ decision: true }),
      "a list": () => Response.json([{ decision: "allow" }]),
      "a text": () => new Response("allow"),
      "a page": () => new Response("<html>allow</html>", { headers: { "content-type": "text/html" } }),
      "claims that are none": () => Response.json({ decision: "allow", claims: "admin" }),
      nothing: () => new Response(null, { status: 204 }),
      "an error": () => Response.json({ decision: "allow" }, { status: 500 }),
      "a redirect": () => new Response(null, { status: 302, headers: { location: gate.url } }),
      "10 MB": () => Response.json({ decision: "allow", padding: "x".repeat(10_000_000) }),
      "a hang": () => new Promise<Response>(() => {}),
      "a body that never ends": () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode('{"decision":"allow"')),
          }),
        ),
    };
    for (const [lie, reply] of Object.entries(lies)) {
      gate.answer(reply);
      const began = performance.now();
      const answer = await browser().post(auth("login"), { login: ada.email, password: ada.password });
      expect([lie, answer.status, answer.at("code"), answer.at("error")]).toEqual([lie, 403, "denied_by_hook", usual]);
      expect(performance.now() - began).toBeLessThan(5_000);
    }
    const reasons = await audit.about(ada.id, Object.keys(lies).length, "auth.login-failed");
    // A right password that a hook refused is no wrong one: nobody is locked out by it.
    gate.deny("never");
    expect((await browser().post(auth("login"), { login: ada.email, password: ada.password })).status).toBe(200);
    expect(new Set(reasons.map(({ reason }) => reason))).toEqual(new Set(["hook_failed"]));
  }, 30_000);

  test("H-36 tells nobody which addresses are taken where registration is silent about them", async () => {
    const silent = await stageSilent();
    const taken = newEmail();
    await silent.register(taken);
    expect(silent.asked()).toBe(1);
    const again = await silent.register(taken);
    const fresh = await silent.register(newEmail());
    expect([again.text.replace(/"request_id.*/, ""), again.status]).toEqual([
      fresh.text.replace(/"request_id.*/, ""),
      200,
    ]);
    expect(silent.asked()).toBe(3);
    silent.deny();
    const [one, other] = [await silent.register(taken), await silent.register(newEmail())];
    expect([one.status, other.status]).toEqual([403, 403]);
  });
});

const silentGate = startGate("silent", { POINTS: "before.register" });
const silentStage = await stage({
  env: { ...silentGate.env, AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true" },
});
async function stageSilent() {
  return {
    register: (email: string): Promise<Answer> =>
      createClient(silentStage.target.url).post(auth("register"), { email, password }),
    asked: (): number => silentGate.asked().length,
    deny: (): void => silentGate.deny("before.register"),
  };
}

const [open, hanging] = [
  startGate("open", { ON_FAILURE: "allow", TIMEOUT: "150ms", POINTS: "before.sign-in" }),
  startGate("hanging", { TIMEOUT: "2s", POINTS: "before.register" }),
];
const both = await stage({ env: { ...open.env, ...hanging.env } });

test("H-34 one that may fail lets people in while it is away", async () => {
  open.answer(() => new Response("no", { status: 503 }));
  const ada = await both.people.register("ada");
  open.answer(() => new Promise<Response>(() => {}));
  const answer = await both.browser().post(auth("login"), { login: ada.email, password: ada.password });
  expect(answer.status).toBe(200);
});

test("H-35 one that hangs delays nobody who is not asked about there: 60 registrations wait, and sign-ins go on", async () => {
  const ada = await both.people.register("ada");
  hanging.answer(() => new Promise<Response>(() => {}));
  const waiting = Array.from({ length: 60 }, () =>
    createClient(both.target.url).post(auth("register"), { email: newEmail(), password }),
  );
  const began = performance.now();
  const login = await both.browser().post(auth("login"), { login: ada.email, password: ada.password });
  expect([login.status, performance.now() - began < 1_500]).toEqual([200, true]);
  const refused = await Promise.all(waiting);
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([403]));
  // The wait for a turn counts: nobody waits for two times the timeout.
  expect(performance.now() - began).toBeLessThan(6_000);
});

test("hook:list and hook:test show what a hook is asked and what it says", async () => {
  const { folder, env } = both.target;
  const run = (...args: string[]) => runGatehouse(args, { cwd: folder, env });
  const listed = await run("hook:list", "--json");
  expect(
    listed.stdout
      .split("\n")
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line)),
  ).toMatchObject([
    { name: "hanging", points: ["before.register"], on_failure: "deny" },
    { name: "open", points: ["before.sign-in"], on_failure: "allow" },
  ]);
  open.answer(() => Response.json({ decision: "deny", message: "No." }));
  const tested = await run("hook:test", "open", "--json");
  expect(JSON.parse(tested.stdout)).toMatchObject({
    ok: true,
    decision: "deny",
    message: "No.",
    point: "before.sign-in",
  });
  open.answer(() => new Response("?"));
  expect((await run("hook:test", "OPEN")).code).toBe(1);
  expect((await run("hook:test", "nosuch")).code).toBe(2);
});

test("H-37 an address within private networks, or no https, is refused at the start of what is deployed", async () => {
  const { folder, env } = both.target;
  for (const [url, why] of [
    ["http://hooks.example.com/", "https"],
    ["https://10.0.0.1/", "private address"],
    ["https://169.254.169.254/", "metadata service"],
  ] as const) {
    const settings = { ...env, APP_ENV: "production", HOOK_OPEN_URL: url, HOOK_OPEN_ALLOW_PRIVATE: "false" };
    const { code, stderr } = await runGatehouse(["env:check"], { cwd: folder, env: settings });
    expect([code, stderr.includes("HOOK_OPEN_URL"), stderr.includes(why)]).toEqual([2, true, true]);
  }
});
