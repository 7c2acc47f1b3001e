import { describe, expect, test } from "bun:test";
import { decodeProtectedHeader, decodeJwt } from "jose";
import { stage } from "../../support/stage.ts";
import { createClient } from "../../support/client.ts";
import { auth, isServed } from "../../support/auth.ts";
import { idpEnvironment, idpKit, issuer, redirectUri } from "./idp.fixture.ts";

const { target, people } = await stage({ env: idpEnvironment });
const kit = idpKit(target);
const shop = await kit.register("Shop");

describe("a code", () => {
  test("O-01 leads back with the state and the issuer, and is swapped for tokens of the person", async () => {
    const ada = await people.register("ada", { display_name: "Ada Lovelace" });
    const answer = await kit.authorize(ada.client, shop, { nonce: "n-1" });
    const told = kit.told(answer);
    expect(Object.fromEntries(told)).toEqual({ code: expect.any(String), state: "state-of-the-test", iss: issuer });
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    const tokens = await kit.swap(shop, told.get("code"));
    expect(tokens.status).toBe(200);
    expect(tokens.headers.get("cache-control")).toBe("no-store");
    expect(tokens.json).toEqual({
      access_token: expect.any(String),
      token_type: "Bearer",
      expires_in: expect.any(Number),
      scope: "openid profile email offline_access",
      refresh_token: expect.any(String),
      id_token: expect.any(String),
    });
    expect(decodeProtectedHeader(tokens.textAt("id_token"))).toMatchObject({ alg: "RS256", kid: expect.any(String) });
    expect(decodeJwt(tokens.textAt("id_token"))).toMatchObject({
      iss: issuer,
      aud: shop.client_id,
      sub: ada.id,
      nonce: "n-1",
      name: "Ada Lovelace",
      preferred_username: ada.username,
      email: ada.email,
      email_verified: false,
      acr: "aal1",
      amr: ["pwd"],
      auth_time: expect.any(Number),
      sid: expect.any(String),
    });
    expect(decodeProtectedHeader(tokens.textAt("access_token"))).toMatchObject({ typ: "at+jwt", alg: "EdDSA" });
    expect(decodeJwt(tokens.textAt("access_token"))).toMatchObject({ aud: shop.client_id, client_id: shop.client_id });
    const info = await kit.userinfo(tokens.textAt("access_token"));
    expect(info.json).toMatchObject({ sub: ada.id, email: ada.email, name: "Ada Lovelace" });
  });

  test("O-02 is good once: its second use ends all that came of it", async () => {
    const { client } = await people.register("ada");
    const code = kit.told(await kit.authorize(client, shop)).get("code");
    const first = await kit.swap(shop, code);
    expect(await kit.isActive(shop, first.textAt("access_token"))).toBe(true);
    const second = await kit.swap(shop, code);
    expect({ status: second.status, json: second.json }).toEqual({
      status: 400,
      json: { error: "invalid_grant", error_description: "The code is not good." },
    });
    expect(await kit.isActive(shop, first.textAt("access_token"))).toBe(false);
    expect((await kit.userinfo(first.textAt("access_token"))).status).toBe(401);
    expect((await kit.refresh(shop, first.textAt("refresh_token"))).status).toBe(400);
  });

  test("O-02 of ten calls at the same moment with one code at most one is answered, and nothing of it lives on", async () => {
    const { client } = await people.register("ada");
    const code = kit.told(await kit.authorize(client, shop)).get("code");
    const answers = await Promise.all(Array.from({ length: 10 }, () => kit.swap(shop, code)));
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeLessThanOrEqual(1);
    for (const answer of good) expect(await kit.isActive(shop, answer.textAt("access_token"))).toBe(false);
  });

  test.each([
    ["another address", { redirect_uri: "https://shop.example.test/other" }],
    ["another verifier", { code_verifier: "x".repeat(43) }],
    ["no verifier", { code_verifier: undefined }],
  ])("O-03 is refused with %s, and is worthless from then on", async (_what, wrong) => {
    const { client } = await people.register("ada");
    const code = kit.told(await kit.authorize(client, shop)).get("code");
    expect((await kit.swap(shop, code, wrong)).at("error")).toBe("invalid_grant");
    expect((await kit.swap(shop, code)).at("error")).toBe("invalid_grant");
  });

  test("O-03 may leave the address out where a verifier shows who asked, and not otherwise", async () => {
    const { client } = await people.register("ada");
    const code = kit.told(await kit.authorize(client, shop)).get("code");
    expect((await kit.swap(shop, code, { redirect_uri: undefined })).status).toBe(200);
    const asked = { code_challenge: undefined, code_challenge_method: undefined };
    const bare = kit.told(await kit.authorize(client, shop, asked)).get("code");
    const left = { redirect_uri: undefined, code_verifier: undefined };
    expect((await kit.swap(shop, bare, left)).at("error")).toBe("invalid_grant");
  });

  test("O-03 a verifier without a challenge shows that the challenge was taken away", async () => {
    const { client } = await people.register("ada");
    const asked = { code_challenge: undefined, code_challenge_method: undefined };
    const code = kit.told(await kit.authorize(client, shop, asked)).get("code");
    expect((await kit.swap(shop, code)).at("error")).toBe("invalid_grant");
  });

  test("O-03 of another program is refused, and stays good for its own", async () => {
    const { client } = await people.register("ada");
    const other = await kit.register("Other");
    const code = kit.told(await kit.authorize(client, shop)).get("code");
    expect((await kit.swap(other, code)).at("error")).toBe("invalid_grant");
    expect((await kit.swap(shop, code)).status).toBe(200);
  });

  test("O-04 of a session that has ended since is refused", async () => {
    const { client } = await people.register("ada");
    const code = kit.told(await kit.authorize(client, shop)).get("code");
    await client.post(auth("logout"));
    expect((await kit.swap(shop, code)).at("error")).toBe("invalid_grant");
  });
});

describe("a program's session", () => {
  test("O-05 opens no route of accounts, neither by its access token nor by its refresh token", async () => {
    const { client } = await people.register("ada");
    const tokens = await kit.signIn(client, shop);
    const access = { headers: { authorization: `Bearer ${tokens.textAt("access_token")}` } };
    expect((await createClient(target.url).get(auth("me"), access)).status).toBe(401);
    const refresh = await createClient(target.url).post(auth("refresh"), {
      refresh_token: tokens.textAt("refresh_token"),
    });
    expect(refresh.status).toBe(401);
  });

  test("O-06 ends with the browser's, unless it was granted to go on without it", async () => {
    const { client } = await people.register("ada");
    const bound = await kit.signIn(client, shop, { scope: "openid" });
    const standing = await kit.signIn(client, shop);
    await client.post(auth("logout"));
    expect(await kit.isActive(shop, bound.textAt("access_token"))).toBe(false);
    expect((await kit.refresh(shop, bound.textAt("refresh_token"))).at("error")).toBe("invalid_grant");
    expect(await kit.isActive(shop, standing.textAt("access_token"))).toBe(true);
    expect((await kit.refresh(shop, standing.textAt("refresh_token"))).status).toBe(200);
  });

  test("O-06 ends with everything else when its person signs out everywhere", async () => {
    const { client } = await people.register("ada");
    const standing = await kit.signIn(client, shop);
    await client.post(auth("logout-all"));
    expect(await kit.isActive(shop, standing.textAt("access_token"))).toBe(false);
    expect((await kit.refresh(shop, standing.textAt("refresh_token"))).at("error")).toBe("invalid_grant");
  });

  test("O-07 a refresh token that was swapped out ends the session once its successor is in use", async () => {
    const { client } = await people.register("ada");
    const first = await kit.signIn(client, shop);
    const second = await kit.refresh(shop, first.textAt("refresh_token"));
    // The answer may have been lost: within ten seconds the same token gets the same successor.
    const again = await kit.refresh(shop, first.textAt("refresh_token"));
    expect(again.textAt("refresh_token")).toBe(second.textAt("refresh_token"));
    const third = await kit.refresh(shop, second.textAt("refresh_token"));
    expect(third.status).toBe(200);
    expect((await kit.refresh(shop, first.textAt("refresh_token"))).at("error")).toBe("invalid_grant");
    expect((await kit.refresh(shop, third.textAt("refresh_token"))).at("error")).toBe("invalid_grant");
    expect(await isServed(client)).toBe(true);
  });

  test("O-07 a refresh token of another program is refused, and stays good for its own", async () => {
    const { client } = await people.register("ada");
    const tokens = await kit.signIn(client, shop);
    const thief = await kit.register("Thief");
    expect((await kit.refresh(thief, tokens.textAt("refresh_token"))).at("error")).toBe("invalid_grant");
    expect((await kit.refresh(shop, tokens.textAt("refresh_token"))).status).toBe(200);
  });

  test("revoking a token ends it, and the one of another program stays", async () => {
    const { client } = await people.register("ada");
    const tokens = await kit.signIn(client, shop);
    const other = await kit.register("Another");
    const revoke = (who: typeof shop) =>
      kit.call("/oauth2/revoke", { token: tokens.textAt("refresh_token") }, { authorization: kit.basic(who) });
    expect((await revoke(other)).status).toBe(200);
    expect(await kit.isActive(shop, tokens.textAt("access_token"))).toBe(true);
    expect((await revoke(shop)).status).toBe(200);
    expect(await kit.isActive(shop, tokens.textAt("access_token"))).toBe(false);
  });
});

test("somebody who is not signed in is led to the sign-in page, and from there back", async () => {
  const ada = await people.register("ada");
  const stranger = createClient(target.url);
  const answer = await kit.authorize(stranger, shop);
  const location = new URL(answer.headers.get("location") ?? "", target.url);
  expect({ status: answer.status, path: location.pathname }).toEqual({ status: 303, path: "/login" });
  const next = location.searchParams.get("next") ?? "";
  await stranger.post(auth("login"), { login: ada.email, password: ada.password });
  expect(kit.told(await stranger.get(next)).get("code")).toEqual(expect.any(String));
});

test("O-08 a program that is not known, and an address that is not registered, get a page and no redirect", async () => {
  const { client } = await people.register("ada");
  const unknown = await kit.authorize(client, { client_id: "nobody", client_secret: "" });
  expect({ status: unknown.status, location: unknown.headers.get("location") }).toEqual({
    status: 400,
    location: null,
  });
  expect(unknown.text).toContain("This app is not known here");
  const elsewhere = await kit.authorize(client, shop, { redirect_uri: `${redirectUri}/` });
  expect({ status: elsewhere.status, location: elsewhere.headers.get("location") }).toEqual({
    status: 400,
    location: null,
  });
});
