import { describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { isServed } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { serviceKit } from "../backend/service.fixture.ts";
import { form, idpEnvironment, idpKit, issuer, redirectUri, verifier } from "./idp.fixture.ts";
import { press } from "./pages.fixture.ts";

// The attacks of RFC 9700 §4 and of formal analyses, each as its attacker would try it. What other files show is in the table of SECURITY.md.

const { target, people, rows } = await stage({ env: idpEnvironment });
const kit = idpKit(target);
const bye = "https://shop.example.test/bye";
const shop = await kit.register("Shop", "--post-logout-uri", bye);
const board = await kit.register("Board", "--type", "browser");
const partner = await kit.register("Partner", "--third-party", "--post-logout-uri", bye);
const robot = await kit.register("Robot", "--type", "machine");

const codeOf = (answer: Answer): string | null => kit.told(answer).get("code");
const errorOf = (answer: Answer): string | null => kit.told(answer).get("error");
/** What a link of an attacker is answered with: the status, and where it leads. */
const fate = ({ status, headers }: Answer) => ({ status, leadsTo: headers.get("location") });
const verify = (token: string) =>
  createClient(target.url).get("/api/v1/auth/verify", { headers: { authorization: `Bearer ${token}` } });
const challengeOf = (text: string): string =>
  new Bun.CryptoHasher("sha256").update(text).digest().toString("base64url");

describe("RFC 9700", () => {
  test.each([
    ["a longer path", `${redirectUri}/evil`],
    ["a path that climbs out", "https://shop.example.test/callback/../evil"],
    ["an encoded path", "https://shop.example.test/%63allback"],
    ["a query, such as that of an open redirector", `${redirectUri}?next=https://evil.example.test`],
    ["a fragment", `${redirectUri}#evil`],
    ["a subdomain", "https://evil.shop.example.test/callback"],
    ["a longer host", "https://shop.example.test.evil.example.test/callback"],
    ["a user in front of another host", "https://shop.example.test@evil.example.test/callback"],
    ["a backslash", "https://evil.example.test\\@shop.example.test/callback"],
    ["another port", "https://shop.example.test:8443/callback"],
    ["no TLS", "http://shop.example.test/callback"],
    ["capitals", "https://SHOP.example.test/callback"],
    ["a blank at its end", `${redirectUri} `],
    ["a script", "javascript:location='https://shop.example.test/callback'"],
  ])("4.1 and 4.11: O-08 an address with %s gets no code and leads nobody there", async (_what, uri) => {
    const { client } = await people.register("ada");
    expect(fate(await kit.authorize(client, shop, { redirect_uri: uri }))).toEqual({ status: 400, leadsTo: null });
  });

  test("4.2: O-01 neither the page that asks nor the way to the program hands its address on", async () => {
    const { client } = await people.register("ada");
    const page = await kit.authorize(client, partner, { scope: "openid" });
    const led = await press(client, page, "Allow");
    expect([page, led].map(({ headers }) => headers.get("referrer-policy"))).toEqual([
      expect.stringMatching(/^(?:no-referrer|same-origin)$/),
      "no-referrer",
    ]);
    expect(page.headers.get("content-security-policy")).not.toContain("unsafe-inline");
  });

  test("4.3: O-118 a token in an address is none: it would stand in histories and logs", async () => {
    const { client } = await people.register("ada");
    const access = (await kit.signIn(client, shop)).textAt("access_token");
    const asked = createClient(target.url);
    expect((await asked.get(`/oauth2/userinfo?access_token=${access}`)).status).toBe(401);
    expect((await asked.get(`/api/v1/auth/verify?access_token=${access}`)).status).toBe(400);
    expect((await kit.userinfo(access)).status).toBe(200);
  });

  test.each(["token", "id_token", "code token", "code id_token", "code id_token token", "none"])(
    "4.6 and 4.17: O-118 response_type=%s hands no token to the browser",
    async (type) => {
      const { client } = await people.register("ada");
      expect(errorOf(await kit.authorize(client, shop, { response_type: type }))).toBe("unsupported_response_type");
    },
  );

  test.each(["fragment", "web_message", "jwt"])(
    "4.17: O-118 response_mode=%s, which scripts of a page would read, is not answered in",
    async (mode) => {
      const { client } = await people.register("ada");
      expect(errorOf(await kit.authorize(client, shop, { response_mode: mode }))).toBe("invalid_request");
    },
  );

  test("4.4: O-01 of a mix-up the program hears: codes and errors name who sends them, as the metadata promises", async () => {
    const { client } = await people.register("ada");
    for (const answer of [await kit.authorize(client, shop), await kit.authorize(client, shop, { prompt: "x" })])
      expect(kit.told(answer).get("iss")).toBe(issuer);
    const { json } = await createClient(target.url).get("/.well-known/oauth-authorization-server");
    expect(json).toMatchObject({ issuer, authorization_response_iss_parameter_supported: true });
  });

  test("4.5: O-03 a stolen code that is injected into the attacker's own sign-in is refused, and worthless then", async () => {
    const [ada, mallory] = [await people.register("ada"), await people.register("mallory")];
    const stolen = codeOf(await kit.authorize(ada.client, board));
    const own = "the-verifier-of-mallory-0123456789-0123456789-01";
    await kit.authorize(mallory.client, board, { code_challenge: challengeOf(own) });
    expect((await kit.swap(board, stolen, { code_verifier: own })).at("error")).toBe("invalid_grant");
    expect((await kit.swap(board, stolen)).at("error")).toBe("invalid_grant");
  });

  test("4.8: O-03 PKCE is taken out of no request: not by leaving it out, by another method or by a challenge that is no hash", async () => {
    const { client } = await people.register("ada");
    for (const fields of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge: verifier, code_challenge_method: "plain" },
      { code_challenge: verifier, code_challenge_method: undefined },
      { code_challenge: "", code_challenge_method: "S256" },
    ])
      expect(errorOf(await kit.authorize(client, board, fields))).toBe("invalid_request");
    const bare = { code_challenge: undefined, code_challenge_method: undefined };
    const code = codeOf(await kit.authorize(client, shop, bare));
    expect((await kit.swap(shop, code)).at("error")).toBe("invalid_grant");
  });

  test("4.9: O-99 a token that a counterfeit resource server was given opens nothing here, and says for whom it was made", async () => {
    const { client } = await people.register("ada");
    const named = await kit.signIn(client, shop, { resource: "https://evil.example.test" });
    const access = named.textAt("access_token");
    expect((await verify(access)).status).toBe(401);
    expect(decodeJwt(access).aud).toBe("https://evil.example.test");
  });

  test("4.12: O-119 no form is sent on: after each the browser is led by 303, which it follows without the form", async () => {
    const { client } = await people.register("ada");
    const post = (path: string, body: string) =>
      client.request("POST", path, undefined, {
        body,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    const request = form(kit.requestOf(partner, { scope: "openid" }));
    const page = await kit.authorize(client, partner, { scope: "openid" });
    const logout = form({ client_id: partner.client_id, post_logout_redirect_uri: bye });
    const answers = [
      await post("/oauth2/authorize", request),
      await press(client, page, "Allow"),
      await press(client, page, "Cancel"),
      await post("/device", "user_code=BCDF-GHJK"),
      await post("/oauth2/logout", logout),
      await press(client, await client.get(`/oauth2/logout?${logout}`), "Sign out"),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 303));
  });

  test("4.14: O-07 a refresh token that two have ends for both, however fast the thief swaps it on", async () => {
    const { client } = await people.register("ada");
    const stolen = (await kit.signIn(client, shop)).textAt("refresh_token");
    const second = (await kit.refresh(shop, stolen)).textAt("refresh_token");
    const third = (await kit.refresh(shop, second)).textAt("refresh_token");
    expect((await kit.refresh(shop, stolen)).at("error")).toBe("invalid_grant");
    expect((await kit.refresh(shop, third)).at("error")).toBe("invalid_grant");
  });

  test("4.15: O-120 a token that a program has for itself stands for no person, whatever the program is called", async () => {
    const ada = await people.register("ada");
    const access = (await kit.tokens(robot, { grant_type: "client_credentials" })).textAt("access_token");
    expect(decodeJwt(access)).toMatchObject({ sub: robot.client_id, client_id: robot.client_id });
    expect((await kit.userinfo(access)).status).toBe(401);
    expect((await verify(access)).status).toBe(401);
    const crm = await serviceKit(target).create("crm");
    const { json } = await serviceKit(target).introspect(crm, access);
    expect(json).toMatchObject({ sub: robot.client_id });
    for (const name of ["username", "email", "sid", "roles"]) expect(json).not.toHaveProperty(name);
    expect(rows.count("users where id = ?", robot.client_id)).toBe(0);
    expect(robot.client_id).not.toBe(ada.id);
  });
});

describe("formal analyses", () => {
  test("O-30 no token passes for another: an ID token opens nothing, and an access token says nothing about a sign-out", async () => {
    const { client } = await people.register("ada");
    const tokens = await kit.signIn(client, shop);
    const [access, id] = [tokens.textAt("access_token"), tokens.textAt("id_token")];
    expect([(await kit.userinfo(id)).status, (await verify(id)).status]).toEqual([401, 401]);
    expect((await client.get(`/oauth2/logout?${form({ id_token_hint: access })}`)).status).toBe(400);
    expect(await isServed(client)).toBe(true);
  });

  test("O-10 O-112 a forged sign-out signs nobody out: neither a bare link nor the ID token of the attacker, also where it names the same program", async () => {
    const [ada, mallory] = [await people.register("ada"), await people.register("mallory")];
    await kit.signIn(ada.client, shop);
    const hint = (await kit.signIn(mallory.client, shop)).textAt("id_token");
    for (const fields of [{}, { id_token_hint: hint }, { id_token_hint: hint, logout_hint: ada.username }]) {
      const page = await ada.client.get(`/oauth2/logout?${form({ client_id: shop.client_id, ...fields })}`);
      expect(fate(page)).toEqual({ status: 200, leadsTo: null });
    }
    expect(await isServed(ada.client)).toBe(true);
  });

  test("O-61 a page of an attacker can't say yes for somebody who is signed in", async () => {
    const { client, id } = await people.register("ada");
    const page = await kit.authorize(client, partner, { scope: "openid" });
    const headers = { origin: "https://evil.example.test", "sec-fetch-site": "cross-site" };
    expect((await press(client, page, "Allow", { headers })).status).toBe(403);
    expect((await press(client, page, "Allow", { fields: { csrf: undefined } })).headers.get("location")).toStartWith(
      "/oauth2/authorize?",
    );
    expect(rows.count("idp_consents where user_id = ?", id)).toBe(0);
  });
});
