import { describe, expect, test } from "bun:test";
import { auth, claimsOf, isServed, minute } from "../../support/auth.ts";
import { hiddenFields, textOf, titleOf } from "../../support/staff.ts";
import { idpEnvironment, idpKit, issuer } from "../idp/idp.fixture.ts";
import { openDesk, staffUrl } from "./desk.fixture.ts";

const desk = await openDesk({ env: { ...idpEnvironment, AUTH_ACCESS_TOKEN_TTL: "1h" }, appUrl: issuer });
const { target, rows } = desk;
const kit = idpKit(target);
const shop = await kit.register("Shop");
const stranger = await kit.register("Elsewhere", "--third-party");
const device = await kit.register("Telly", "--type", "native", "--redirect-uri", "http://127.0.0.1/callback");

describe("S-70 staff in somebody's name, and programs that sign people in here", () => {
  test("an app of the operator's own gets tokens that say who acts, and none that outlive them", async () => {
    const { grace, ada, browser } = await desk.pair();
    const code = kit.told(await kit.authorize(browser, shop)).get("code");
    const answer = await kit.swap(shop, code);
    expect(answer.status).toBe(200);
    expect(answer.at("scope")).toBe("openid profile email");
    expect(Number(answer.at("expires_in"))).toBeLessThanOrEqual(15 * 60);
    for (const token of ["access_token", "id_token"])
      expect(claimsOf(answer.textAt(token))).toMatchObject({
        sub: ada.id,
        amr: ["impersonation"],
        act: { sub: grace.id },
      });
    const authorization = kit.basic(shop);
    const seen = await kit.call("/oauth2/introspect", { token: answer.textAt("access_token") }, { authorization });
    expect(seen.json).toMatchObject({ active: true, sub: ada.id, act: { sub: grace.id } });
    const refresh_token = answer.textAt("refresh_token");
    const refreshed = await kit.tokens(shop, { grant_type: "refresh_token", refresh_token });
    expect(claimsOf(refreshed.textAt("access_token"))).toMatchObject({ act: { sub: grace.id } });
    const verify = { headers: { authorization: `Bearer ${refreshed.textAt("access_token")}` }, cookies: false };
    expect((await browser.get(auth("verify"), verify)).headers.get("x-auth-impersonator")).toBe(grace.id);
    expect((await browser.get(auth("verify?impersonator=none"), verify)).status).toBe(403);
    await browser.post(auth("logout"));
    const next = { grant_type: "refresh_token", refresh_token: refreshed.textAt("refresh_token") };
    expect((await kit.tokens(shop, next)).at("error")).toBe("invalid_grant");
    const after = await kit.call("/oauth2/introspect", { token: refreshed.textAt("access_token") }, { authorization });
    expect(after.json).toEqual({ active: false });
  });

  test("the end of staff's own session ends those, too", async () => {
    const { grace, ada, browser } = await desk.pair();
    const answer = await kit.swap(shop, kit.told(await kit.authorize(browser, shop)).get("code"));
    rows.run("update auth_sessions set revoked_at = created_at where user_id = ? and app = 'admin'", grace.id);
    const next = { grant_type: "refresh_token", refresh_token: answer.textAt("refresh_token") };
    expect((await kit.tokens(shop, next)).at("error")).toBe("invalid_grant");
    expect(rows.count("auth_sessions where user_id = ? and client_id is not null and revoked_at is null", ada.id)).toBe(
      0,
    );
  });

  test("none of it is there once the time is over", async () => {
    const { browser } = await desk.pair();
    const answer = await kit.swap(shop, kit.told(await kit.authorize(browser, shop)).get("code"));
    rows.letPass(15 * minute + 1_000);
    const next = { grant_type: "refresh_token", refresh_token: answer.textAt("refresh_token") };
    expect((await kit.tokens(shop, next)).at("error")).toBe("invalid_grant");
  });

  test("nobody allows an app in the person's name: a page says so, and leads back without a yes", async () => {
    const { ada, browser } = await desk.pair();
    const page = await kit.authorize(browser, stranger);
    expect([page.status, titleOf(page)]).toEqual([403, "Elsewhere has not been let in yet"]);
    expect(textOf(page)).toContain(`grace is looking at the account of ${ada.username}`);
    const fields = hiddenFields(page.text, "/oauth2/consent");
    const send = (decision: string) =>
      browser.request("POST", "/oauth2/consent", undefined, {
        headers: { origin: issuer, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ ...fields, decision }).toString(),
      });
    expect((await send("allow")).status).toBe(403);
    expect(rows.count("idp_consents where user_id = ?", ada.id)).toBe(0);
    expect(kit.told(await send("deny")).get("error")).toBe("access_denied");
    const silent = kit.told(await kit.authorize(browser, stranger, { prompt: "none" }));
    expect(silent.get("error")).toBe("consent_required");
  });

  test("what the person has allowed before is looked at with their eyes, and no more of it", async () => {
    const [grace, ada] = [await desk.staff.add("grace"), await desk.people.register("ada")];
    const asked = { scope: "openid profile" };
    const page = await kit.authorize(ada.client, stranger, asked);
    const allowed = await ada.client.request("POST", "/oauth2/consent", undefined, {
      headers: { origin: issuer, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...hiddenFields(page.text, "/oauth2/consent"), decision: "allow" }).toString(),
    });
    kit.told(allowed);
    const browser = await desk.open(grace, ada.id);
    expect(kit.told(await kit.authorize(browser, stranger, asked)).get("code")).toBeString();
    expect((await kit.authorize(browser, stranger)).status).toBe(403);
    expect((await browser.post(auth("apps/revoke"), { client_id: stranger.client_id })).at("code")).toBe(
      "impersonated",
    );
  });

  test("a proof or a second step of the person is never there", async () => {
    const { browser } = await desk.pair();
    expect(kit.told(await kit.authorize(browser, shop, { prompt: "login" })).get("error")).toBe("login_required");
    expect(kit.told(await kit.authorize(browser, shop, { max_age: "600" })).get("error")).toBe("login_required");
    const essential = JSON.stringify({ id_token: { acr: { essential: true, values: ["aal2"] } } });
    const level = kit.told(await kit.authorize(browser, shop, { claims: essential }));
    expect(level.get("error")).toBe("unmet_authentication_requirements");
  });

  test("no device is let in", async () => {
    const { ada, browser } = await desk.pair();
    const begun = await kit.call("/oauth2/device_authorization", { client_id: device.client_id, scope: "openid" });
    const user_code = begun.textAt("user_code");
    const page = await browser.get(`/device?user_code=${user_code}`);
    expect([page.status, titleOf(page)]).toEqual([403, "Only the person lets a device in"]);
    expect(textOf(page)).toContain(`grace is looking at the account of ${ada.username}`);
    for (const path of ["/device", "/oauth2/device"]) {
      const answer = await browser.request("POST", path, undefined, {
        headers: { origin: issuer, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ user_code, decision: "allow" }).toString(),
      });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect(rows.count("idp_devices where user_id = ?", ada.id)).toBe(0);
  });

  test("S-72 the bar of these pages ends it without a script, and may lead to staff's page alone", async () => {
    const { ada, browser } = await desk.pair();
    const page = await kit.authorize(browser, stranger);
    expect(page.text).toContain('<form method="post" action="/impersonate">');
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain(`form-action 'self' https: ${staffUrl}`);
    const ended = await browser.request("POST", "/impersonate", undefined, {
      headers: { origin: issuer, "content-type": "application/x-www-form-urlencoded" },
      body: "",
    });
    expect(ended.headers.get("location")).toBe(`${staffUrl}/people/${ada.id}`);
    expect(await isServed(browser)).toBe(false);
    const own = await kit.authorize(ada.client, stranger);
    expect(own.text).not.toContain("/impersonate");
  });
});
