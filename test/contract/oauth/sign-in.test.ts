import { describe, expect, test } from "bun:test";
import { auth, claimsOf, cookieNames, isServed, secretsOf } from "../../support/auth.ts";
import { giveAuthenticator, verify } from "../../support/factor.ts";
import { signInWith } from "../../support/oauth/journey.ts";
import { stageWorld } from "../../support/oauth/world.ts";
import { providerNames } from "../../support/oauth/provider.ts";

const world = await stageWorld();

describe.each(providerNames)("%s", (name) => {
  test("signs a newcomer in, and again as the same user", async () => {
    const ada = world.newcomer("ada", { name: "Ada Lovelace" });
    const browser = world.browser();
    const answer = await signInWith(browser, world[name], ada.account, { next: "/account?tab=sessions#top" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/account?tab=sessions#top");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(cookieNames(answer)).toEqual(["auth_access", "auth_device", "auth_refresh"]);
    for (const { attributes } of answer.setCookies) {
      expect(attributes.has("httponly")).toBe(true);
      expect(attributes.has("secure")).toBe(true);
      expect(attributes.get("samesite")).toBe("Lax");
      expect(attributes.get("path")).toBe("/");
      expect(attributes.has("domain")).toBe(false);
    }
    const me = await browser.get(auth("me"));
    expect(me.at("user")).toMatchObject({
      email: ada.email,
      username: ada.account,
      display_name: "Ada Lovelace",
      active: true,
      has_password: false,
    });
    expect(me.at("user.email_verified_at")).toBeString();
    expect(me.at("user.last_login_at")).toBeString();

    const other = world.browser();
    const again = await signInWith(other, world[name], ada.account);
    expect(again.headers.get("location")).toBe("/");
    expect((await other.get(auth("me"))).at("user.id")).toBe(me.at("user.id"));
    expect(secretsOf(other).refresh).not.toBe(secretsOf(browser).refresh);
    expect(await isServed(browser)).toBe(true);
    expect(world.rows.count("auth_identities where user_id = ?", me.textAt("user.id"))).toBe(1);
  });

  test("refused there is refused here, and leaves nobody behind", async () => {
    const before = world.rows.count("users");
    const browser = world.browser();
    const answer = await signInWith(browser, world[name], "nobody");
    expect(answer.status).toBe(403);
    expect(answer.at("code")).toBe("oauth_denied");
    expect(answer.setCookies).toEqual([]);
    expect(world.rows.count("users")).toBe(before);
  });

  test("L-12 a session that was set before is not the one that is got", async () => {
    const [ada, grace] = [world.newcomer("ada"), world.newcomer("grace")];
    const browser = world.browser();
    await signInWith(browser, world[name], ada.account);
    const before = secretsOf(browser);
    await signInWith(browser, world[name], grace.account);
    expect(secretsOf(browser).refresh.split(".")[0]).not.toBe(before.refresh.split(".")[0]);
    expect((await browser.get(auth("me"))).at("user.email")).toBe(grace.email);
  });
});

test("M-13 a provider's word ends at the same challenge, and is worth nothing any more once the identity is unlinked", async () => {
  const ada = world.newcomer("ada");
  const registered = world.browser();
  await signInWith(registered, world.google, ada.account);
  const id = (await registered.get(auth("me"))).textAt("user.id");
  const app = giveAuthenticator(world.rows, { id });
  const come = async () => {
    const browser = world.browser();
    const answer = await signInWith(browser, world.google, ada.account, { next: "/account?tab=sessions" });
    const location = new URL(answer.headers.get("location") ?? "", "http://localhost");
    expect([answer.status, location.pathname, location.searchParams.get("next")]).toEqual([
      303,
      "/login",
      "/account?tab=sessions",
    ]);
    expect(cookieNames(answer)).toEqual(["auth_challenge"]);
    return { browser, challenge: location.searchParams.get("challenge") ?? "" };
  };
  const challenged = await come();
  expect(await isServed(challenged.browser)).toBe(false);
  expect((await verify(challenged, app.code())).status).toBe(200);
  expect(claimsOf(secretsOf(challenged.browser).access)["amr"]).toEqual(["fed", "otp", "mfa"]);
  const how = "audit_events where action = 'auth.logged-in' and reason = 'google' and subject_user_id = ?";
  expect(world.rows.count(how, id)).toBe(1);
  const late = await come();
  world.rows.run("delete from auth_identities where user_id = ?", id);
  expect((await verify(late, app.code())).at("code")).toBe("invalid_challenge");
});

test("F-15 the provider's tokens are not kept", async () => {
  const ada = world.newcomer("ada");
  for (const name of providerNames) {
    await signInWith(world.browser(), world[name], ada.account);
  }
  const given = world.providers.flatMap(({ secrets }) => secrets);
  expect(given.length).toBeGreaterThan(4);
  const kept = world.rows.everything();
  expect(kept.length).toBeGreaterThan(1000);
  expect(given.filter((secret) => kept.includes(secret))).toEqual([]);
});

test("a page is sent to the sign-in page with the reason, everybody else gets JSON", async () => {
  const page = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
  const answer = await world.browser().get(`${auth("oauth/google/callback")}?state=made-up&code=x`, page);
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toBe("/login?oauth_error=invalid_oauth_state");
  expect(answer.text).toBe("");
  const json = await world.browser().get(`${auth("oauth/google/callback")}?state=made-up&code=x`);
  expect([json.status, json.at("code")]).toEqual([401, "invalid_oauth_state"]);
  const elsewhere = await world.browser().get(auth("oauth/facebook/start"), page);
  expect(elsewhere.headers.get("location")).toBe("/login?oauth_error=not_found");
});
