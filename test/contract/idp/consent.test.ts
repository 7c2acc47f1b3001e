import { describe, expect, test } from "bun:test";
import { ourLanguages } from "../../../src/words/tables.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { form, idpEnvironment, idpKit, issuer, type Registered } from "./idp.fixture.ts";
import { formsOf, ledTo, press } from "./pages.fixture.ts";

const { target, people, rows } = await stage({ env: { ...idpEnvironment, IDP_CLIENT_METADATA_DOCUMENTS: "any" } });
const kit = idpKit(target);
const partner = await kit.register("Partner & Sons", "--third-party", "--scope", "openid,profile,email,roles");
const ownClient = await kit.register("Shop");
const office = await kit.register("Office", "--role", "clerk");
const scope = "openid profile";

const ask = (browser: Client, fields: Readonly<Record<string, string | undefined>> = {}, client = partner) =>
  kit.authorize(browser, client, { scope, ...fields });
const isAsked = ({ status, text }: Answer): boolean => status === 200 && text.includes("Let Partner &amp; Sons in?");
const isCode = (answer: Answer): boolean => kit.told(answer).get("code") !== null;
/** Whether an answer to the form of a page led back to the question, and to nothing else. */
const isAskedAnew = ({ status, headers }: Answer): boolean =>
  status === 303 && (headers.get("location") ?? "").startsWith("/oauth2/authorize?");

async function asked(name = "ada") {
  const person = await people.register(name, { display_name: "Ada Lovelace" });
  const page = await ask(person.client);
  expect(isAsked(page)).toBe(true);
  return { ...person, page };
}

describe("a program of others", () => {
  test("O-60 says what it wants, where it leads and who is signed in, and whatever it says of itself is not repeated", async () => {
    const { page, client } = await asked();
    for (const words of [
      "know you by an id of your account",
      "see your name, your user name",
      "shop.example.test",
      "Ada Lovelace",
    ])
      expect(page.text).toContain(words);
    expect(page.text).not.toContain("see your email address");
    const boast = await ask(client, { client_name: "Your bank", display: "Your bank" });
    expect(boast.text.replaceAll(/<input[^>]*>/g, "").replaceAll(/href="[^"]*"/g, "")).not.toContain("Your bank");
  });

  test("O-60 is asked about once for a set of scopes, and again for more or where it asks for the question", async () => {
    const { page, client } = await asked();
    const allowed = await press(client, page, "Allow");
    expect(kit.told(allowed).get("state")).toBe("state-of-the-test");
    expect(await kit.swap(partner, kit.told(allowed).get("code"))).toMatchObject({ status: 200 });
    expect(isCode(await ask(client))).toBe(true);
    expect(isCode(await ask(client, { scope: "openid" }))).toBe(true);
    const more = await ask(client, { scope: "openid email" });
    expect(isAsked(more)).toBe(true);
    expect(isCode(await press(client, more, "Allow"))).toBe(true);
    // What was allowed first stays allowed.
    expect(isCode(await ask(client, { scope: "openid profile email" }))).toBe(true);
    expect(isAsked(await ask(client, { scope: "openid roles" }))).toBe(true);
    expect(isAsked(await ask(client, { prompt: "consent" }))).toBe(true);
    expect(isCode(await ask(client, { prompt: "none" }))).toBe(true);
    rows.run("delete from idp_consents");
    expect(isAsked(await ask(client))).toBe(true);
  });

  test("O-60 that is turned away hears access_denied, and nothing is remembered", async () => {
    const { page, client, id } = await asked();
    const denied = kit.told(await press(client, page, "Cancel"));
    expect(Object.fromEntries(denied)).toEqual({
      error: "access_denied",
      error_description: expect.any(String),
      state: "state-of-the-test",
      iss: issuer,
    });
    expect(rows.count("idp_consents where user_id = ?", id)).toBe(0);
    expect(isAsked(await ask(client))).toBe(true);
  });

  test("O-60 an own program never asks, unless by another account", async () => {
    const { client } = await people.register("ada");
    expect(isCode(await ask(client, {}, ownClient))).toBe(true);
    expect(isCode(await ask(client, { prompt: "consent" }, ownClient))).toBe(true);
  });

  test("O-60 another account can be taken: the way leads to the sign-in page, and back to the question", async () => {
    const { page, client } = await asked();
    const href = /<a href="([^"]*)">Use another account/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const way = new URL(href, issuer);
    expect([way.pathname, way.searchParams.get("reauthenticate")]).toEqual(["/login", "true"]);
    const grace = await people.register("grace", { display_name: "Grace Hopper" });
    expect((await client.get(way.searchParams.get("next") ?? "")).text).toContain("Ada Lovelace");
    expect((await grace.client.get(way.searchParams.get("next") ?? "")).text).toContain("Grace Hopper");
  });

  test("O-60 that sent its request ahead, or a long one, gets its answer once", async () => {
    const { client } = await people.register("ada");
    const sent = await kit.call("/oauth2/par", kit.requestOf(partner, { scope }), {
      authorization: kit.basic(partner),
    });
    const ahead = form({ client_id: partner.client_id, request_uri: sent.textAt("request_uri") });
    const page = await client.get(`/oauth2/authorize?${ahead}`);
    expect(isAsked(page)).toBe(true);
    expect(isCode(await press(client, page, "Allow"))).toBe(true);
    expect((await press(client, page, "Allow")).status).toBe(400);
    const long = await ask(client, { nonce: "n".repeat(3_000), prompt: "consent" });
    expect(isCode(await press(client, long, "Allow"))).toBe(true);
  });
});

describe("the decision is the person's alone", () => {
  test.each([
    ["no token", { fields: { csrf: undefined } }],
    ["a wrong token", { fields: { csrf: "a".repeat(43) } }],
    ["more scopes than were shown", { fields: { scope: "openid profile email" } }],
    ["another state", { fields: { state: "of the attacker" } }],
    ["another challenge", { fields: { code_challenge: "a".repeat(43) } }],
    ["a parameter more", { fields: { nonce: "n" } }],
  ])("O-61 a form with %s leads back to the question", async (_what, changes) => {
    const { page, client, id } = await asked();
    const answer = await press(client, page, "Allow", changes);
    expect(isAskedAnew(answer)).toBe(true);
    expect(isAsked(await client.get(answer.headers.get("location") ?? ""))).toBe(true);
    expect(rows.count("idp_consents where user_id = ?", id)).toBe(0);
  });

  test("O-61 another address in the form gets a page, whatever the token says", async () => {
    const { page, client } = await asked();
    const answer = await press(client, page, "Allow", { fields: { redirect_uri: "https://evil.test/" } });
    const followed = await client.get(answer.headers.get("location") ?? "/");
    expect([followed.status, followed.headers.get("location")]).toEqual([400, null]);
  });

  test("O-61 the page of one session is worth nothing in another, of whomever", async () => {
    const { page, login } = await asked();
    const grace = await people.register("grace");
    for (const browser of [grace.client, await login()]) {
      expect(isAskedAnew(await press(browser, page, "Allow"))).toBe(true);
      expect(isAsked(await ask(browser))).toBe(true);
    }
    const gone = await press(createClient(target.url), page, "Allow");
    expect(isAskedAnew(gone)).toBe(true);
    expect(ledTo(await createClient(target.url).get(gone.headers.get("location") ?? "")).path).toBe("/login");
  });

  test.each([
    ["the origin of another site", { origin: "https://evil.test", "sec-fetch-site": "cross-site" }],
    ["a sandboxed frame's", { origin: "null", "sec-fetch-site": "cross-site" }],
    ["that of another host of the domain", { origin: "https://shop.example.test", "sec-fetch-site": "same-site" }],
  ])("O-61 a form with %s is refused", async (_what, headers) => {
    const { page, client, id } = await asked();
    const answer = await press(client, page, "Allow", { headers });
    expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
    expect(rows.count("idp_consents where user_id = ?", id)).toBe(0);
  });

  test("O-61 a request that brings a decision, or a token, along has no say", async () => {
    const { client } = await people.register("ada");
    const page = await ask(client, { decision: "allow", csrf: "x" });
    expect(formsOf(page).map(({ fields }) => fields.filter(([name]) => name === "decision"))).toEqual([[]]);
    expect(kit.told(await press(client, page, "Cancel")).get("error")).toBe("access_denied");
  });

  test("O-61 nobody frames the page, and its forms lead to this service and to places like the program's alone", async () => {
    const { page, client } = await asked();
    const policy = page.headers.get("content-security-policy") ?? "";
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
      expect(policy).toContain(part);
    expect(policy).toContain("form-action 'self' https:;");
    expect(policy).not.toContain("script-src");
    expect(page.headers.get("cache-control")).toBe("no-store");
    const head = await client.request("HEAD", "/oauth2/consent");
    expect([head.status, head.headers.get("location")]).toEqual([405, null]);
  });
});

describe("a program that is for people with a role", () => {
  test("O-62 tells anybody else so on a page, and the program when they leave it", async () => {
    const { client, username, id } = await people.register("ada");
    const page = await ask(client, {}, office);
    expect(page.status).toBe(403);
    for (const words of ["You can&#x27;t use Office", username, "Use another account"])
      expect(page.text).toContain(words);
    const told = kit.told(await press(client, page, "Back to the app"));
    expect([told.get("error"), told.get("iss")]).toEqual(["access_denied", issuer]);
    rows.run("update users set roles = 'clerk' where id = ?", id);
    expect(isCode(await ask(client, {}, office))).toBe(true);
  });
});

describe("what the sign-in page is told of a program", () => {
  const about = (id: string) => createClient(target.url).get(`/oauth2/client?${form({ client_id: id })}`);
  const strangers = async (origin: string, id: string, uris: readonly string[]): Promise<string> => {
    const made = await kit.register(`Stranger ${id.slice(-3)}`, ...uris.flatMap((uri) => ["--redirect-uri", uri]));
    rows.run("update idp_clients set origin = ?, fresh_until = 9e15, id = ? where id = ?", origin, id, made.client_id);
    return id;
  };

  test("O-63 is its registered name and its host, for everybody, and nothing else", async () => {
    const answer = await about(partner.client_id);
    expect(answer.json).toEqual({ name: "Partner & Sons", host: "shop.example.test" });
    expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
    const robot: Registered = await kit.register("Robot", "--type", "machine");
    for (const id of ["", "nobody", robot.client_id]) expect((await about(id)).status).toBe(404);
  });

  test("O-63 is the host alone where nobody has checked the name, and nothing where that is anybody's guess", async () => {
    const id = await strangers("document", "https://agent.example.test/client/abc", ["https://a.test/cb"]);
    expect((await about(id)).json).toEqual({ name: "agent.example.test", host: "agent.example.test" });
    const one = await strangers("registration", "registered-one", ["https://b.test/x", "https://b.test/y"]);
    expect((await about(one)).json).toEqual({ name: "b.test", host: "b.test" });
    const two = await strangers("registration", "registered-two", ["https://bank.test/x", "https://evil.test/y"]);
    expect((await about(two)).status).toBe(404);
  });

  test("O-63 a program that nobody has checked is called so, with its host in large letters", async () => {
    const { client } = await people.register("ada");
    const id = await strangers("document", "https://agent.example.test/client/def", ["https://agent.example.test/cb"]);
    const page = await ask(
      client,
      { redirect_uri: "https://agent.example.test/cb" },
      { client_id: id, client_secret: "" },
    );
    expect(page.text).toContain('<p class="host">agent.<wbr>example.<wbr>test</p>');
    expect(page.text).toContain("<h1>Let this app in?</h1>");
    expect(page.text).toContain("It calls itself “Stranger def”.");
    expect(page.text).toContain("Nobody here has checked this app.");
  });

  test("O-63 pages speak the language that the program asks for, before that of the browser", async () => {
    const { client } = await people.register("ada");
    expect((await ask(client, { ui_locales: "sv-FI de en" })).text).toContain("Zugang geben?");
    const japanese = (await ask(client, { ui_locales: "ja" })).text;
    expect(japanese).toContain("許可すると、<strong>shop.example.test</strong>に移動します。");
    const asking = ledTo(await ask(createClient(target.url), { ui_locales: "de", login_hint: "ada@example.test" }));
    expect([asking.query.get("ui_locales"), asking.query.get("login_hint")]).toEqual(["de", "ada@example.test"]);
    expect((await client.get("/login?ui_locales=de")).text).toContain('lang="de"');
    const { json } = await client.get("/.well-known/openid-configuration");
    expect(json).toMatchObject({ ui_locales_supported: [...ourLanguages] });
  });
});
