import { expect, test } from "bun:test";
import { createClient } from "../../support/client.ts";
import { hostileNexts, leaves } from "../../support/oauth/hostile.next.ts";
import { stage } from "../../support/stage.ts";
import { becomeStaff, createPageVisitor, createStaff, hiddenFields, textOf, titleOf } from "../../support/staff.ts";

const { target, rows } = await stage({ app: "admin" });

const staff = createStaff(target.url, rows);

test("S-01 nobody sees a page for staff without a sign-in, which leads back to that page", async () => {
  const visitor = createPageVisitor(target.url);
  const answer = await visitor.get("/?a=b");
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/login?next=%2F%3Fa%3Db"]);
  const { email, password } = await staff.add("ada");
  const signedIn = await visitor.submit(answer.headers.get("location") ?? "", { login: email, password });
  expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, "/?a=b"]);
  expect((await visitor.get("/?a=b")).status).toBe(200);
  expect((await visitor.get("/login?next=/")).headers.get("location")).toBe("/");
});

test("S-01 without the role a signed-in user gets a page that says so, with 403 and a way to sign out", async () => {
  const { visitor, email } = await staff.register("grace");
  const answer = await visitor.get("/");
  expect([answer.status, titleOf(answer)]).toEqual([403, "For staff only"]);
  expect(textOf(answer)).toContain(email);
  expect(answer.text).not.toContain('aria-current="page"');
  expect((await visitor.submit("/", {}, "/logout")).headers.get("location")).toBe("/login?notice=signed-out");
});

test("S-02 whoever loses the role, the account or the session is out with the next request", async () => {
  const { visitor, email } = await staff.add("ada");
  const statusAfter = async (sql: string): Promise<number> => {
    expect((await visitor.get("/")).status).toBe(200);
    expect(rows.run(sql, email)).toBe(1);
    return (await visitor.get("/")).status;
  };
  expect(await statusAfter("update users set roles = 'administrator' where email_key = ?")).toBe(403);
  becomeStaff(rows, email);
  expect(await statusAfter("update users set active = 0 where email_key = ?")).toBe(303);
  rows.run("update users set active = 1 where email_key = ?", email);
  const ofThem = "user_id = (select id from users where email_key = ?)";
  expect(await statusAfter(`update auth_sessions set revoked_at = created_at where ${ofThem}`)).toBe(303);
});

test("S-03 no form does anything without the token that its page gave to this browser", async () => {
  const { visitor, email, password } = await staff.add("ada");
  const stranger = createPageVisitor(target.url);
  const page = await stranger.get("/login");
  const token = hiddenFields(page.text, "/login")["csrf"] ?? "";
  const sessions = rows.count("auth_sessions");
  const browsers = {
    "no token": { visitor: stranger, fields: {} },
    "an empty token": { visitor: stranger, fields: { csrf: "" } },
    "the token of another browser": { visitor: createPageVisitor(target.url), fields: { csrf: token } },
    "the token of a session": {
      visitor: stranger,
      fields: { csrf: hiddenFields((await visitor.get("/")).text, "/logout")["csrf"] ?? "" },
    },
  };
  for (const [what, { visitor: browser, fields }] of Object.entries(browsers)) {
    const answer = await browser.send("/login", { login: email, password, ...fields });
    expect({ what, status: answer.status, title: titleOf(answer) }).toEqual({ what, status: 403, title: "Sign in" });
    expect(answer.text).toContain(`value="${email}"`);
    expect(answer.text).not.toContain(password);
  }
  expect(rows.count("auth_sessions")).toBe(sessions);
  // The page that comes back has a valid token.
  expect((await stranger.send("/login", { login: email, password, csrf: token })).status).toBe(303);
});

test("S-03 nobody is signed out by a link, nor by a form of another page", async () => {
  const { visitor } = await staff.add("ada");
  const asked = await visitor.get("/logout");
  expect([asked.status, titleOf(asked)]).toEqual([200, "Sign out"]);
  expect((await visitor.send("/logout", {})).status).toBe(403);
  expect((await visitor.get("/")).status).toBe(200);
  expect((await visitor.submit("/logout", {})).status).toBe(303);
  expect((await visitor.get("/")).status).toBe(303);
  expect((await visitor.send("/logout", {})).status).toBe(303);
});

test("S-04 a sign-in leads nowhere but to a path of this app", async () => {
  const { email, password } = await staff.add("ada");
  const led: string[] = [];
  // Some values of each kind are enough: another test tries the deciding function with all of them.
  for (const next of hostileNexts().filter((_, index) => index % 40 === 0)) {
    const answer = await createPageVisitor(target.url).get(`/login?next=${encodeURIComponent(next)}`);
    const kept = hiddenFields(answer.text, "/login")["next"] ?? "";
    if (leaves(kept, new URL(target.url).origin)) led.push(next);
  }
  expect(led).toEqual([]);
  const visitor = createPageVisitor(target.url);
  const { csrf = "" } = hiddenFields((await visitor.get("/login")).text, "/login");
  const answer = await visitor.send("/login", { login: email, password, csrf, next: "//evil.example" });
  expect(answer.headers.get("location")).toBe("/");
});

test("S-05 the pages mount neither the JSON routes nor a sign-in with a provider", async () => {
  const { visitor, email, password } = await staff.add("ada");
  for (const [method, path] of [
    ["POST", "/api/v1/auth/login"],
    ["GET", "/api/v1/auth/me"],
    ["POST", "/api/v1/auth/refresh"],
    ["GET", "/api/v1/auth/oauth/github/start"],
  ] as const)
    expect((await visitor.client.request(method, path)).status).toBe(404);
  const json = await createClient(target.url).post("/login", { login: email, password });
  expect([json.status, json.headers.get("content-type")]).toEqual([415, "text/html; charset=utf-8"]);
});
