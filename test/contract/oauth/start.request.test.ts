import { afterEach, describe, expect, test } from "bun:test";
import { auth, calm, expectRefusal } from "../../support/auth.ts";
import { createClient, type Client } from "../../support/client.ts";
import { approve, begin, deliver, envOf, routeOf, signInWith, startOf } from "../../support/oauth/journey.ts";
import { providerNames, publicUrl } from "../../support/oauth/provider.ts";
import { stageWorld } from "../../support/oauth/world.ts";
import { startTarget, type Target } from "../../support/target.ts";

let other: Target | undefined;
const world = await stageWorld();
afterEach(async () => {
  await other?.stop();
  other = undefined;
});

type Fields = Readonly<Record<string, string>> | [string, string][];
const form = { "content-type": "application/x-www-form-urlencoded" };
const ownPage = { ...form, origin: publicUrl, "sec-fetch-site": "same-origin" };
const states = (): number => world.rows.count("oauth_states");

const post = (
  browser: Client,
  name: string,
  fields: Fields = {},
  headers: Readonly<Record<string, string>> = ownPage,
) => browser.request("POST", startOf(name), undefined, { body: new URLSearchParams(fields).toString(), headers });
const get = (name: string, fields: Fields, headers = {}) =>
  world.browser().get(`${startOf(name)}?${new URLSearchParams(fields).toString()}`, { headers });
const asked = ({ headers }: { readonly headers: Headers }): URL => new URL(headers.get("location") ?? "");
/** Where the sign-in ends that was begun last. */
const kept = (): unknown => world.rows.get("select next from oauth_states order by rowid desc limit 1")["next"];

describe("a form of a page of this origin", () => {
  test.each(providerNames)("F-13 starts a sign-in with %s, by a 303, as a link does", async (name) => {
    const { account } = world.newcomer("ada");
    const browser = world.browser();
    const answer = await post(browser, name, { next: "/account?tab=1", login_hint: "ada@people.test" });
    expect(answer.status).toBe(303);
    expect([...asked(answer).searchParams.keys()].filter((key) => key !== "login" && key !== "login_hint")).toEqual([
      ...(await begin(world.browser(), world[name])).searchParams.keys(),
    ]);
    const ended = await deliver(browser, await approve(world[name], asked(answer), account));
    expect([ended.status, ended.headers.get("location")]).toEqual([303, "/account?tab=1"]);
    expect((await browser.get(auth("me"))).status).toBe(200);
  });

  test("needs no fields, and what is no form is refused", async () => {
    expect((await post(world.browser(), "google")).status).toBe(303);
    const before = states();
    for (const [type, body] of [
      ["application/json", '{"next":"/account"}'],
      ["text/plain", "next=/account"],
      ["multipart/form-data; boundary=x", "--x--"],
    ] as const) {
      const answer = await world.browser().request("POST", startOf("google"), undefined, {
        body,
        headers: { ...ownPage, "content-type": type },
      });
      expect([answer.status, answer.at("code")]).toEqual([415, "unsupported_media_type"]);
    }
    expect((await post(world.browser(), "google", { next: "x".repeat(17_000) })).status).toBe(413);
    expect((await post(world.browser(), "facebook")).status).toBe(404);
    expect(states()).toBe(before);
  });

  test("F-25 is the only one that is taken: pages of other sites, and of hosts beside this one, start nothing", async () => {
    const before = states();
    for (const headers of [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: "https://app.example.test", "sec-fetch-site": "same-site" },
      { origin: "null" },
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
    ])
      for (const name of providerNames) {
        const answer = await post(world.browser(), name, {}, { ...form, ...headers });
        expect([answer.status, answer.at("code"), answer.setCookies]).toEqual([403, "cross_site_request", []]);
      }
    expect(states()).toBe(before);
  });

  test("counts as a start by link does", async () => {
    other = await startTarget({ env: { ...calm, ...envOf(world.google), AUTH_IP_RATE_LIMIT_ATTEMPTS: "2" } });
    const browser = createClient(other.url);
    expect((await post(browser, "google")).status).toBe(303);
    expect((await browser.get(startOf("google"))).status).toBe(302);
    expect((await post(browser, "google")).at("code")).toBe("rate_limited");
  });
});

describe("login_hint", () => {
  test.each(providerNames)(
    "F-26 is handed on to %s as it is, and changes nothing else of what it is asked",
    async (name) => {
      const hintOf = (url: URL) => url.searchParams.getAll(name === "github" ? "login" : "login_hint");
      for (const hint of [
        "ada@people.test",
        "x&state=evil&redirect_uri=https://hint.example#",
        "Ådä +%20",
        "a".repeat(512),
      ]) {
        const [byLink, byForm] = [
          await get(name, { login_hint: hint }),
          await post(world.browser(), name, { login_hint: hint }),
        ];
        for (const url of [asked(byLink), asked(byForm)]) {
          expect(hintOf(url)).toEqual([hint]);
          for (const [key, values] of Object.entries({ state: 1, redirect_uri: 1, nonce: 1 }))
            expect(url.searchParams.getAll(key)).toHaveLength(values);
          expect(url.origin).toBe(world[name].url);
        }
      }
      for (const nothing of ["", "  "]) expect(hintOf(asked(await get(name, { login_hint: nothing })))).toEqual([]);
      expect(world.target.logs()).not.toContain("hint.example");
    },
  );

  test("F-26 of more than 512 characters, with control characters or sent twice is refused, and begins nothing", async () => {
    const before = states();
    for (const hint of ["a".repeat(513), "ada\r\nx: y", "ada\u0000", "ada\u2028x", "ada\u007f"])
      for (const answer of [
        await get("google", { login_hint: hint }),
        await post(world.browser(), "google", { login_hint: hint }),
      ]) {
        expect([answer.status, answer.at("code")]).toEqual([400, "invalid_payload"]);
        expect(Object.keys(Object(answer.at("fields")))).toEqual(["login_hint"]);
      }
    const twice: [string, string][] = [
      ["login_hint", "ada"],
      ["login_hint", "grace"],
    ];
    expect((await get("google", twice)).at("code")).toBe("invalid_payload");
    const page = await get("google", twice, { accept: "text/html" });
    expect([page.status, page.headers.get("location")]).toEqual([303, "/login?oauth_error=invalid_payload"]);
    expect(states()).toBe(before);
  });
});

describe("a sign-in that the provider begins (OpenID Connect Core §4)", () => {
  const tenant = "11111111-2222-4333-8444-555555555555";
  const issuerOf = (name: string): string => {
    const { url } = world[name === "microsoft" ? "microsoft" : "acme-login"];
    return name === "microsoft" ? `${url}/${tenant}/v2.0` : url;
  };

  test.each(["microsoft", "acme-login"] as const)(
    "F-27 goes to %s, if that is the issuer, and to no other",
    async (name) => {
      const iss = issuerOf(name);
      const fromElsewhere = { "sec-fetch-site": "cross-site", referer: `${iss}/` };
      const answer = await get(
        name,
        { iss, login_hint: "ada", target_link_uri: `${publicUrl}/account` },
        fromElsewhere,
      );
      expect([answer.status, asked(answer).origin]).toEqual([302, world[name].url]);
      expect(asked(answer).searchParams.get("login_hint")).toBe("ada");
      expect(kept()).toBe("/account");
      const before = states();
      for (const wrong of [`${iss}/`, iss.toUpperCase(), "https://evil.example", world.google.url, "x".repeat(600)])
        expectRefusal(await get(name, { iss: wrong }), 400, "invalid payload", "invalid_payload");
      const twice = await get(name, [
        ["iss", iss],
        ["iss", iss],
      ]);
      expect(Object.keys(Object(twice.at("fields")))).toEqual(["iss"]);
      const page = await get(name, { iss: "https://evil.example" }, { accept: "text/html" });
      expect([page.status, page.headers.get("location")]).toEqual([303, "/login?oauth_error=invalid_payload"]);
      expect(states()).toBe(before);
    },
  );

  test("F-27 ends at target_link_uri where next could lead, and at home otherwise", async () => {
    for (const [target, end] of [
      ["/account", "/account"],
      [`${publicUrl}/a/b?c=d#e`, "/a/b?c=d#e"],
      [publicUrl, "/"],
      ["https://evil.example/", "/"],
      [`${publicUrl}.evil.example/`, "/"],
      [`${publicUrl}@evil.example/`, "/"],
      [`${publicUrl}//evil.example`, "/"],
      ["//evil.example", "/"],
      ["javascript:alert(1)", "/"],
      [routeOf("google", "link/start"), "/"],
      [`${publicUrl}${routeOf("google", "link/start")}`, "/"],
    ] as const) {
      expect((await get("acme-login", { iss: issuerOf("acme-login"), target_link_uri: target })).status).toBe(302);
      expect({ target, end: kept() }).toEqual({ target, end });
    }
    expect((await get("acme-login", { next: "/first", target_link_uri: "/second" })).status).toBe(302);
    expect(kept()).toBe("/first");
  });

  test("signs in as any other one does", async () => {
    const { account } = world.newcomer("ada");
    const acme = world["acme-login"];
    const browser = world.browser();
    const query = new URLSearchParams({ iss: acme.url, login_hint: account, target_link_uri: `${publicUrl}/account` });
    const answer = await browser.get(`${startOf(acme.name)}?${query.toString()}`);
    const ended = await deliver(browser, await approve(acme, asked(answer), account));
    expect([ended.status, ended.headers.get("location")]).toEqual([303, "/account"]);
    expect((await signInWith(world.browser(), acme, account)).status).toBe(303);
  });
});
