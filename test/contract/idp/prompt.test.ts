import { describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { auth, minute, type Person } from "../../support/auth.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { challenged, outdateProof, setUpTotp } from "../../support/factors.ts";
import { stage } from "../../support/stage.ts";
import { hotp } from "../../support/totp.ts";
import { idpEnvironment, idpKit, issuer, redirectUri } from "./idp.fixture.ts";
import { ledTo } from "./pages.fixture.ts";

const { target, people, rows } = await stage({ env: idpEnvironment });
const kit = idpKit(target);
const shop = await kit.register("Shop");
const partner = await kit.register("Partner", "--third-party");
const office = await kit.register("Office", "--role", "clerk");

const errorOf = (answer: Answer): string | null => kit.told(answer).get("error");
const codeOf = (answer: Answer): string => {
  const code = kit.told(answer).get("code");
  if (code === null) throw new Error(`no code: ${answer.headers.get("location")}`);
  return code;
};
const claimsOf = async (answer: Answer, client = shop) =>
  decodeJwt((await kit.swap(client, codeOf(answer))).textAt("id_token"));
/** Gives the password again, in the browser that is signed in. */
const proveIn = (browser: Client, { email, password }: Person) =>
  browser.post(auth("login"), { login: email, password });

describe("prompt=none never asks", () => {
  const silent = { prompt: "none" };

  test("O-50 a stranger: login_required", async () => {
    expect(errorOf(await kit.authorize(createClient(target.url), shop, silent))).toBe("login_required");
  });

  test("O-50 somebody who is signed in: a code, without a page", async () => {
    const { client, id } = await people.register("ada");
    expect(await claimsOf(await kit.authorize(client, shop, silent))).toMatchObject({ sub: id });
  });

  test("O-50 a session that has ended: login_required", async () => {
    const { client } = await people.register("ada");
    await client.post(auth("logout-all"));
    expect(errorOf(await kit.authorize(client, shop, silent))).toBe("login_required");
  });

  test("O-50 a proof that is older than max_age: login_required", async () => {
    const person = await people.register("ada");
    outdateProof(rows, person);
    const answer = (max_age: string) => kit.authorize(person.client, shop, { ...silent, max_age });
    expect(errorOf(await answer("60"))).toBe("login_required");
    expect(codeOf(await answer("7200"))).toEqual(expect.any(String));
  });

  test("O-50 a program that has to be allowed: consent_required; one that is not for this person: access_denied", async () => {
    const { client } = await people.register("ada");
    expect(errorOf(await kit.authorize(client, partner, silent))).toBe("consent_required");
    expect(errorOf(await kit.authorize(client, office, silent))).toBe("access_denied");
  });

  test("O-50 a level that must be: interaction_required; one that is wished for: a code", async () => {
    const person = await people.register("ada");
    await setUpTotp(person);
    const browser = person.client;
    rows.run("update auth_sessions set factor = null where user_id = ?", person.id);
    const essential = (values: readonly string[]) =>
      kit.authorize(browser, shop, {
        ...silent,
        claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
      });
    expect(errorOf(await essential(["aal2"]))).toBe("interaction_required");
    expect(codeOf(await essential(["aal2", "aal1"]))).toEqual(expect.any(String));
    expect(await claimsOf(await kit.authorize(browser, shop, { ...silent, acr_values: "aal2" }))).toMatchObject({
      acr: "aal1",
    });
  });

  test("O-50 the ID token of another person: login_required; of this one, though it has expired: a code", async () => {
    const [one, other] = [await people.register("ada"), await people.register("grace")];
    const hint = (await kit.signIn(other.client, shop)).textAt("id_token");
    expect(errorOf(await kit.authorize(one.client, shop, { ...silent, id_token_hint: hint }))).toBe("login_required");
    expect(codeOf(await kit.authorize(other.client, shop, { ...silent, id_token_hint: hint }))).toEqual(
      expect.any(String),
    );
  });
});

describe("prompt=login always asks", () => {
  test("O-51 somebody who is signed in proves it anew, and the mark of one request is good for no other", async () => {
    const person = await people.register("ada");
    const before = await claimsOf(await kit.authorize(person.client, shop));
    outdateProof(rows, person);
    const asked = ledTo(await kit.authorize(person.client, shop, { prompt: "login" }));
    expect({ path: asked.path, how: asked.query.get("reauthenticate") }).toEqual({ path: "/login", how: "true" });
    // To go on without a proof leads back to the sign-in, as often as one likes.
    const again = ledTo(await person.client.get(asked.next));
    expect(again.query.get("reauthenticate")).toBe("true");
    expect((await proveIn(person.client, person)).status).toBe(200);
    const after = await claimsOf(await person.client.get(again.next));
    expect(Number(after["auth_time"])).toBeGreaterThanOrEqual(Number(before["auth_time"]));
    const mark = new URL(again.next, issuer).searchParams.get("asked") ?? "";
    for (const fields of [{ nonce: "another", asked: mark }, { asked: `${Date.now() - minute}.${mark.split(".")[1]}` }])
      expect(ledTo(await kit.authorize(person.client, shop, { prompt: "login", ...fields })).path).toBe("/login");
  });

  test("O-51 a stranger is asked once", async () => {
    const person = await people.register("ada");
    const stranger = createClient(target.url);
    const asked = ledTo(await kit.authorize(stranger, shop, { prompt: "login", login_hint: person.email }));
    expect(asked.query.get("reauthenticate")).toBeNull();
    expect(asked.query.get("login_hint")).toBe(person.email);
    await proveIn(stranger, person);
    expect(codeOf(await stranger.get(asked.next))).toEqual(expect.any(String));
  });

  test("O-51 max_age=0 asks too, and a younger proof is enough for a greater one", async () => {
    const person = await people.register("ada");
    expect(codeOf(await kit.authorize(person.client, shop, { max_age: "300" }))).toEqual(expect.any(String));
    outdateProof(rows, person);
    for (const max_age of ["0", "300"]) {
      const asked = ledTo(await kit.authorize(person.client, shop, { max_age }));
      expect(asked.query.get("reauthenticate")).toBe("true");
    }
    const asked = ledTo(await kit.authorize(person.client, shop, { max_age: "0" }));
    await proveIn(person.client, person);
    const { auth_time } = await claimsOf(await person.client.get(asked.next));
    expect(Math.abs(Number(auth_time) - Date.now() / 1000)).toBeLessThan(60);
  });
});

describe("prompt=select_account leaves the choice", () => {
  test("O-52 to go on as oneself, without a proof, or as somebody else", async () => {
    const [one, other] = [await people.register("ada"), await people.register("grace")];
    const browser = one.client;
    const asked = ledTo(await kit.authorize(browser, shop, { prompt: "select_account" }));
    expect([asked.query.get("select_account"), asked.query.get("reauthenticate")]).toEqual(["true", null]);
    expect(await claimsOf(await browser.get(asked.next))).toMatchObject({ sub: one.id });
    await proveIn(browser, other);
    expect(await claimsOf(await browser.get(asked.next))).toMatchObject({ sub: other.id });
  });

  test("O-52 with login it asks for the choice, and then for the proof", async () => {
    const person = await people.register("ada");
    const choice = ledTo(await kit.authorize(person.client, shop, { prompt: "select_account login" }));
    expect(choice.query.get("select_account")).toBe("true");
    outdateProof(rows, person);
    const proof = ledTo(await person.client.get(choice.next));
    expect(proof.query.get("reauthenticate")).toBe("true");
    await proveIn(person.client, person);
    expect(codeOf(await person.client.get(proof.next))).toEqual(expect.any(String));
  });

  test("O-53 the ID token of another person asks for that one, and nobody else is told of", async () => {
    const [one, other] = [await people.register("ada"), await people.register("grace")];
    const id_token_hint = (await kit.signIn(other.client, shop)).textAt("id_token");
    const asked = ledTo(await kit.authorize(one.client, shop, { id_token_hint }));
    expect(asked.path).toBe("/login");
    expect(errorOf(await one.client.get(asked.next))).toBe("login_required");
    await proveIn(one.client, other);
    expect(await claimsOf(await one.client.get(asked.next))).toMatchObject({ sub: other.id });
  });
});

describe("acr_values=aal2 raises the session", () => {
  test("O-54 by the second factor of who has one", async () => {
    const person = await people.register("ada");
    const { secret, step } = await setUpTotp(person);
    rows.run("update auth_sessions set factor = null where user_id = ?", person.id);
    const asked = ledTo(await kit.authorize(person.client, shop, { acr_values: "aal2" }));
    expect(asked.query.get("reauthenticate")).toBe("true");
    const { client, verify } = await challenged(target.url, person);
    expect((await verify("totp", hotp(secret, step + 1))).status).toBe(200);
    expect(await claimsOf(await client.get(asked.next))).toMatchObject({ acr: "aal2" });
    expect(await claimsOf(await kit.authorize(client, shop, { acr_values: "aal2" }))).toMatchObject({ acr: "aal2" });
    // Who came back without it is not asked for ever: the level was a wish.
    expect(await claimsOf(await person.client.get(asked.next))).toMatchObject({ acr: "aal1" });
  });

  test("O-54 nobody is asked for a factor that they do not have: a wish is passed over, a demand is refused", async () => {
    const { client } = await people.register("ada");
    expect(await claimsOf(await kit.authorize(client, shop, { acr_values: "aal2" }))).toMatchObject({ acr: "aal1" });
    expect(await claimsOf(await kit.authorize(client, shop, { acr_values: "aal2 aal1" }))).toMatchObject({
      acr: "aal1",
    });
    const claims = '{"id_token":{"acr":{"essential":true,"value":"aal2"}}}';
    expect(errorOf(await kit.authorize(client, shop, { claims }))).toBe("unmet_authentication_requirements");
  });
});

describe("a request that was sent ahead", () => {
  const par = (client = shop, fields = {}) =>
    kit.call("/oauth2/par", kit.requestOf(client, fields), { authorization: kit.basic(client) });
  const use = (browser: Client, request_uri: string, client = shop, more = "") =>
    browser.get(
      `/oauth2/authorize?client_id=${client.client_id}&request_uri=${encodeURIComponent(request_uri)}${more}`,
    );
  const nowhere = { status: 400, location: null };
  const summary = ({ status, headers }: Answer) => ({ status, location: headers.get("location") });

  test("O-55 is used once, and what the address says beside it counts for nothing", async () => {
    const { client } = await people.register("ada");
    const sent = await par(shop, { scope: "openid" });
    expect({ status: sent.status, seconds: sent.at("expires_in") }).toEqual({ status: 201, seconds: 300 });
    const uri = sent.textAt("request_uri");
    const answer = await use(client, uri, shop, "&scope=openid+email&state=other&redirect_uri=https://evil.test/");
    expect(kit.told(answer).get("state")).toBe("state-of-the-test");
    expect((await kit.swap(shop, codeOf(answer))).at("scope")).toBe("openid");
    const again = await use(client, uri);
    expect(summary(again)).toEqual(nowhere);
    expect(again.text).toContain("Go back to the app and sign in from there.");
    expect(errorOf(await use(client, uri, shop, `&redirect_uri=${encodeURIComponent(redirectUri)}`))).toBe(
      "invalid_request_uri",
    );
  });

  test("O-55 leads to one answer, a refusal included", async () => {
    const uri = (await par(shop, { prompt: "none" })).textAt("request_uri");
    expect(errorOf(await use(createClient(target.url), uri))).toBe("login_required");
    expect(summary(await use((await people.register("ada")).client, uri))).toEqual(nowhere);
  });

  test("O-55 is of use to the program that sent it alone, and for five minutes", async () => {
    const { client } = await people.register("ada");
    const uri = (await par()).textAt("request_uri");
    expect(summary(await use(client, uri, partner))).toEqual(nowhere);
    rows.run("update idp_requests set expires_at = expires_at - ?", 5 * minute);
    expect(summary(await use(client, uri))).toEqual(nowhere);
  });

  test("O-55 lasts while its person signs in, and the mark of having been asked comes with it", async () => {
    const person = await people.register("ada");
    outdateProof(rows, person);
    const uri = (await par(shop, { prompt: "login" })).textAt("request_uri");
    const asked = ledTo(await use(person.client, uri));
    rows.run("update idp_requests set expires_at = expires_at - ?", 15 * minute);
    expect(ledTo(await person.client.get(asked.next)).query.get("reauthenticate")).toBe("true");
    await proveIn(person.client, person);
    expect(codeOf(await person.client.get(asked.next))).toEqual(expect.any(String));
  });
});
