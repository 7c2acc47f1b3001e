import { describe, expect, test } from "bun:test";
import { auth, claimsOf, cookieNames, expectRefusal, isServed, listed, minute, refreshes } from "../../support/auth.ts";
import { textOf, titleOf } from "../../support/staff.ts";
import { serviceKit } from "../backend/service.fixture.ts";
import { openDesk, reason, staffUrl } from "./desk.fixture.ts";

const desk = await openDesk({
  env: { AUTH_ACCESS_TOKEN_TTL: "1h", AUTH_PERSONAL_TOKENS_ENABLED: "true", AUTH_MAX_SESSIONS: "2" },
});
const { target, rows, staff, people } = desk;
const services = serviceKit(target);

const userRow = (id: string): string =>
  JSON.stringify(
    rows.get("select last_login_at, last_seen_at, device_epoch, roles, factors from users where id = ?", id),
  );

describe("S-60 staff ask first", () => {
  test("with a reason, without which nothing begins", async () => {
    const [grace, ada] = [await staff.add("grace"), await people.register("ada")];
    for (const [typed, said] of [
      ["", "Without a reason"],
      ["   ", "Without a reason"],
      ["x".repeat(201), "more than 200 letters"],
    ] as const) {
      const answer = await desk.ask(grace, ada.id, { reason: typed });
      expect([answer.status, titleOf(answer)]).toEqual([400, `Look at the account of ${ada.username}?`]);
      expect(textOf(answer)).toContain(said);
    }
    expect(rows.count("auth_impersonations where user_id = ?", ada.id)).toBe(0);
  });

  test("with a proof that is minutes old, and the reason is still there after it", async () => {
    const [grace, ada] = [await staff.add("grace"), await people.register("ada")];
    rows.letPass(11 * minute);
    const asked = await desk.ask(grace, ada.id);
    expect([asked.status, titleOf(asked)]).toEqual([403, "Confirm that it is you"]);
    expect(asked.text).toContain(`name="reason" value="${reason}"`);
    expect(rows.count("auth_impersonations where user_id = ?", ada.id)).toBe(0);
    const csrf = /name="csrf" value="([^"]*)"/.exec(asked.text)?.[1] ?? "";
    const fields = { csrf, reason, current_password: grace.password };
    const answer = await grace.visitor.send(`/people/${ada.id}/impersonate`, fields);
    const { status } = await desk.browser().get(desk.wayOf(answer));
    expect(status).toBe(303);
    expect(desk.audit(ada.id, "auth.impersonation-begun")).toMatchObject([{ reason, actor_user_id: grace.id }]);
  });
});

test("S-61 the way there tells nobody of itself, and its secret is kept as a hash", async () => {
  const [grace, ada] = [await staff.add("grace"), await people.register("ada")];
  const answer = await desk.ask(grace, ada.id);
  expect([answer.headers.get("referrer-policy"), answer.headers.get("cache-control")]).toEqual([
    "no-referrer",
    "no-store",
  ]);
  const way = desk.wayOf(answer);
  const secret = way.split("token=")[1] ?? "";
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify(rows.all("select * from auth_impersonations"))).not.toContain(secret);
  const opened = await desk.browser().get(way);
  expect(opened.headers.get("location")).toBe("/account");
  expect([opened.headers.get("referrer-policy"), opened.headers.get("cache-control")]).toEqual([
    "no-referrer",
    "no-store",
  ]);
  expect(`${target.logs()}${desk.admin.logs()}`).not.toContain(secret);
});

test("S-61 of thirty browsers that come by one way at once, one gets in", async () => {
  const [grace, ada] = [await staff.add("grace"), await people.register("ada")];
  const way = desk.wayOf(await desk.ask(grace, ada.id));
  const browsers = Array.from({ length: 30 }, () => desk.browser());
  const answers = await Promise.all(browsers.map((browser) => browser.get(way)));
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(29);
  for (const answer of answers.filter(({ status }) => status === 403)) {
    expect(titleOf(answer)).toBe("This way is over");
    expect(answer.setCookies).toEqual([]);
  }
  expect(rows.count("auth_sessions where impersonator_id = ?", grace.id)).toBe(1);
});

test("S-61 it is over after a minute, and what loads pages ahead or within others does not use it up", async () => {
  const [grace, ada] = [await staff.add("grace"), await people.register("ada")];
  const way = desk.wayOf(await desk.ask(grace, ada.id));
  const browser = desk.browser();
  for (const headers of [
    { "sec-purpose": "prefetch" },
    { "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate" },
    { "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors" },
    { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" },
  ] as const)
    expect((await browser.get(way, { headers })).status).toBe(403);
  expect((await browser.request("HEAD", way)).status).toBe(403);
  expect((await browser.get("/impersonate?token=")).status).toBe(403);
  const late = desk.wayOf(await desk.ask(grace, ada.id));
  rows.letPass(minute + 1_000);
  expect((await browser.get(late)).status).toBe(403);
  expect(browser.cookie("auth_access")).toBeUndefined();
  expect(rows.count("auth_sessions where impersonator_id = ?", grace.id)).toBe(0);
  const fresh = desk.wayOf(await desk.ask(grace, ada.id));
  expect((await browser.get(fresh, { headers: { "accept-language": "de" } })).status).toBe(303);
  expect(titleOf(await browser.get(fresh, { headers: { "accept-language": "de" } }))).toBe(
    "Dieser Link gilt nicht mehr",
  );
});

describe("S-62 nobody acts in the name", () => {
  test.each(["admin", "support", "auditor"])("of staff with the role %s, nor of themselves", async (role) => {
    const [grace, other] = [await staff.add("grace"), await people.register("ada")];
    rows.run("update users set roles = ? where id = ?", role, other.id);
    for (const id of [other.id, grace.id]) {
      const answer = await grace.visitor.send(`/people/${id}/impersonate`, {
        csrf: /name="csrf" value="([^"]*)"/.exec((await grace.visitor.get("/people")).text)?.[1] ?? "",
        reason,
      });
      expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
      expect((await grace.visitor.get(`/people/${id}`)).text).not.toMatch(/href="[^"]*\/impersonate"/);
    }
    expect(rows.count("auth_impersonations where staff_id = ?", grace.id)).toBe(0);
  });

  test("of a disabled account, or of one that is not there", async () => {
    const [grace, ada] = [await staff.add("grace"), await people.register("ada")];
    rows.run("update users set active = 0 where id = ?", ada.id);
    expect((await desk.ask(grace, ada.id)).status).toBe(403);
    expect((await grace.visitor.get(`/people/${Bun.randomUUIDv7()}/impersonate`)).status).toBe(404);
  });

  test.each([
    ["the person is disabled", "update users set active = 0 where id = $ada"],
    ["the person becomes one of the staff", "update users set roles = 'support' where id = $ada"],
    ["the member of staff is disabled", "update users set active = 0 where id = $grace"],
    ["the member of staff loses the role", "update users set roles = 'support' where id = $grace"],
    ["the member of staff signs out", "update auth_sessions set revoked_at = created_at where user_id = $grace"],
    ["the member of staff is deleted", "delete from users where id = $grace"],
    ["the person is deleted", "delete from users where id = $ada"],
  ])("where, on the way there, %s", async (_, sql) => {
    const [grace, ada] = [await staff.add("grace"), await people.register("ada")];
    const way = desk.wayOf(await desk.ask(grace, ada.id));
    const id = sql.includes("$ada") ? ada.id : grace.id;
    rows.run(sql.replace(/\$\w+/, "?"), id);
    expect((await desk.browser().get(way)).status).toBe(403);
    expect(rows.count("auth_sessions where app = 'impersonation' and user_id = ?", ada.id)).toBe(0);
  });
});

describe("S-63 such a session", () => {
  test("ends after fifteen minutes, whatever tokens say and whoever refreshes, and is not remembered", async () => {
    const { ada, browser } = await desk.pair();
    const { iat = 0, exp = 0 } = claimsOf(browser.cookie("auth_access") ?? "");
    expect(Number(exp) - Number(iat)).toBeLessThanOrEqual(15 * 60);
    const [session] = await listed(browser);
    expect(session?.get("remembered")).toBe(false);
    rows.letPass(14 * minute);
    expect(await refreshes(browser)).toBe(true);
    expect(await isServed(browser)).toBe(true);
    rows.letPass(minute + 1_000);
    expect([await isServed(browser), await refreshes(browser)]).toEqual([false, false]);
    expect(await isServed(ada.client)).toBe(true);
  });

  test("gives its browser two cookies that end with the browser, and none by which the account knows it again", async () => {
    const [grace, ada] = [await staff.add("grace"), await people.register("ada")];
    const browser = desk.browser();
    const opened = await browser.get(desk.wayOf(await desk.ask(grace, ada.id)));
    expect(cookieNames(opened)).toEqual(["auth_access", "auth_refresh"]);
    const [refresh] = opened.setCookies.filter(({ name }) => name === "auth_refresh");
    expect([refresh?.attributes.has("max-age"), refresh?.attributes.has("httponly")]).toEqual([false, true]);
  });

  test("S-69 takes the place of the session that the browser had, which ends", async () => {
    const [grace, ada, own] = [await staff.add("grace"), await people.register("ada"), await people.register("own")];
    const before = own.client.copy();
    await desk.open(grace, ada.id, own.client);
    expect(await isServed(before)).toBe(false);
    expect((await own.client.get(auth("me"))).at("user.id")).toBe(ada.id);
    expect((await own.client.post(auth("logout"))).status).toBe(200);
    expect(await isServed(own.client)).toBe(false);
  });
});

describe("S-65 who acts is said", () => {
  test("in the token, at verify and by introspection, and a proxy can demand the person", async () => {
    const { grace, ada, browser } = await desk.pair();
    const token = browser.cookie("auth_access") ?? "";
    expect(claimsOf(token)).toMatchObject({ sub: ada.id, amr: ["impersonation"], act: { sub: grace.id } });
    const told = await browser.get(auth("verify"));
    expect([told.status, told.headers.get("x-auth-user-id"), told.headers.get("x-auth-impersonator")]).toEqual([
      204,
      ada.id,
      grace.id,
    ]);
    const [forbidden, own] = [
      await browser.get(auth("verify?impersonator=none")),
      await ada.client.get(auth("verify?impersonator=none")),
    ];
    expectRefusal(forbidden, 403, "staff can't do this in somebody's name", "impersonated");
    expect([own.status, own.headers.get("x-auth-impersonator")]).toEqual([204, ""]);
    expect((await browser.get(auth("verify?impersonator=all"))).status).toBe(400);
    expect((await browser.get(auth("verify?max_age=600"))).at("code")).toBe("impersonated");
    expect([told.headers.get("x-auth-acr"), told.headers.get("x-auth-time")]).toEqual(["", ""]);
    expect(claimsOf(token)).not.toContainAnyKeys(["acr", "auth_time"]);
    const authorization = `Bearer ${await services.create("shop")}`;
    const seen = await browser.post(auth("introspect"), { token }, { headers: { authorization }, cookies: false });
    expect(seen.json).toMatchObject({ active: true, sub: ada.id, amr: ["impersonation"], act: { sub: grace.id } });
    expect(seen.json).not.toContainAnyKeys(["acr", "auth_time"]);
  });

  test("after a refresh, and where the access cookie alone was renewed", async () => {
    const { grace, browser } = await desk.pair();
    expect((await browser.post(auth("refresh"))).status).toBe(200);
    expect(claimsOf(browser.cookie("auth_access") ?? "")).toMatchObject({ act: { sub: grace.id } });
    browser.deleteCookie("auth_access");
    expect((await browser.get(auth("me"))).status).toBe(200);
    expect(claimsOf(browser.cookie("auth_access") ?? "")).toMatchObject({ act: { sub: grace.id } });
  });

  test("to the session itself, with the page of staff that the end leads back to", async () => {
    const { grace, ada, browser } = await desk.pair();
    expect((await browser.get(auth("me"))).at("impersonator")).toEqual({
      id: grace.id,
      name: "grace",
      return_to: `${staffUrl}/people/${ada.id}`,
    });
    expect((await ada.client.get(auth("me"))).at("impersonator")).toBeNull();
    const ended = await browser.request("POST", "/impersonate", undefined, {
      headers: { origin: target.url, "content-type": "application/x-www-form-urlencoded" },
      body: "",
    });
    expect([ended.status, ended.headers.get("location")]).toEqual([303, `${staffUrl}/people/${ada.id}`]);
    expect(await isServed(browser)).toBe(false);
    const foreign = await browser.request("POST", "/impersonate", undefined, {
      headers: { origin: "https://evil.example.test", "content-type": "application/x-www-form-urlencoded" },
      body: "",
    });
    expect([foreign.status, foreign.at("code")]).toEqual([403, "cross_site_request"]);
  });
});

test("S-66 nothing of the person's own traces changes, and no session of theirs makes room", async () => {
  const [grace, ada] = [await staff.add("grace"), await people.register("ada")];
  await ada.login();
  rows.letPass(5 * minute);
  const before = userRow(ada.id);
  const browser = await desk.open(grace, ada.id);
  rows.letPass(2 * minute);
  expect(await isServed(browser)).toBe(true);
  expect(userRow(ada.id)).toBe(before);
  expect(rows.count("auth_sessions where user_id = ? and app = 'app' and revoked_at is null", ada.id)).toBe(2);
  expect(await isServed(ada.client)).toBe(true);
});

test("S-66 the person sees it among their devices as what it is, nothing of staff's device, and ends it at once", async () => {
  const { grace, ada, browser } = await desk.pair();
  const found = (await listed(ada.client)).filter((session) => session.get("impersonator") !== null);
  expect(found.map((session) => Object.fromEntries(session))).toMatchObject([
    {
      device_label: "Support",
      user_agent: "",
      ip_address: "",
      current: false,
      impersonator: { id: grace.id, name: "grace" },
    },
  ]);
  const id = String(found[0]?.get("id"));
  expect((await ada.client.post(auth(`sessions/${id}/revoke`))).status).toBe(200);
  expect([await isServed(browser), await refreshes(browser)]).toEqual([false, false]);
  expect(desk.audit(ada.id, "auth.impersonation-ended")).toMatchObject([{ reason: "revoked", session_id: id }]);
});

test("S-67 the person's own export has both ends, with the reason", async () => {
  const { grace, ada, browser } = await desk.pair();
  await browser.post(auth("logout"));
  const exported = (await ada.client.get(auth("account/export"))).text;
  for (const part of ["auth.impersonation-begun", "auth.impersonation-ended", reason, grace.id, '"impersonation"'])
    expect(exported).toContain(part);
});
