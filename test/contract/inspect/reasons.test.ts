import { describe, expect, test } from "bun:test";
import { auth, browserWith, createPeople, secretsOf } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { eventOf, startRecording, stageRecording, type SeenInspect } from "./lighthouse.fixture.ts";
import { everyReason, provoker } from "./reasons.fixture.ts";

const steps = ({ events }: SeenInspect) =>
  events
    .filter(({ kind }) => kind === "auth")
    .map(({ attributes }) => `${String(attributes["auth_outcome"])}: ${String(attributes["auth_reason"])}`);
const byAgent = (agent: string): string => `text=${encodeURIComponent(agent)}`;

const debugging = await stageRecording({ APP_DEBUG: "true" });
const locking = await stageRecording({ AUTH_LOGIN_LOCKOUT_ATTEMPTS: "2" });

describe("with debug on", () => {
  const { target, people, operator } = debugging;
  const provoke = provoker(target, people);

  test.each(everyReason)("a request refused for %s says so, step by step", async (reason) => {
    const { answer, agent } = await provoke(reason);
    expect(answer.status).toBe(401);
    expect(answer.text).not.toContain(reason);
    const inspect = await operator.find(byAgent(agent));
    expect(inspect).toMatchObject({ status: "401", failed: true, reason, labels: { code: "unauthorized" } });
    expect(steps(inspect).at(-1)).toBe(`request_auth_failed: ${reason}`);
    const [first] = inspect.events.filter(({ kind }) => kind === "auth");
    expect(first).toMatchObject({
      name: "auth session debug",
      attributes: {
        path: inspect.labels["path"],
        ip_address: "127.0.0.1",
        user_agent: agent,
        access_ttl_ms: 900_000,
        session_ttl_ms: 86_400_000,
        session_idle_ttl_ms: 7_200_000,
        remember_session_ttl_ms: 2_592_000_000,
      },
    });
    expect(["GET", "POST"]).toContain(String(first?.attributes["method"]));
  });

  test("a request without cookies tells of both", async () => {
    const { agent } = await provoke("missing_access_cookie");
    expect(steps(await operator.find(byAgent(agent)))).toEqual([
      "access_cookie_rejected: missing_access_cookie",
      "refresh_cookie_rejected: missing_refresh_cookie",
      "request_auth_failed: missing_access_cookie",
    ]);
  });

  test("a refused session tells when it was last seen and when it ends", async () => {
    const { agent } = await provoke("session_revoked");
    const inspect = await operator.find(byAgent(agent));
    expect(steps(inspect)).toEqual(["access_cookie_rejected: session_revoked", "request_auth_failed: session_revoked"]);
    const time: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(inspect.events.find(({ kind }) => kind === "auth")?.attributes).toMatchObject({
      session_last_seen_at: time,
      session_expires_at: time,
      session_revoked_at: time,
      session_remembered: false,
    });
  });

  test.each(["refresh_hash_mismatch_grace", "session_revoked"] as const)(
    "a refresh refused for %s tells of its session as well",
    async (reason) => {
      const ada = await people.register("ada");
      const { refresh } = secretsOf(ada.client);
      await ada.client.post(auth(reason === "session_revoked" ? "logout" : "refresh"));
      const agent = `refreshes in vain for ${reason}`;
      const headers = { "user-agent": agent };
      const answer = await browserWith(target.url, { refresh }).post(auth("refresh"), undefined, { headers });
      expect(answer.status).toBe(401);
      const inspect = await operator.find(byAgent(agent));
      expect(steps(inspect)).toEqual([`refresh_cookie_rejected: ${reason}`, `request_auth_failed: ${reason}`]);
      const time: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
      for (const { attributes } of inspect.events.filter(({ kind }) => kind === "auth"))
        expect(attributes).toMatchObject({
          user: ada.username,
          user_id: ada.id,
          session_created_at: time,
          session_last_seen_at: time,
          session_expires_at: time,
          session_revoked_at: reason === "session_revoked" ? time : null,
        });
    },
  );

  test("a refresh cookie that recovers the request is told as well", async () => {
    const ada = await people.register("ada");
    const { refresh } = secretsOf(ada.client);
    const headers = { "user-agent": "is recovered" };
    const answer = await browserWith(target.url, { refresh }).get("/api/v1/hello", { headers });
    expect(answer.status).toBe(200);
    const inspect = await operator.find(byAgent("is recovered"));
    expect(inspect).toMatchObject({ status: "200", failed: false, reason: null });
    expect(steps(inspect)).toEqual([
      "access_cookie_rejected: missing_access_cookie",
      "refresh_cookie_recovered: missing_access_cookie",
    ]);
  });

  test("X-97 a request that simply serves tells by what, whose session it is and since when", async () => {
    const ada = await people.register("ada");
    await ada.client.get("/api/v1/hello", { headers: { "user-agent": "simply serves" } });
    const inspect = await operator.find(byAgent("simply serves"));
    expect(steps(inspect)).toEqual(["request_auth_accepted: valid_access_token"]);
    const time: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(inspect.events.find(({ kind }) => kind === "auth")).toMatchObject({
      name: "auth session debug",
      level: "debug",
      attributes: {
        user: ada.username,
        user_id: ada.id,
        session_created_at: time,
        session_last_seen_at: time,
        session_expires_at: time,
        method: "GET",
        path: "/api/v1/hello",
      },
    });
  });

  test("X-97 a login and a registration that are accepted tell by what, and of the session that they opened", async () => {
    const ada = await people.register("ada");
    await ada.login({ remember: true });
    const time: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    for (const [route, outcome, remembered] of [
      ["register", "registration_accepted: new_account", false],
      ["login", "login_accepted: valid_password", true],
    ] as const) {
      const inspect = await operator.find(`user=${ada.id}&name=auth/${route}`);
      expect(steps(inspect)).toEqual([outcome]);
      expect(inspect.events.find(({ kind }) => kind === "auth")).toMatchObject({
        name: "auth session debug",
        attributes: {
          method: "POST",
          path: inspect.labels["path"],
          ip_address: "127.0.0.1",
          user_agent: expect.any(String),
          access_ttl_ms: 900_000,
          session_ttl_ms: 86_400_000,
          session_idle_ttl_ms: 7_200_000,
          remember_session_ttl_ms: 2_592_000_000,
          user: ada.username,
          user_id: ada.id,
          session_created_at: time,
          session_last_seen_at: time,
          session_expires_at: time,
          session_revoked_at: null,
          session_remembered: remembered,
        },
      });
    }
  });

  test.each([
    ["login", { login: "ADA", password: "wrong" }, "login_refused: wrong_password"],
    ["login", { login: "nobody@example.test", password: "wrong" }, "login_refused: unknown_login"],
    ["register", { email: "ADA", password: "a long walk by the sea" }, "registration_refused: email_taken"],
    ["register", { email: "newcomer@example.test", password: "password" }, "registration_refused: weak_password"],
  ] as const)("X-97 %s of %j is told as %s", async (route, fields, told) => {
    const ada = await people.register("ada");
    const body = Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [key, value === "ADA" ? ada.email : value]),
    );
    const agent = `is refused: ${told}`;
    await createClient(target.url).post(auth(route), body, { headers: { "user-agent": agent } });
    const inspect = await operator.find(byAgent(agent));
    expect(steps(inspect)).toEqual([told]);
    const { attributes } = eventOf(inspect, "auth", "auth session debug");
    expect(attributes).toMatchObject({ method: "POST", user_agent: agent, access_ttl_ms: 900_000 });
    expect(attributes["user_id"]).toBe(told.endsWith("wrong_password") ? ada.id : undefined);
    expect(inspect.user_ids).toEqual(told.endsWith("wrong_password") ? [ada.id] : []);
    expect(JSON.stringify(inspect)).not.toContain(ada.email);
  });

  test("a refresh that is accepted says so", async () => {
    const ada = await people.register("ada");
    await ada.client.post(auth("refresh"), undefined, { headers: { "user-agent": "is refreshed" } });
    const inspect = await operator.find(byAgent("is refreshed"));
    expect(steps(inspect)).toEqual(["request_auth_accepted: valid_refresh_token"]);
    expect(inspect.events.find(({ kind }) => kind === "auth")?.attributes).toMatchObject({ user: ada.username });
  });
});

test("X-97 with debug off the steps tell how and why, and nothing of who asked", async () => {
  const { target, operator } = await startRecording();
  const { agent } = await provoker(target)("session_expired");
  const inspect = await operator.find(byAgent(agent));
  expect(inspect.reason).toBe("session_expired");
  const told = inspect.events.filter(({ kind }) => kind === "auth");
  expect(told.map(({ name }) => name)).toEqual(["auth session", "auth session"]);
  expect(Object.keys(told[0]?.attributes ?? {})).toEqual(["auth_outcome", "auth_reason"]);
  const grace = await createPeople(target.url).register("grace");
  await grace.client.get("/api/v1/hello", { headers: { "user-agent": "simply serves" } });
  expect(steps(await operator.find(byAgent("simply serves")))).toEqual([]);
  await target.stop();
});

describe("a login", () => {
  const { target, people, operator } = locking;

  test.each([
    ["nobody", "unknown_login", 401],
    ["ada", "wrong_password", 401],
    ["ada", "wrong_password", 423],
    ["ada", "account_locked", 423],
  ] as const)("of %s is refused for %s, which the client is not told", async (name, reason, status) => {
    const agent = `${name} ${reason} ${status}`;
    const login = `${name}1@example.test`;
    if (name === "ada" && status === 401) await people.register("ada");
    const headers = { "user-agent": agent };
    const answer = await createClient(target.url).post(auth("login"), { login, password: "wrong" }, { headers });
    expect(answer.status).toBe(status);
    if (reason !== "account_locked") expect(answer.text).not.toContain(reason);
    const inspect = await operator.find(byAgent(agent));
    expect(inspect).toMatchObject({ status: String(status), reason });
    expect(JSON.stringify(inspect)).not.toContain(login);
  });
});
