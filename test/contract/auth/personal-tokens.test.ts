import { describe, expect, test } from "bun:test";
import { auth, expectRefusal, nextMail, type Person } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { bearer } from "../../support/native.ts";
import { noteSecret } from "../../support/seen.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { serviceKit } from "../backend/service.fixture.ts";
import { providerOn } from "../idp/idp.fixture.ts";

const { target, rows, people, mailbox, browser } = await stage({
  env: {
    ...providerOn,
    API_DOCS_ENABLED: "true",
    ORGANIZATIONS_ENABLED: "true",
    AUTH_PERSONAL_TOKENS_ENABLED: "true",
    AUTH_TOKEN_CLAIMS: "roles,app_metadata.plan",
  },
});
const audit = readAudit(rows);
const kit = serviceKit(target);
const asker = await kit.create("asker", "introspect");
const keeper = await kit.backend("keeper", "users:read,users:write");
const day = 86_400;

async function make({ client }: Person, fields: object = { name: "backup script" }): Promise<Answer> {
  const answer = await client.post(auth("tokens"), fields);
  noteSecret(target.url, answer.at("token"));
  return answer;
}
async function tokenOf(person: Person): Promise<{ token: string; id: string }> {
  const answer = await make(person);
  return { token: answer.textAt("token"), id: answer.textAt("personal_token.id") };
}
const verified = (token: string, query = ""): Promise<Answer> =>
  createClient(target.url).get(`${auth("verify")}${query}`, bearer({ access: token }));
const isGood = async (token: string): Promise<boolean> => (await verified(token)).status === 204;

describe("a personal token", () => {
  test("H-70 is shown once, is good where others ask who is calling, and is stored as a hash alone", async () => {
    const ada = await people.register("ada");
    rows.run("update users set roles = 'editor' where id = ?", ada.id);
    await keeper.patch(ada.id, { app_metadata: { plan: "pro" } });
    const made = await make(ada, { name: "  backup script ", expires_in: 30 * day });
    const token = made.textAt("token");
    expect(token).toMatch(/^ghp_[\w-]{43}[0-9A-Za-z]{6}$/);
    expect(made.at("personal_token")).toMatchObject({ name: "backup script", last_used_at: null });
    const [created, expires] = [made.textAt("personal_token.created_at"), made.textAt("personal_token.expires_at")];
    expect(Date.parse(expires) - Date.parse(created)).toBe(30 * day * 1_000);
    const answer = await verified(token, "?role=editor");
    expect(answer.status).toBe(204);
    expect(Object.fromEntries([...answer.headers].filter(([name]) => name.startsWith("x-auth")))).toEqual({
      "x-auth-user-id": ada.id,
      "x-auth-username": ada.username,
      "x-auth-email": ada.email,
      "x-auth-email-verified": "false",
      "x-auth-roles": "editor",
      "x-auth-session-id": "",
      "x-auth-acr": "",
      "x-auth-time": "",
      "x-auth-org-id": "",
      "x-auth-org-slug": "",
      "x-auth-org-roles": "",
      "x-auth-claims": Buffer.from('{"roles":["editor"],"app_metadata":{"plan":"pro"}}').toString("base64url"),
    });
    const introspected = await kit.introspect(asker, token);
    expect(introspected.json).toMatchObject({
      active: true,
      sub: ada.id,
      amr: ["pat"],
      jti: made.at("personal_token.id"),
      exp: Math.floor(Date.parse(expires) / 1_000),
      roles: ["editor"],
      app_metadata: { plan: "pro" },
    });
    expect(introspected.at("sid")).toBeUndefined();
    const listed = await ada.client.get(auth("tokens"));
    expect(listed.at("tokens")).toMatchObject([{ name: "backup script", last_used_at: expect.any(String) }]);
    expect(listed.text).not.toContain(token);
    expect(rows.everything()).not.toContain(token);
    expect((await ada.client.get(auth("account/export"))).at("personal_tokens")).toMatchObject([
      { name: "backup script" },
    ]);
  });

  test("H-71 opens no route of accounts, by any method", async () => {
    const ada = await people.register("ada");
    const { token } = await tokenOf(ada);
    const document = await createClient(target.url).get("/openapi/json");
    const paths = Object.entries(Object(document.at("paths"))).flatMap(([path, methods]) =>
      Object.keys(Object(methods)).map((method) => ({
        path: path.replaceAll(/\{[^}]+\}/g, ada.id),
        method: method.toUpperCase(),
      })),
    );
    const mine = paths.filter(
      ({ path }) =>
        !/verify$|introspect$|\/(login|register|password-reset|email-|invitation|oauth|passkeys\/login|providers)/.test(
          path,
        ),
    );
    expect(mine.length).toBeGreaterThan(30);
    const opened: string[] = [];
    for (const { path, method } of mine) {
      if (!path.startsWith("/api/")) continue;
      const answer = await createClient(target.url).request(
        method,
        path,
        method === "GET" ? undefined : {},
        bearer({ access: token }),
      );
      // Signing out of nothing is always answered alike.
      if (answer.status !== 401 && !path.endsWith("/logout")) opened.push(`${method} ${path}: ${answer.status}`);
    }
    expect(opened).toEqual([]);
    expect((await ada.client.get(auth("me"))).status).toBe(200);
    expect(await isGood(token)).toBe(true);
  });

  test("H-72 takes a fresh proof to make, and proves nobody who is there now", async () => {
    const ada = await people.register("ada");
    const { token } = await tokenOf(ada);
    rows.run("update auth_sessions set proved_at = proved_at - 3600000 where user_id = ?", ada.id);
    expectRefusal(await make(ada), 403, "reauthentication required", "reauthentication_required");
    expect((await verified(token, "?max_age=31536000")).status).toBe(401);
    expect((await verified(token, "?verified=true")).status).toBe(403);
    expect((await verified(token, "?role=admin")).status).toBe(403);
  });

  test("H-73 ends at once when it is revoked, when it expires, with the account, and by all that ends others' hold on it", async () => {
    const ada = await people.register("ada");
    const revoked = await tokenOf(ada);
    expect((await ada.client.post(`${auth("tokens")}/${revoked.id}/revoke`)).status).toBe(200);
    expect([await isGood(revoked.token), (await kit.introspect(asker, revoked.token)).at("active")]).toEqual([
      false,
      false,
    ]);
    expectRefusal(
      await ada.client.post(`${auth("tokens")}/${revoked.id}/revoke`),
      404,
      "personal token not found",
      "personal_token_not_found",
    );
    const expired = await tokenOf(ada);
    rows.run("update auth_personal_tokens set expires_at = ? where id = ?", Date.now() - 1, expired.id);
    expect(await isGood(expired.token)).toBe(false);
    const disabled = await tokenOf(ada);
    // Whatever it was that has switched the account off, the token asks the account itself.
    rows.run("update users set active = 0 where id = ?", ada.id);
    expect(await isGood(disabled.token)).toBe(false);
    rows.run("update users set active = 1 where id = ?", ada.id);
    expect(await isGood(disabled.token)).toBe(true);
    await keeper.post(`/${ada.id}/disable`);
    expect(await isGood(disabled.token)).toBe(false);
    await keeper.post(`/${ada.id}/enable`);
    expect(await isGood(disabled.token)).toBe(false);
    // Where no session is left, a thief may still have a token.
    const signedOut = await people.register("sam");
    const left = await tokenOf(signedOut);
    await signedOut.client.post(auth("logout"));
    expect((await keeper.post(`/${signedOut.id}/revoke-sessions`)).at("sessions_ended")).toBe(0);
    expect(await isGood(left.token)).toBe(false);
    const grace = await people.register("grace");
    const { token } = await tokenOf(grace);
    await keeper.post(`/${grace.id}/delete`);
    expect([await isGood(token), rows.count("auth_personal_tokens where user_id = ?", grace.id)]).toEqual([false, 0]);
    expect((await audit.about(ada.id, 1, "auth.personal-token-revoked")).length).toBe(1);
  });

  test("H-74 is told by mail, and written down", async () => {
    const ada = await people.register("ada");
    rows.prove(ada);
    const subject = "A personal token was made for your account";
    await make(ada, { name: "deploy robot" });
    expect((await nextMail(mailbox, ada.email, subject)).text).toContain("“deploy robot”");
    // A name that could be taken for a link is none in a mail.
    await make(ada, { name: "your prize waits at prize.example" });
    expect((await nextMail(mailbox, ada.email, subject)).text).not.toContain("prize");
    expect((await audit.about(ada.id, 2, "auth.personal-token-created")).length).toBe(2);
  });

  test("H-75 of somebody else, or one that is none, is refused like any other, and no look-up is made for a slip", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const { token, id } = await tokenOf(ada);
    expect((await grace.client.post(`${auth("tokens")}/${id}/revoke`)).status).toBe(404);
    const last = token.at(-1) === "A" ? "B" : "A";
    for (const wrong of [
      `${token.slice(0, -1)}${last}`,
      token.slice(0, -1),
      `${token}A`,
      "ghp_",
      `ghp_${"x".repeat(49)}`,
      token.toUpperCase(),
    ])
      expect((await verified(wrong)).status).toBe(401);
    expect(await isGood(token)).toBe(true);
  });

  test("refuses names and lifetimes that are none, and the 51st", async () => {
    const ada = await people.register("ada");
    for (const [fields, field] of [
      [{}, "name"],
      [{ name: "" }, "name"],
      [{ name: "x".repeat(65) }, "name"],
      [{ name: "a", expires_in: 59 }, "expires_in"],
      [{ name: "a", expires_in: 365 * day + 1 }, "expires_in"],
      [{ name: "a", expires_in: 1.5 }, "expires_in"],
      [{ name: "a", expires_in: "90" }, "expires_in"],
    ] as const) {
      const answer = await ada.client.post(auth("tokens"), fields);
      expect([answer.status, Object.keys(Object(answer.at("fields")))]).toEqual([400, [field]]);
    }
    rows.run(
      `insert into auth_personal_tokens (id, user_id, name, secret_hash, created_at, expires_at)
       with recursive n (i) as (select 1 union all select i + 1 from n where i < 49)
       select ? || i, ?, 'x', ? || i, 1, 99999999999999 from n`,
      ada.id,
      ada.id,
      ada.id,
    );
    const racing = await Promise.all(Array.from({ length: 6 }, () => make(ada)));
    expect(racing.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(rows.count("auth_personal_tokens where user_id = ?", ada.id)).toBe(50);
  });
});

test("H-76 without the setting nobody makes one, and one that was made is good for nothing", async () => {
  const ada = await people.register("ada");
  const { token } = await tokenOf(ada);
  const off = await startTarget({ shared: true, migrate: false, env: { DB_DATABASE: target.databasePath } });
  try {
    expect((await createClient(off.url).get(auth("verify"), bearer({ access: token }))).status).toBe(401);
    expect((await createClient(off.url).post(auth("tokens"), { name: "x" })).status).toBe(404);
  } finally {
    await off.stop();
  }
  expect(await isGood(token)).toBe(true);
  expect(browser).toBeFunction();
});
