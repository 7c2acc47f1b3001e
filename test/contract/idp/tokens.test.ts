import { describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { serviceKit } from "../backend/service.fixture.ts";
import { idpEnvironment, idpKit, issuer, redirectUri, verifier } from "./idp.fixture.ts";

const { target, people } = await stage({ env: idpEnvironment });
const kit = idpKit(target);
const shop = await kit.register("Shop");
const browser = await kit.register("Board", "--type", "browser");
const robot = await kit.register("Robot", "--type", "machine", "--scope", "reports:read,reports:write");

const token = (fields: Readonly<Record<string, string | undefined>>, headers: Readonly<Record<string, string>> = {}) =>
  kit.call("/oauth2/token", fields, headers);

describe("the token endpoint", () => {
  const refusals: readonly (readonly [
    string,
    Readonly<Record<string, string>>,
    Readonly<Record<string, string>>,
    string,
    number,
  ])[] = [
    ["nothing at all", {}, {}, "invalid_client", 401],
    ["an unknown program", { client_id: "nobody", client_secret: "x" }, {}, "invalid_client", 401],
    ["a wrong secret", { client_id: shop.client_id, client_secret: "ghc_x" }, {}, "invalid_client", 401],
    ["no secret", { client_id: shop.client_id }, {}, "invalid_client", 401],
    ["an empty secret", {}, { authorization: kit.basic({ ...shop, client_secret: "" }) }, "invalid_client", 401],
    [
      "a secret of a program that has none",
      { client_id: browser.client_id, client_secret: "x" },
      {},
      "invalid_client",
      401,
    ],
    ["a header that can't be read", {}, { authorization: "Basic %%%" }, "invalid_client", 401],
    [
      "two ways at once",
      { client_id: shop.client_id, client_secret: "x" },
      { authorization: kit.basic(shop) },
      "invalid_request",
      400,
    ],
    ["no grant type", {}, { authorization: kit.basic(shop) }, "invalid_request", 400],
    [
      "the password grant",
      { grant_type: "password", username: "ada", password: "x" },
      { authorization: kit.basic(shop) },
      "unsupported_grant_type",
      400,
    ],
    [
      "a code that nobody made",
      { grant_type: "authorization_code", code: "x" },
      { authorization: kit.basic(shop) },
      "invalid_grant",
      400,
    ],
    [
      "a refresh token that nobody made",
      { grant_type: "refresh_token", refresh_token: "x" },
      { authorization: kit.basic(shop) },
      "invalid_grant",
      400,
    ],
    [
      "a program's own access that it has none of",
      { grant_type: "client_credentials", client_id: browser.client_id },
      {},
      "unauthorized_client",
      400,
    ],
    [
      "a scope that it may not have",
      { grant_type: "client_credentials", scope: "admin" },
      { authorization: kit.basic(robot) },
      "invalid_scope",
      400,
    ],
    [
      "a resource that is no address",
      { grant_type: "client_credentials", resource: "reports" },
      { authorization: kit.basic(robot) },
      "invalid_target",
      400,
    ],
  ];

  test.each(refusals)("refuses %s as RFC 6749 says", async (_what, fields, headers, error, status) => {
    const answer = await token(fields, headers);
    expect({ status: answer.status, error: answer.at("error") }).toEqual({ status, error });
    expect(answer.at("error_description")).toEqual(expect.any(String));
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("www-authenticate")).toBe(status === 401 ? 'Basic realm="oauth2"' : null);
  });

  test("knows a program without a secret by its id, in the form or in the header beside an empty secret", async () => {
    const { client } = await people.register("ada");
    const named = { authorization: kit.basic(browser) };
    for (const [fields, headers] of [
      [{ client_id: browser.client_id }, {}],
      [{ client_id: undefined }, named],
      [{ client_id: browser.client_id }, named],
    ] as const) {
      const code = kit.told(await kit.authorize(client, browser)).get("code") ?? "";
      const swapped = await token(
        { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier, ...fields },
        headers,
      );
      expect(swapped.status).toBe(200);
    }
  });

  test("refuses a parameter that comes twice, JSON, and a body that is too large", async () => {
    const twice = await createClient(target.url).request("POST", "/oauth2/token", undefined, {
      body: "grant_type=client_credentials&grant_type=client_credentials",
      headers: { "content-type": "application/x-www-form-urlencoded", authorization: kit.basic(robot) },
    });
    expect(twice.at("error")).toBe("invalid_request");
    const json = await createClient(target.url).post("/oauth2/token", { grant_type: "client_credentials" });
    expect({ status: json.status, error: json.at("error") }).toEqual({ status: 400, error: "invalid_request" });
    expect(json.at("error_description")).toContain("application/x-www-form-urlencoded");
    const large = await token({ grant_type: "x".repeat(20_000) });
    expect({ status: large.status, error: large.at("error") }).toEqual({ status: 413, error: "invalid_request" });
  });

  test("gives a program access of its own, for the resources that it names", async () => {
    const fields = {
      grant_type: "client_credentials",
      scope: "reports:read",
      resource: "https://reports.example.test",
    };
    const answer = await token(fields, { authorization: kit.basic(robot) });
    expect(answer.json).toEqual({
      access_token: expect.any(String),
      token_type: "Bearer",
      expires_in: expect.any(Number),
      scope: "reports:read",
    });
    expect(decodeJwt(answer.textAt("access_token"))).toMatchObject({
      iss: issuer,
      sub: robot.client_id,
      client_id: robot.client_id,
      aud: "https://reports.example.test",
      scope: "reports:read",
    });
    expect(await kit.isActive(shop, answer.textAt("access_token"))).toBe(true);
    expect((await kit.userinfo(answer.textAt("access_token"))).status).toBe(401);
    const { code } = await kit.run("client:revoke", "Robot");
    expect(code).toBe(0);
    expect(await kit.isActive(shop, answer.textAt("access_token"))).toBe(false);
  });

  test("answers scripts of a registered page's origin, and no others", async () => {
    const asked = (origin: string) =>
      createClient(target.url).request("OPTIONS", "/oauth2/token", undefined, {
        headers: { origin, "access-control-request-method": "POST" },
      });
    const own = await asked(new URL(redirectUri).origin);
    expect(own.headers.get("access-control-allow-origin")).toBe(new URL(redirectUri).origin);
    expect(own.headers.get("access-control-allow-headers")).toContain("DPoP");
    expect(own.headers.get("access-control-allow-credentials")).toBeNull();
    expect((await asked("https://evil.example.test")).headers.get("access-control-allow-origin")).toBeNull();
    const { client } = await people.register("ada");
    const code = kit.told(await kit.authorize(client, browser)).get("code");
    const swapped = await kit.call(
      "/oauth2/token",
      {
        grant_type: "authorization_code",
        code: code ?? "",
        redirect_uri: redirectUri,
        code_verifier: "x".repeat(43),
        client_id: browser.client_id,
      },
      { origin: new URL(redirectUri).origin, "sec-fetch-site": "cross-site" },
    );
    expect(swapped.at("error")).toBe("invalid_grant");
    expect(swapped.headers.get("access-control-allow-origin")).toBe(new URL(redirectUri).origin);
  });
});

describe("what an access token of a program opens", () => {
  test("userinfo tells what the scopes allow, by header and by form, and says why it refuses", async () => {
    const ada = await people.register("ada");
    const tokens = await kit.signIn(ada.client, shop, { scope: "openid email" });
    const access = tokens.textAt("access_token");
    expect((await kit.userinfo(access)).json).toEqual({ sub: ada.id, email: ada.email, email_verified: false });
    expect((await kit.call("/oauth2/userinfo", { access_token: access })).at("sub")).toBe(ada.id);
    const none = await createClient(target.url).get("/oauth2/userinfo");
    expect({ status: none.status, how: none.headers.get("www-authenticate") }).toEqual({ status: 401, how: "Bearer" });
    const bad = await kit.userinfo("x");
    expect(bad.headers.get("www-authenticate")).toContain('error="invalid_token"');
    const plain = await kit.signIn(ada.client, shop, { scope: "email" });
    expect(plain.at("id_token")).toBeUndefined();
    const refused = await kit.userinfo(plain.textAt("access_token"));
    expect({ status: refused.status, error: refused.at("error") }).toEqual({
      status: 403,
      error: "insufficient_scope",
    });
  });

  test("verify and introspection of services take it, and tell no more than was granted", async () => {
    const ada = await people.register("ada");
    const access = (await kit.signIn(ada.client, shop, { scope: "openid" })).textAt("access_token");
    const verified = await createClient(target.url).get("/api/v1/auth/verify", {
      headers: { authorization: `Bearer ${access}` },
    });
    expect(verified.status).toBe(204);
    expect(verified.headers.get("x-auth-user-id")).toBe(ada.id);
    expect(verified.headers.get("x-auth-email")).toBe("");
    const services = serviceKit(target);
    const told = await services.introspect(await services.create("crm"), access);
    expect(told.json).toMatchObject({ active: true, sub: ada.id, client_id: shop.client_id, scope: "openid" });
    expect(told.at("email")).toBeUndefined();
    await ada.client.post("/api/v1/auth/logout");
    const after = await createClient(target.url).get("/api/v1/auth/verify", {
      headers: { authorization: `Bearer ${access}` },
    });
    expect(after.status).toBe(401);
  });

  test("a program of others learns about tokens of its own alone", async () => {
    const { client } = await people.register("ada");
    const access = (await kit.signIn(client, shop, { scope: "openid" })).textAt("access_token");
    const partner = await kit.register("Partner", "--third-party");
    const asker = await kit.register("Gateway");
    expect(await kit.isActive(asker, access)).toBe(true);
    expect(await kit.isActive(partner, access)).toBe(false);
  });

  test("a program that proves nothing learns nothing about tokens", async () => {
    const answer = await kit.call("/oauth2/introspect", { token: "x", client_id: browser.client_id });
    expect(answer.at("error")).toBe("unauthorized_client");
  });

  test("a refresh narrows scope and resources, and never widens them", async () => {
    const ada = await people.register("ada");
    const asked = { scope: "openid email offline_access" };
    const first = await kit.signIn(ada.client, shop, asked);
    const narrow = await kit.refresh(shop, first.textAt("refresh_token"), { scope: "openid" });
    expect(narrow.at("scope")).toBe("openid");
    const wide = await kit.refresh(shop, narrow.textAt("refresh_token"), { scope: "openid profile" });
    expect(wide.at("error")).toBe("invalid_scope");
    const foreign = await kit.refresh(shop, narrow.textAt("refresh_token"), { resource: "https://b.example.test" });
    expect(foreign.at("error")).toBe("invalid_target");
  });
});

test("a claim that is asked for by its name is given where a scope of the program has it, and people are asked about that scope", async () => {
  const ada = await people.register("ada", { display_name: "Ada Lovelace" });
  const claims = JSON.stringify({ userinfo: { name: { essential: true }, roles: null }, id_token: { email: null } });
  const tokens = await kit.signIn(ada.client, shop, { scope: "openid", claims });
  expect((await kit.userinfo(tokens.textAt("access_token"))).json).toEqual({ sub: ada.id, name: "Ada Lovelace" });
  expect(decodeJwt(tokens.textAt("id_token"))).toMatchObject({ email: ada.email });
  expect(decodeJwt(tokens.textAt("id_token"))["name"]).toBeUndefined();
  const others = await kit.register("Others", "--third-party");
  const asked = await kit.authorize(ada.client, others, { scope: "openid", claims });
  expect(asked.text).toContain("see your email address");
});
