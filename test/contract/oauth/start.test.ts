import { afterEach, describe, expect, test } from "bun:test";
import { auth, calm, createPeople } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { begin, envOf, routeOf, startOf } from "../../support/oauth/journey.ts";
import { callbackOf, publicUrl, providerNames } from "../../support/oauth/provider.ts";
import { stageWorld } from "../../support/oauth/world.ts";
import { startTarget, type Target } from "../../support/target.ts";

const names = providerNames;

let other: Target | undefined;
const world = await stageWorld();
afterEach(async () => {
  await other?.stop();
  other = undefined;
});

const bits = (text: string | null): number => Buffer.from(text ?? "", "base64url").length * 8;
const states = (): number => world.rows.count("oauth_states");

describe.each(names)("%s", (name) => {
  test("F-01 is asked with an S256 challenge, a state and a nonce, each fresh and of 256 bits", async () => {
    const browser = world.browser();
    const seen = new Set<string>();
    for (let time = 0; time < 20; time += 1) {
      const url = await begin(browser, world[name]);
      expect(url.searchParams.get("code_challenge_method")).toBe("S256");
      for (const parameter of ["code_challenge", "state", "nonce"]) {
        const value = url.searchParams.get(parameter);
        expect(bits(value)).toBe(256);
        seen.add(value ?? "");
      }
    }
    expect(seen.size).toBe(60);
  });

  test("F-01 neither the verifier nor anything that gives it away leaves the server", async () => {
    world.rows.run("delete from oauth_states");
    const answer = await world.browser().get(startOf(name));
    const verifier = String(world.rows.get("select code_verifier from oauth_states")["code_verifier"]);
    expect(bits(verifier)).toBe(256);
    expect(JSON.stringify([...answer.headers]) + answer.text).not.toContain(verifier);
    const challenge = new Bun.CryptoHasher("sha256").update(verifier).digest("base64url");
    expect(new URL(answer.headers.get("location") ?? "").searchParams.get("code_challenge")).toBe(challenge);
  });

  test("F-12 the address to come back to is the configured one, whatever the request names", async () => {
    const hosts: Record<string, string>[] = [
      {},
      { host: "evil.example" },
      { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" },
      { forwarded: "host=evil.example;proto=http", "x-original-host": "evil.example" },
    ];
    for (const headers of hosts) {
      const answer = await world.browser().get(`${startOf(name)}?redirect_uri=https://evil.example/`, { headers });
      const url = new URL(answer.headers.get("location") ?? "");
      expect(url.origin).toBe(world[name].url);
      expect(url.searchParams.getAll("redirect_uri")).toEqual([callbackOf(name)]);
      expect(url.href).not.toContain("evil");
    }
  });

  test("F-15 the scopes are the documented few", async () => {
    const scope = (await begin(world.browser(), world[name])).searchParams.get("scope");
    const documented = {
      github: "user:email",
      google: "openid email profile",
      microsoft: "openid email profile",
      apple: "openid name email",
      "acme-login": "openid email profile",
    };
    expect(scope).toBe(documented[name]);
  });

  test("F-03 F-17 ties the sign-in to the browser by a cookie of its own", async () => {
    const browser = world.browser();
    const answer = await browser.get(startOf(name));
    const [cookie, ...others] = answer.setCookies;
    expect(others).toEqual([]);
    // Apple's answer is a form of another site, with which a browser sends only cookies with SameSite=None.
    expect(cookie?.name).toBe(name === "apple" ? "__Host-auth_oauth_form" : "__Host-auth_oauth");
    expect(bits(cookie?.value ?? "")).toBe(256);
    expect(Object.fromEntries(cookie?.attributes ?? [])).toEqual({
      "max-age": "600",
      path: "/",
      httponly: "",
      secure: "",
      samesite: name === "apple" ? "None" : "Lax",
    });
    const again = await browser.get(startOf(name));
    expect(again.setCookies[0]?.value).toBe(cookie?.value);
    const stranger = await world.browser().get(startOf(name));
    expect(stranger.setCookies[0]?.value).not.toBe(cookie?.value);
  });
});

test("Apple is asked to answer by form, as it must be when it is to tell the address", async () => {
  expect((await begin(world.browser(), world.apple)).searchParams.get("response_mode")).toBe("form_post");
  expect((await begin(world.browser(), world.google)).searchParams.has("response_mode")).toBe(false);
});

test("a state is stored by hash, with an end ten minutes ahead", async () => {
  world.rows.run("delete from oauth_states");
  const url = await begin(world.browser(), world.google, { next: "/account" });
  const row = world.rows.get("select * from oauth_states");
  const state = url.searchParams.get("state") ?? "";
  expect(row).toMatchObject({
    state_hash: new Bun.CryptoHasher("sha256").update(state).digest("hex"),
    provider: "google",
    next: "/account",
    nonce: url.searchParams.get("nonce"),
    link_user_id: null,
    consumed_at: null,
  });
  expect(Number(row["expires_at"]) - Number(row["created_at"])).toBe(600_000);
  expect(JSON.stringify(row)).not.toContain(state);
});

test("what looks ahead by HEAD begins nothing", async () => {
  const before = states();
  const answer = await world.browser().request("HEAD", startOf("google"));
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toBe("GET, POST");
  expect(answer.setCookies).toEqual([]);
  expect(states()).toBe(before);
});

test("a provider that is not there is not found", async () => {
  for (const route of ["start", "callback"] as const) {
    const answer = await world.browser().get(routeOf("facebook", route));
    expect([answer.status, answer.at("code")]).toEqual([404, "not_found"]);
  }
  for (const name of ["__proto__", "constructor", "GitHub", "github%00", "%2e%2e"]) {
    expect((await world.browser().get(routeOf(name, "start"))).status).toBe(404);
  }
});

test("the configured providers are listed, by what their routes and their buttons call them", async () => {
  expect((await world.browser().get(auth("providers"))).json).toEqual({
    ok: true,
    providers: [
      { name: "github", display_name: "GitHub", kind: "github" },
      { name: "google", display_name: "Google", kind: "google" },
      { name: "microsoft", display_name: "Microsoft", kind: "microsoft" },
      { name: "apple", display_name: "Apple", kind: "apple" },
      { name: "acme-login", display_name: "Acme Login", kind: "openid" },
    ],
  });
});

test("a provider that is not configured is not mounted", async () => {
  other = await startTarget({ env: { ...calm, ...envOf(world.github) } });
  const browser = createClient(other.url);
  expect((await browser.get(startOf("github"))).status).toBe(302);
  expect((await browser.get(startOf("google"))).status).toBe(404);
});

test("without any provider the routes are absent, and so is the way in for forms of other sites", async () => {
  other = await startTarget({ env: calm });
  const browser = createClient(other.url);
  for (const name of names) {
    for (const route of ["start", "callback", "link/start"] as const) {
      expect((await browser.get(routeOf(name, route))).status).toBe(404);
    }
    const posted = await browser.request("POST", routeOf(name, "callback"), undefined, {
      body: "state=x",
      headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://appleid.apple.com" },
    });
    expect(posted.status).toBe(403);
  }
  expect((await browser.get(auth("providers"))).json).toEqual({ ok: true, providers: [] });
  const ada = await createPeople(other.url).register("ada");
  expect((await ada.client.get(auth("identities"))).json).toEqual({ ok: true, identities: [] });
});

test("the admin app has none of the routes", async () => {
  other = await startTarget({ app: "admin", env: { ...calm, ...envOf(...world.providers) } });
  const browser = createClient(other.url);
  expect((await browser.get(startOf("google"))).status).toBe(404);
  for (const path of ["identities", "providers"]) expect((await browser.get(auth(path))).status).toBe(404);
});

test("starts from one address are limited", async () => {
  other = await startTarget({ env: { ...calm, ...envOf(world.google), AUTH_IP_RATE_LIMIT_ATTEMPTS: "3" } });
  const browser = createClient(other.url);
  for (let time = 0; time < 3; time += 1) expect((await browser.get(startOf("google"))).status).toBe(302);
  const refused = await browser.get(startOf("google"));
  expect([refused.status, refused.at("code")]).toEqual([429, "rate_limited"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("over plain HTTP, as locally, the cookie is one that a browser keeps", async () => {
  other = await startTarget({ env: { ...calm, ...envOf(world.apple), APP_URL: "http://127.0.0.1:3000" } });
  const [cookie] = (await createClient(other.url).get(startOf("apple"))).setCookies;
  expect(cookie?.name).toBe("auth_oauth_form");
  expect(cookie?.attributes.get("samesite")).toBe("Lax");
  expect(cookie?.attributes.has("secure")).toBe(false);
});

test("a path in APP_URL is kept in the callback and in the way to the sign-in page", async () => {
  other = await startTarget({ env: { ...calm, ...envOf(world.google), APP_URL: `${publicUrl}/id` } });
  const browser = createClient(other.url);
  const url = await begin(browser, world.google);
  expect(url.searchParams.get("redirect_uri")).toBe(`${publicUrl}/id/api/v1/auth/oauth/google/callback`);
  const answer = await browser.get(`${routeOf("google", "callback")}?state=x`, { headers: { accept: "text/html" } });
  expect(answer.headers.get("location")).toBe("/id/login?oauth_error=invalid_oauth_state");
});
