import { afterAll, describe, expect, test } from "bun:test";
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { auth, isServed, type Person } from "../../support/auth.ts";
import { eventually, untilLogged } from "../../support/log.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { form, idpEnvironment, idpKit, issuer, type Registered } from "./idp.fixture.ts";

const bye = "https://shop.example.test/bye";
const { target, people } = await stage({ env: idpEnvironment });
const kit = idpKit(target);

/** The logout tokens that a program was sent. */
const told: string[] = [];
let refusals = 0;
const program = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    if (refusals > 0) {
      refusals -= 1;
      return new Response(null, { status: 503 });
    }
    told.push(new URLSearchParams(await request.text()).get("logout_token") ?? "");
    return new Response(null, { status: 200 });
  },
});
afterAll(() => program.stop(true));

const shop = await kit.register(
  "Shop",
  "--post-logout-uri",
  bye,
  "--backchannel-logout-uri",
  `http://127.0.0.1:${program.port}/logout`,
);

const logout = (person: Person, fields: Readonly<Record<string, string>>) =>
  person.client.get(`/oauth2/logout?${form(fields)}`);

/** Waits for the message about the session of these tokens. */
async function toldOf(sid: unknown): Promise<string> {
  const find = (): string | undefined => told.find((token) => decodeJwt(token)["sid"] === sid);
  await eventually(`the message about ${String(sid)}`, () => find() !== undefined);
  return find() ?? "";
}

const sidOf = (idToken: string): unknown => decodeJwt(idToken)["sid"];

describe("signing out for a program", () => {
  test("with an ID token of the person ends the browser's session, and leads back with the state", async () => {
    const ada = await people.register("ada");
    const tokens = await kit.signIn(ada.client, shop, { scope: "openid" });
    const answer = await logout(ada, {
      id_token_hint: tokens.textAt("id_token"),
      post_logout_redirect_uri: bye,
      state: "s-1",
    });
    expect({ status: answer.status, location: answer.headers.get("location") }).toEqual({
      status: 303,
      location: `${bye}?state=s-1`,
    });
    expect(await isServed(ada.client)).toBe(false);
    expect(await kit.isActive(shop, tokens.textAt("access_token"))).toBe(false);
  });

  test("O-10 without one asks first, and only the form of that page signs out", async () => {
    const ada = await people.register("ada");
    const asked = await logout(ada, { client_id: shop.client_id, post_logout_redirect_uri: bye });
    expect({ status: asked.status, asks: asked.text.includes("Sign out?") }).toEqual({ status: 200, asks: true });
    expect(await isServed(ada.client)).toBe(true);
    const [, token = ""] = /name="csrf" value="([^"]+)"/.exec(asked.text) ?? [];
    const confirm = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
      ada.client.request("POST", "/oauth2/logout/confirm", undefined, {
        body: form({ client_id: shop.client_id, post_logout_redirect_uri: bye, ...fields }),
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      });
    expect((await confirm({})).status).toBe(403);
    expect((await confirm({ csrf: "x".repeat(43) })).status).toBe(403);
    expect((await confirm({ csrf: token }, { origin: "https://evil.example.test" })).status).toBe(403);
    expect((await confirm({ csrf: token, state: "another request" })).status).toBe(403);
    expect(await isServed(ada.client)).toBe(true);
    expect((await confirm({ csrf: token })).headers.get("location")).toBe(bye);
    expect(await isServed(ada.client)).toBe(false);
  });

  test("O-10 with an ID token of somebody else asks, too: a program can't sign out whom it has not signed in", async () => {
    const [ada, mallory] = [await people.register("ada"), await people.register("mallory")];
    const tokens = await kit.signIn(mallory.client, shop);
    const asked = await logout(ada, { id_token_hint: tokens.textAt("id_token") });
    expect(asked.text).toContain("Sign out?");
    expect(await isServed(ada.client)).toBe(true);
  });

  test.each([
    ["an address that is not registered", { post_logout_redirect_uri: `${bye}/x` }, "unknown_redirect_uri"],
    ["no program, and an address", { post_logout_redirect_uri: bye, client_id: undefined }, "unknown_redirect_uri"],
    ["an ID token that was changed", { id_token_hint: "eyJhbGciOiJub25lIn0.e30." }, "wrong_id_token_hint"],
    ["an unknown program", { client_id: "nobody" }, "unknown_client"],
  ])("with %s gets a page with the id of its line in the log, and nobody is signed out", async (_what, wrong, why) => {
    const ada = await people.register("ada");
    const answer = await ada.client.get(`/oauth2/logout?${form({ client_id: shop.client_id, ...wrong })}`);
    expect({ status: answer.status, location: answer.headers.get("location") }).toEqual({
      status: 400,
      location: null,
    });
    const id = /Request ([\w-]+)/.exec(answer.text)?.[1] ?? "no id";
    await untilLogged(target, new RegExp(`${id}.*${why}`));
    expect(await isServed(ada.client)).toBe(true);
  });

  test("somebody who is not signed in is led back all the same, and a form of another site is led to the same request", async () => {
    const stranger = createClient(target.url);
    const query = form({ client_id: shop.client_id, post_logout_redirect_uri: bye });
    expect((await stranger.get(`/oauth2/logout?${query}`)).headers.get("location")).toBe(bye);
    const posted = await stranger.request("POST", "/oauth2/logout", undefined, {
      body: query,
      headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://shop.example.test" },
    });
    expect(posted.headers.get("location")).toBe(`/oauth2/logout?${query}`);
  });
});

describe("a program that wants to be told", () => {
  /** Whatever ends a session, each way by itself. */
  const ends: Readonly<Record<string, (person: Person, tokens: Tokens) => Promise<unknown>>> = {
    "the person signs out": ({ client }) => client.post(auth("logout")),
    "the person signs out everywhere": ({ client }) => client.post(auth("logout-all")),
    "the program revokes its token": (_person, { refresh }) =>
      kit.call("/oauth2/revoke", { token: refresh }, { authorization: kit.basic(shop) }),
    "the person changes the password": ({ client, password }) =>
      client.post(auth("change-password"), { current_password: password, new_password: `${password}, and back` }),
    "an operator disables the account": ({ username }) => kit.run("user:disable", username),
    "the person deletes the account": ({ client, password }) =>
      client.post(auth("account/delete"), { current_password: password }),
    "the person ends that session": async ({ client }, { sid }) => client.post(auth(`sessions/${String(sid)}/revoke`)),
  };
  interface Tokens {
    readonly refresh: string;
    readonly sid: unknown;
  }

  test.each(Object.keys(ends))("O-09 hears of it when %s", async (how) => {
    const ada = await people.register("ada");
    const tokens = await kit.signIn(ada.client, shop, { scope: "openid" });
    const sid = sidOf(tokens.textAt("id_token"));
    await ends[how]?.(ada, { refresh: tokens.textAt("refresh_token"), sid });
    const token = await toldOf(sid);
    const keys = await createClient(target.url).get("/.well-known/jwks.json");
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(Object(keys.json)), {
      issuer,
      audience: shop.client_id,
      typ: "logout+jwt",
    });
    expect(protectedHeader.alg).toBe("RS256");
    expect(payload).toEqual({
      iss: issuer,
      aud: shop.client_id,
      sub: ada.id,
      sid,
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: expect.any(Number),
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    });
    expect(told.filter((each) => decodeJwt(each)["sid"] === sid)).toHaveLength(1);
  });

  test("O-09 hears of it although it did not answer at first", async () => {
    const ada = await people.register("ada");
    const tokens = await kit.signIn(ada.client, shop, { scope: "openid" });
    refusals = 1;
    await ada.client.post(auth("logout"));
    await toldOf(sidOf(tokens.textAt("id_token")));
  }, 30_000);

  test("a program without such an address is told nothing", async () => {
    const ada = await people.register("ada");
    const other: Registered = await kit.register("Quiet");
    const tokens = await kit.signIn(ada.client, other, { scope: "openid" });
    const before = told.length;
    await ada.client.post(auth("logout"));
    expect(await kit.isActive(other, tokens.textAt("access_token"))).toBe(false);
    expect(told).toHaveLength(before);
  });

  test("O-09 hears of it although another program answers nothing", async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    await using stuck = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch() {
        await new Promise<void>((answer) => {
          waiting.push(answer);
          most = Math.max(most, waiting.length);
        });
        return new Response(null, { status: 200 });
      },
    });
    const other = await kit.register("Stuck", "--backchannel-logout-uri", `http://127.0.0.1:${stuck.port}/`);
    const ada = await people.register("ada");
    for (let count = 0; count < 9; count += 1) await kit.signIn(ada.client, other, { scope: "openid" });
    await ada.client.post(auth("logout"));
    await eventually("the program is asked", () => most > 0);
    const grace = await people.register("grace");
    const tokens = await kit.signIn(grace.client, shop, { scope: "openid" });
    await grace.client.post(auth("logout"));
    await toldOf(sidOf(tokens.textAt("id_token")));
    expect(waiting.length).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(3);
    for (const answer of waiting) answer();
  }, 30_000);
});
