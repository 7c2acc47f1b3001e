import { expect, test } from "bun:test";
import { auth, isServed, secretsOf } from "../../support/auth.ts";
import { eventually } from "../../support/log.ts";
import { runGatehouse } from "../../support/process.ts";
import { stage } from "../../support/stage.ts";
import { createStaff, hiddenFields } from "../../support/staff.ts";
import { startGate } from "./hook.fixture.ts";

const gate = startGate("gate", { TIMEOUT: "5s" });
const { rows, people, browser, target } = await stage({ env: { ...gate.env, AUTH_LOGIN_LOCKOUT_ATTEMPTS: "3" } });

test("H-32 a hook that says no to tokens keeps nobody from signing out, with whatever cookies", async () => {
  const ada = await people.register("ada");
  const { refresh } = secretsOf(ada.client);
  const stale = ada.client.copy();
  stale.deleteCookie("auth_access");
  gate.deny("before.token");
  // Beside a good access cookie nothing has to be asked; without one the session is found all the same.
  for (const client of [ada.client, stale]) {
    const grace = await people.register("grace").catch(() => undefined);
    expect(grace).toBeUndefined();
    expect((await client.post(auth("logout"))).status).toBe(client === ada.client ? 200 : 401);
    expect(client.cookie("auth_refresh") ?? "").toBe("");
  }
  expect(rows.count("auth_sessions where user_id = ? and revoked_at is null", ada.id)).toBe(0);
  gate.deny("never");
  const again = browser();
  again.setCookie("auth_refresh", refresh);
  expect(await isServed(again)).toBe(false);
});

test("H-32 a refresh cookie of somebody who is denied does no harm on a route that is open to all", async () => {
  const ada = await people.register("ada");
  const client = browser();
  client.setCookie("auth_refresh", secretsOf(ada.client).refresh);
  gate.deny("before.token");
  const asked = gate.points().length;
  expect((await client.post(auth("invitation"), { token: "x".repeat(43) })).at("code")).toBe(
    "invalid_invitation_token",
  );
  expect((await client.post(auth("email-verification/confirm"), { token: "x".repeat(43) })).at("code")).toBe(
    "invalid_verification_token",
  );
  expect(gate.points()).toHaveLength(asked);
});

test("H-32 the account page of somebody who is refused a token leads to the sign-in, which says why", async () => {
  const ada = await people.register("ada");
  const client = browser();
  client.setCookie("auth_refresh", secretsOf(ada.client).refresh);
  gate.deny("before.token", "Not today.");
  const page = await client.get("/account", { headers: { accept: "text/html" } });
  expect([page.status, page.headers.get("location")]).toEqual([303, "/login?next=%2Faccount"]);
  const answer = await client.post(auth("login"), { login: ada.email, password: ada.password });
  expect([answer.status, answer.at("error")]).toEqual([403, "Not today."]);
});

test("H-34 no right password that a hook refuses, at whatever point, counts as a wrong one", async () => {
  const ada = await people.register("ada");
  for (const point of ["before.sign-in", "before.token"]) {
    gate.deny(point);
    for (let tried = 0; tried < 5; tried += 1) {
      const answer = await browser().post(auth("login"), { login: ada.email, password: ada.password });
      expect([point, answer.at("code")]).toEqual([point, "denied_by_hook"]);
    }
    gate.deny("never");
    expect((await browser().post(auth("login"), { login: ada.email, password: ada.password })).status).toBe(200);
  }
});

test("H-35 while a hook takes its time, a right password is charged to nobody's counters", async () => {
  const ada = await people.register("ada");
  const released = Promise.withResolvers<void>();
  gate.answer(async () => {
    await released.promise;
    return Response.json({ decision: "allow" });
  });
  const charged = "auth_attempts where attempts > 0";
  const before = rows.count(charged);
  const login = browser().post(auth("login"), { login: ada.email, password: ada.password });
  await eventually("the hook is asked", () => gate.points().includes("before.sign-in"));
  expect(rows.count(charged)).toBe(before);
  released.resolve();
  expect((await login).status).toBe(200);
});

test("H-32 staff sign out although a hook says no to tokens", async () => {
  const ofStaff = startGate("staff");
  const admin = await stage({ app: "admin", env: ofStaff.env });
  const { visitor } = await createStaff(admin.target.url, admin.rows).add("ada");
  const page = await visitor.get("/");
  const form = hiddenFields(page.text, "/logout");
  visitor.client.deleteCookie("admin_auth_access");
  ofStaff.deny("before.token");
  expect((await visitor.send("/logout", form)).headers.get("location")).toBe("/login?notice=signed-out");
  expect((await visitor.get("/")).status).toBe(303);
});

test("H-30 a hook is told one spelling of a domain, whichever was typed", async () => {
  for (const [typed, told] of [
    ["Ada.One@EXAMPLE.test", "Ada.One@example.test"],
    ["ada.two@ｅxample.test", "ada.two@example.test"],
    ["ada.three@example。test", "ada.three@example.test"],
    ["ada.four@bücher.test", "ada.four@xn--bcher-kva.test"],
  ] as const) {
    await browser().post(auth("register"), { email: typed, password: "a long walk by the sea" });
    expect(gate.asked().at(-1)?.data["email"]).toBe(told);
  }
});

test("hook:test asks about whom it is told, as the point would, and says where the hook is never asked", async () => {
  const run = (...args: string[]) =>
    runGatehouse(args, { cwd: target.folder, env: { ...target.env, HOOK_GATE_POINTS: "before.token" } });
  expect((await run("hook:test", "gate", "--email", "bob@blocked.test")).code).toBe(0);
  const [question] = gate.asked();
  expect(question?.data).toMatchObject({ email: "bob@blocked.test", ip_address: null, session_id: expect.any(String) });
  const elsewhere = await run("hook:test", "gate", "--point", "before.register");
  expect([elsewhere.code, elsewhere.stderr]).toEqual([
    0,
    expect.stringContaining("gate is never asked at before.register: its points are before.token"),
  ]);
});
