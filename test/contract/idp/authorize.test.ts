import { describe, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { untilLogged } from "../../support/log.ts";
import { stage } from "../../support/stage.ts";
import { form, idpEnvironment, idpKit, issuer, redirectUri } from "./idp.fixture.ts";
import { formsOf, ledTo } from "./pages.fixture.ts";

const { target, people } = await stage({ env: idpEnvironment });
const kit = idpKit(target);
const shop = await kit.register("Shop", "--scope", "openid,email");
const scope = "openid email";
const single = await kit.register("Single", "--type", "browser");
const phone = await kit.register(
  "Phone",
  "--type",
  "native",
  "--redirect-uri",
  "http://127.0.0.1/done",
  "--redirect-uri=app.phone.test:/done",
  "--redirect-uri=http://[::1]/done",
);
const { client: ada } = await people.register("ada");

const longText = "a".repeat(2_000);
const summary = ({ status, headers }: Answer) => ({ status, location: headers.get("location") });
const nowhere = { status: 400, location: null };

/** Returns the error that a program is told, with what has to come with it. */
function errorIn(answer: Answer, uri = redirectUri): string | null {
  const told = kit.told(answer, uri);
  expect({ state: told.get("state"), iss: told.get("iss"), code: told.get("code") }).toEqual({
    state: "state-of-the-test",
    iss: issuer,
    code: null,
  });
  expect(told.get("error_description")).toEqual(expect.any(String));
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  return told.get("error");
}

describe("a request that is wrong is told to the program, at its address, with its state and the issuer", () => {
  test.each([
    ["no response_type", { response_type: undefined }, "invalid_request"],
    ["the implicit grant", { response_type: "token" }, "unsupported_response_type"],
    ["a hybrid grant", { response_type: "code id_token" }, "unsupported_response_type"],
    ["another response_mode", { response_mode: "fragment" }, "invalid_request"],
    ["plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["PKCE whose method is left out, which means plain", { code_challenge_method: undefined }, "invalid_request"],
    ["a method without a challenge", { code_challenge: undefined }, "invalid_request"],
    ["a challenge that is none", { code_challenge: "short" }, "invalid_request"],
    ["a challenge with a foreign letter", { code_challenge: `${"a".repeat(42)}=` }, "invalid_request"],
    ["a prompt that is not known", { prompt: "create" }, "invalid_request"],
    ["prompt none with another", { prompt: "none login" }, "invalid_request"],
    ["a max_age that is no number", { max_age: "soon" }, "invalid_request"],
    ["a max_age below zero", { max_age: "-1" }, "invalid_request"],
    ["claims that are no JSON", { claims: "{" }, "invalid_request"],
    ["claims that are a list", { claims: "[]" }, "invalid_request"],
    ["claims of a wrong shape", { claims: '{"id_token":7}' }, "invalid_request"],
    ["too many claims", { claims: JSON.stringify({ userinfo: { [longText + longText]: null } }) }, "invalid_request"],
    ["a request object", { request: "e30.e30." }, "request_not_supported"],
    ["a registration", { registration: "{}" }, "registration_not_supported"],
    ["a request to be fetched", { request_uri: "https://shop.example.test/r" }, "request_uri_not_supported"],
    ["a request that nobody sent", { request_uri: "urn:ietf:params:oauth:request_uri:x" }, "invalid_request_uri"],
    ["a scope that it may not have", { scope: "openid roles" }, "invalid_scope"],
    ["only scopes that nobody knows", { scope: "fridge" }, "invalid_scope"],
    ["a resource that is no address", { resource: "shop" }, "invalid_target"],
    ["a resource with a fragment", { resource: "https://api.example.test/#a" }, "invalid_target"],
    ["an ID token that is none", { id_token_hint: "e30.e30.e30" }, "invalid_request"],
    ["a key that is none", { dpop_jkt: "key" }, "invalid_request"],
    [
      "a level that must be and that nobody has",
      { claims: '{"id_token":{"acr":{"essential":true,"values":["aal9"]}}}' },
      "unmet_authentication_requirements",
    ],
  ])("O-40 %s", async (_what, fields, code) => {
    for (const browser of [ada, createClient(target.url)])
      expect(errorIn(await kit.authorize(browser, shop, { scope, ...fields }))).toBe(code);
  });

  test.each(["scope", "nonce", "prompt", "code_challenge", "response_type", "response_mode", "max_age"])(
    "O-40 a second %s",
    async (name) => {
      const query = form(
        kit.requestOf(shop, { scope, nonce: "n", prompt: "login", response_mode: "query", max_age: "1" }),
      );
      expect(errorIn(await ada.get(`/oauth2/authorize?${query}&${name}=x`))).toBe("invalid_request");
    },
  );

  test("O-40 a second state: none of the two comes back", async () => {
    const answer = await ada.get(`/oauth2/authorize?${form(kit.requestOf(shop, { scope }))}&state=x`);
    const told = kit.told(answer);
    expect([told.get("error"), told.get("state"), told.get("iss")]).toEqual(["invalid_request", null, issuer]);
  });

  test("O-40 the absence of PKCE, where a program can keep no secret", async () => {
    const bare = { code_challenge: undefined, code_challenge_method: undefined };
    expect(errorIn(await kit.authorize(ada, single, bare))).toBe("invalid_request");
    const uri = "http://127.0.0.1:5000/done";
    expect(errorIn(await kit.authorize(ada, phone, { ...bare, redirect_uri: uri }), uri)).toBe("invalid_request");
    expect(kit.told(await kit.authorize(ada, shop, { ...bare, scope })).get("code")).not.toBeNull();
  });

  test("O-40 an empty parameter counts as absent, an unknown one and an unknown scope are passed over", async () => {
    const fields = { prompt: "", max_age: "", unheard: "of", scope: "openid fridge" };
    expect(kit.told(await kit.authorize(ada, shop, fields)).get("code")).not.toBeNull();
  });
});

describe("a request whose program or address is not known gets a page and leads nowhere", () => {
  test.each([
    ["no program", { client_id: undefined }, "not registered with this service"],
    ["an unknown program", { client_id: "nobody" }, "not registered with this service"],
    ["no address", { redirect_uri: undefined }, "has not registered"],
    ["a slash more", { redirect_uri: `${redirectUri}/` }, "has not registered"],
    ["a query more", { redirect_uri: `${redirectUri}?a=b` }, "has not registered"],
    ["other letters", { redirect_uri: redirectUri.toUpperCase() }, "has not registered"],
    ["a path around it", { redirect_uri: "https://shop.example.test/x/../callback" }, "has not registered"],
    ["a port", { redirect_uri: "https://shop.example.test:443/callback" }, "has not registered"],
    ["a user", { redirect_uri: "https://shop.example.test@evil.test/callback" }, "has not registered"],
    ["no encryption", { redirect_uri: "http://shop.example.test/callback" }, "has not registered"],
    ["a script", { redirect_uri: "javascript:alert(1)" }, "has not registered"],
  ])("O-41 %s", async (_what, fields, words) => {
    const page = await kit.authorize(ada, shop, fields);
    expect(summary(page)).toEqual(nowhere);
    expect(page.text).toContain(words);
    expect(page.text).not.toContain("evil.test");
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
  });

  test("O-41 the log says by the id on the page what was asked for, without what may be a secret in it", async () => {
    const wrong = await kit.authorize(ada, shop, { redirect_uri: `${redirectUri}/x?key=s3cr3t` });
    const stranger = await kit.authorize(ada, shop, { client_id: "nobody-knows" });
    const idOn = ({ text }: Answer): string => /Request ([\w-]+)/.exec(text)?.[1] ?? "no id";
    await untilLogged(target, new RegExp(`${idOn(wrong)}.*unknown_redirect_uri.*Shop.*${redirectUri}/x[" ]`));
    await untilLogged(target, new RegExp(`${idOn(stranger)}.*unknown_client.*nobody-knows`));
    expect(target.logs()).not.toContain("s3cr3t");
  });

  test.each(["client_id", "redirect_uri"])("O-41 a second %s", async (name) => {
    const asked: Readonly<Record<string, string | undefined>> = kit.requestOf(shop);
    const again = form({ [name]: asked[name] });
    expect(summary(await ada.get(`/oauth2/authorize?${form(asked)}&${again}`))).toEqual(nowhere);
  });

  test("O-41 a machine, which signs nobody in, and a request out of all proportion", async () => {
    const robot = await kit.register("Robot", "--type", "machine");
    const page = await kit.authorize(ada, robot);
    expect(summary(page)).toEqual(nowhere);
    expect(page.text).toContain("This program has no people that it signs in.");
    const many = Array.from({ length: 70 }, (_, index) => `p${index}=1`).join("&");
    expect(summary(await ada.get(`/oauth2/authorize?${form(kit.requestOf(shop))}&${many}`))).toEqual(nowhere);
  });

  test("O-41 a loopback address of a native program may have any port, and nothing else may differ", async () => {
    for (const redirect_uri of ["http://127.0.0.1:49152/done", "http://[::1]:1/done", "app.phone.test:/done"]) {
      const answer = await kit.authorize(ada, phone, { redirect_uri });
      expect(kit.told(answer, redirect_uri).get("code")).not.toBeNull();
    }
    for (const redirect_uri of [
      "http://localhost:49152/done",
      "http://127.0.0.1:49152/other",
      "http://127.0.0.1:49152/done?a=b",
      "http://127.0.0.1.evil.test:80/done",
      "https://127.0.0.1:49152/done",
      "app.phone.test:/other",
    ])
      expect([redirect_uri, summary(await kit.authorize(ada, phone, { redirect_uri }))]).toEqual([
        redirect_uri,
        nowhere,
      ]);
    const web = await kit.register("Local", "--redirect-uri", "http://localhost:3000/done");
    expect(summary(await kit.authorize(ada, web, { redirect_uri: "http://localhost:3001/done" }))).toEqual(nowhere);
  });

  test("O-41 HEAD is refused: it must neither make a code nor be told of anything", async () => {
    const answer = await ada.request("HEAD", `/oauth2/authorize?${form(kit.requestOf(shop, { scope }))}`);
    expect([summary(answer), answer.headers.get("allow")]).toEqual([{ status: 405, location: null }, "GET, POST"]);
  });
});

describe("the ways in which a request and its answer travel", () => {
  test("O-42 a form from another site, which has no cookies, comes back with them as an address", async () => {
    const body = form(kit.requestOf(shop, { scope }));
    const sent = await kit.call("/oauth2/authorize", kit.requestOf(shop, { scope }), {
      origin: "https://shop.example.test",
    });
    expect(summary(sent)).toEqual({ status: 303, location: `/oauth2/authorize?${body}` });
    expect(kit.told(await ada.get(sent.headers.get("location") ?? "")).get("code")).not.toBeNull();
    const twice = await createClient(target.url).request("POST", "/oauth2/authorize", undefined, {
      body: `${body}&nonce=a&nonce=b`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(errorIn(twice)).toBe("invalid_request");
  });

  test("O-42 response_mode=form_post sends the answer as a form, to that address alone", async () => {
    const page = await kit.authorize(ada, shop, { scope, response_mode: "form_post", state: `"><b>` });
    expect(summary(page)).toEqual({ status: 200, location: null });
    const [sent] = formsOf(page);
    expect(sent).toMatchObject({ action: redirectUri, buttons: [{ words: "Go on" }] });
    const fields = Object.fromEntries(sent?.fields ?? []);
    expect(fields).toEqual({ code: expect.any(String), state: `"><b>`, iss: issuer });
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("form-action 'self' https:;");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect((await kit.swap(shop, fields["code"] ?? "")).status).toBe(200);
    const refused = await kit.authorize(ada, shop, { scope: "roles", response_mode: "form_post" });
    expect(Object.fromEntries(formsOf(refused)[0]?.fields ?? [])).toMatchObject({
      error: "invalid_scope",
      iss: issuer,
    });
  });

  test("O-42 no form is sent to an app on the device: it is told so by its address", async () => {
    const redirect_uri = "app.phone.test:/done";
    const answer = await kit.authorize(ada, phone, { redirect_uri, response_mode: "form_post" });
    expect(errorIn(answer, redirect_uri)).toBe("invalid_request");
  });

  test("O-42 a request that is too long for addresses is kept while its person signs in, and by POST too", async () => {
    const nonce = longText;
    const person = await people.register("ada");
    const stranger = createClient(target.url);
    const asked = ledTo(await kit.authorize(stranger, shop, { scope, nonce }));
    expect(asked.path).toBe("/login");
    expect(asked.next.length).toBeLessThan(400);
    expect(asked.next).toContain("request_uri=");
    await stranger.post(auth("login"), { login: person.email, password: person.password });
    const code = kit.told(await stranger.get(asked.next)).get("code");
    const tokens = await kit.swap(shop, code);
    expect(tokens.status).toBe(200);
    const again = await stranger.get(asked.next);
    expect(summary(again)).toEqual(nowhere);
    expect(again.text).toContain("Begin again in the app");
    const sent = await kit.call("/oauth2/authorize", kit.requestOf(shop, { scope, nonce }));
    expect(sent.headers.get("location")?.length).toBeLessThan(300);
    expect(kit.told(await stranger.get(sent.headers.get("location") ?? "")).get("code")).not.toBeNull();
    const unknown = await kit.call(
      "/oauth2/authorize",
      kit.requestOf({ client_id: "x", client_secret: "" }, { nonce }),
    );
    expect(summary(unknown)).toEqual(nowhere);
  });
});
