import { afterEach, describe, expect, test } from "bun:test";
import { auth, expectRefusal, isServed, minute } from "../../support/auth.ts";
import type { Answer } from "../../support/client.ts";
import { approve, begin, deliver, routeOf, signInWith, type Callback } from "../../support/oauth/journey.ts";
import { stageWorld } from "../../support/oauth/world.ts";
import { providerNames, type ProviderName } from "../../support/oauth/provider.ts";

const world = await stageWorld();
afterEach(() => {
  for (const { faults } of world.providers) faults.clear();
});

const invalid = (answer: Answer): void => expectRefusal(answer, 401, "invalid oauth state", "invalid_oauth_state");
const users = (): number => world.rows.count("users");

/** Resolves to a browser on its way back from the provider. */
async function returning(name: ProviderName) {
  const browser = world.browser();
  const { account } = world.newcomer("ada");
  const callback = await approve(world[name], await begin(browser, world[name]), account);
  return { browser, callback };
}

const changed = (callback: Callback, parameter: string, value: string | undefined): Callback => {
  const params = new URLSearchParams(callback.params);
  if (value === undefined) params.delete(parameter);
  else params.set(parameter, value);
  return { ...callback, params };
};

describe("F-02 a state", () => {
  test("is spent once: of 100 callbacks at the same time one exchanges the code and signs in", async () => {
    const { browser, callback } = await returning("github");
    const exchangesBefore = world.github.requests.filter((path) => path.endsWith("/access_token")).length;
    const answers = await Promise.all(Array.from({ length: 100 }, () => deliver(browser.copy(), callback)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([303, ...Array.from({ length: 99 }, () => 401)]);
    const exchanges = world.github.requests.filter((path) => path.endsWith("/access_token")).length;
    expect(exchanges - exchangesBefore).toBe(1);
  });

  test("works no second time, nor after a failure", async () => {
    const { browser, callback } = await returning("google");
    expect((await deliver(browser, callback)).status).toBe(303);
    invalid(await deliver(browser, callback));
    const second = await returning("google");
    expect((await deliver(second.browser, changed(second.callback, "code", "made-up"))).status).toBe(502);
    invalid(await deliver(second.browser, second.callback));
  });

  test("works for ten minutes and no longer", async () => {
    const [early, late] = [await returning("google"), await returning("google")];
    world.rows.letPass(10 * minute - 5_000);
    expect((await deliver(early.browser, early.callback)).status).toBe(303);
    world.rows.letPass(5_000);
    invalid(await deliver(late.browser, late.callback));
  });

  test("of one provider is none of another's", async () => {
    const { browser, callback } = await returning("google");
    await begin(browser, world.microsoft);
    for (const provider of ["microsoft", "github", "apple"] as const) {
      invalid(await deliver(browser, { ...callback, provider }));
    }
    expect((await deliver(browser, callback)).status).toBe(303);
  });

  test("that is missing, empty, given twice or too long is refused before anything is asked of anyone", async () => {
    const { browser, callback } = await returning("google");
    const state = callback.params.get("state") ?? "";
    const asked = world.google.requests.length;
    const twice = new URLSearchParams([...callback.params, ["state", state]]);
    for (const wrong of [
      changed(callback, "state", undefined),
      changed(callback, "state", ""),
      changed(callback, "state", state.repeat(100)),
      { ...callback, params: twice },
    ]) {
      const answer = await deliver(browser, wrong);
      expect([
        answer.status,
        answer.at("code"),
        answer.at("fields.state.code"),
        answer.at("fields.state.message"),
      ]).toEqual([400, "invalid_payload", "required", "This is required, once."]);
    }
    for (const guess of [state.slice(1), `${state}A`, state.toLowerCase(), "' or 1=1 --", "__proto__"]) {
      invalid(await deliver(browser, changed(callback, "state", guess)));
    }
    expect(world.google.requests.length).toBe(asked);
    expect((await deliver(browser, callback)).status).toBe(303);
  });

  test("without a code is spent, and the answer says what is missing", async () => {
    const { browser, callback } = await returning("google");
    const answer = await deliver(browser, changed(callback, "code", undefined));
    expect([answer.status, answer.at("fields.code.code")]).toEqual([400, "required"]);
    invalid(await deliver(browser, callback));
  });
});

describe("F-03 a callback", () => {
  test.each(providerNames)(
    "of %s in another browser is refused, and can still be finished in its own",
    async (name) => {
      const { browser, callback } = await returning(name);
      const before = users();
      const stranger = world.browser();
      invalid(await deliver(stranger, callback));
      await begin(stranger, world[name]);
      invalid(await deliver(stranger, callback));
      expect(await isServed(stranger)).toBe(false);
      expect(users()).toBe(before);
      expect((await deliver(browser, callback)).status).toBe(303);
    },
  );

  test("with two cookies of the name, one of them planted, is refused", async () => {
    const { browser, callback } = await returning("google");
    const own = browser.cookie("__Host-auth_oauth") ?? "";
    const planted = world.browser();
    await begin(planted, world.google);
    const cookie = `__Host-auth_oauth=${planted.cookie("__Host-auth_oauth")}; __Host-auth_oauth=${own}`;
    invalid(await deliver(browser, callback, { headers: { cookie } }));
    expect((await deliver(browser, callback)).status).toBe(303);
  });

  test("finds its way among several tabs", async () => {
    const browser = world.browser();
    const [ada, grace] = [world.newcomer("ada"), world.newcomer("grace")];
    const [first, second] = [await begin(browser, world.google), await begin(browser, world.google)];
    const late = await approve(world.google, second, grace.account);
    expect((await deliver(browser, await approve(world.google, first, ada.account))).status).toBe(303);
    expect((await browser.get(auth("me"))).at("user.email")).toBe(ada.email);
    expect((await deliver(browser, late)).status).toBe(303);
    expect((await browser.get(auth("me"))).at("user.email")).toBe(grace.email);
  });
});

describe("F-04 mix-up", () => {
  test("each provider sends back to an address of its own", async () => {
    const addresses = await Promise.all(
      world.providers.map(async (provider) =>
        (await begin(world.browser(), provider)).searchParams.get("redirect_uri"),
      ),
    );
    expect(new Set(addresses).size).toBe(world.providers.length);
  });

  test("an answer that names another issuer is refused before the code goes anywhere", async () => {
    const other = { github: world.google.url, google: "https://evil.example", microsoft: world.google.url };
    for (const [name, issuer] of Object.entries(other)) {
      if (name !== "github" && name !== "google" && name !== "microsoft") throw new Error(name);
      const { browser, callback } = await returning(name);
      const asked = world[name].requests.length;
      invalid(await deliver(browser, changed(callback, "iss", issuer)));
      expect(world[name].requests.length).toBe(asked);
    }
    const { browser, callback } = await returning("github");
    const twice = new URLSearchParams([...callback.params, ["iss", world.github.url], ["iss", "https://evil.example"]]);
    invalid(await deliver(browser, { ...callback, params: twice }));
  });

  test("one that names the right issuer, or none, is taken", async () => {
    const named = await returning("google");
    expect(named.callback.params.get("iss")).toBe(world.google.url);
    expect((await deliver(named.browser, named.callback)).status).toBe(303);
    const unnamed = await returning("google");
    expect((await deliver(unnamed.browser, changed(unnamed.callback, "iss", undefined))).status).toBe(303);
    const github = await returning("github");
    const issuer = world.github.env["AUTH_OAUTH_GITHUB_ISSUER"] ?? "";
    expect((await deliver(github.browser, changed(github.callback, "iss", issuer))).status).toBe(303);
  });
});

describe("F-17 a form of the provider's page", () => {
  test("signs in, though it comes from another site", async () => {
    const { browser, callback } = await returning("apple");
    expect(callback.posted).toBe(true);
    const answer = await deliver(browser, callback, { headers: { origin: "https://appleid.apple.com" } });
    expect(answer.status).toBe(303);
    expect(await isServed(browser)).toBe(true);
  });

  test.each(["github", "google", "microsoft"] as const)("is taken at %s's address as well", async (name) => {
    const { browser, callback } = await returning(name);
    expect((await deliver(browser, callback, { posted: true })).status).toBe(303);
  });

  test("without the browser's cookie, as another site's page would post it, is refused", async () => {
    const { browser, callback } = await returning("apple");
    const forged = await world.browser().request("POST", routeOf("apple", "callback"), undefined, {
      body: callback.params.toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://evil.example" },
    });
    invalid(forged);
    expect(forged.setCookies).toEqual([]);
    expect((await deliver(browser, callback)).status).toBe(303);
  });

  const from = { origin: "https://appleid.apple.com", "sec-fetch-site": "cross-site" };
  const form = "application/x-www-form-urlencoded";

  test("X-05 opens no other door: other paths, types and methods are refused as before", async () => {
    const { browser, callback } = await returning("apple");
    const post = (path: string, type: string, method = "POST") =>
      browser.request(method, path, undefined, {
        body: callback.params.toString(),
        headers: { ...from, "content-type": type },
      });
    const refused = [
      await post(auth("login"), form),
      await post(auth("logout"), form),
      await post(auth("identities/x/unlink"), form),
      await post(routeOf("apple", "start"), form),
      await post(`${routeOf("apple", "callback")}/`, form),
      await post(routeOf("facebook", "callback"), form),
      await post(routeOf("apple", "callback"), "application/json"),
      await post(routeOf("apple", "callback"), "text/plain"),
      await post(routeOf("apple", "callback"), "multipart/form-data; boundary=x"),
      await post(routeOf("apple", "callback"), form, "PUT"),
      await post(routeOf("apple", "callback"), form, "DELETE"),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect((await deliver(browser, callback)).status).toBe(303);
  });

  test("is bounded, and of the right type", async () => {
    const browser = world.browser();
    const post = (body: string, type: string) =>
      browser.request("POST", routeOf("apple", "callback"), undefined, { body, headers: { "content-type": type } });
    expect((await post(`state=x&code=${"a".repeat(64 * 1024)}`, form)).status).toBe(413);
    expect((await post("{}", "application/json")).status).toBe(400);
    expect((await post('{"state":"x"}', "application/json")).status).toBe(415);
    expect((await post("state=x", "text/plain")).status).toBe(415);
    expect((await post("", form)).status).toBe(400);
    expect((await post("__proto__=x&constructor=y&state=%ff%fe", form)).status).toBe(401);
    expect((await post("state=%", form)).status).toBe(401);
  });
});

describe("a callback by HEAD", () => {
  test("spends nothing", async () => {
    const { browser, callback } = await returning("google");
    const answer = await browser.request("HEAD", `${routeOf("google", "callback")}?${callback.params.toString()}`);
    expect(answer.status).toBe(405);
    expect((await deliver(browser, callback)).status).toBe(303);
  });
});

test("F-13 every redirect after a post is a 303", async () => {
  const { browser, callback } = await returning("apple");
  expect((await deliver(browser, callback)).status).toBe(303);
  const page = { headers: { accept: "text/html" } };
  expect((await deliver(browser, callback, page)).status).toBe(303);
});

test("F-14 where it leads to holds neither code nor state, and is told to nobody", async () => {
  const { browser, callback } = await returning("google");
  const answer = await deliver(browser, callback);
  expect(answer.headers.get("location")).toBe("/");
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  const failed = await deliver(browser, callback, { headers: { accept: "text/html" } });
  expect(failed.headers.get("location")).toBe("/login?oauth_error=invalid_oauth_state");
  const logs = world.target.logs();
  for (const parameter of ["code", "state"]) {
    expect(logs).not.toContain(callback.params.get(parameter) ?? "?");
  }
});

test("a failed callback takes nothing from the session that is there", async () => {
  const browser = world.browser();
  await signInWith(browser, world.github, world.newcomer("ada").account);
  const answer = await browser.get(`${routeOf("github", "callback")}?state=x&code=y`);
  invalid(answer);
  expect(answer.setCookies).toEqual([]);
  expect(await isServed(browser)).toBe(true);
});
