import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import type { Answer, Client } from "../../support/client.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { createPageVisitor, textOf, titleOf } from "../../support/staff.ts";
import { serviceKit } from "../backend/service.fixture.ts";
import { form, idpEnvironment, idpKit, type Registered } from "./idp.fixture.ts";
import { formsOf, press } from "./pages.fixture.ts";

/** The host of an agent, which answers as the test says. */
let answer: (url: string) => Response | Promise<Response>;
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: ({ url }) => answer(url) });
afterAll(() => server.stop(true));
const { origin, host } = server.url;

const { target, people, rows, browser } = await stage({
  env: { ...idpEnvironment, IDP_REGISTRATION: "open", IDP_CLIENT_METADATA_DOCUMENTS: host },
});
const kit = idpKit(target);
const services = serviceKit(target);
const known = "https://bank.example.test/callback";
const evil = "https://evil.example.test/callback";

async function register(fields: Readonly<Record<string, unknown>> = {}): Promise<Registered> {
  const asked = { redirect_uris: [evil], token_endpoint_auth_method: "none", ...fields };
  const made = await createClient(target.url).post("/oauth2/register", asked);
  if (made.status !== 201) throw new Error(made.text);
  const isSecret = made.at("client_secret") !== undefined;
  return { client_id: made.textAt("client_id"), client_secret: isSecret ? made.textAt("client_secret") : "" };
}
async function letIn(person: Client, client: Registered, uri: string, fields: Readonly<Record<string, string>> = {}) {
  const asked = { redirect_uri: uri, scope: "openid profile", ...fields };
  const page = await kit.authorize(person, client, asked);
  const told = kit.told(await press(person, page, "Allow"), uri);
  return kit.swap(client, told.get("code"), { redirect_uri: uri });
}
const isAsked = (page: Answer): boolean =>
  formsOf(page).some(({ buttons }) => buttons.some((b) => b.words === "Allow"));
const ask = (token: string, query = ""): Promise<Answer> =>
  createClient(target.url).get(`/api/v1/auth/verify${query}`, { headers: { authorization: `Bearer ${token}` } });
const verify = async (token: string, query = ""): Promise<number> => (await ask(token, query)).status;
const reports = "https://reports.example.test";
const asReports = `?resource=${encodeURIComponent(reports)}`;

describe("what a token of a program of others opens", () => {
  test("O-99 it stands for its person at no backend, whatever was granted", async () => {
    const { client: person } = await people.register("ada");
    const partner = await kit.register("Partner", "--third-party", "--redirect-uri", known);
    const crm = await services.create("crm-of-others");
    for (const [client, uri] of [
      [await register(), evil],
      [partner, known],
    ] as const) {
      const access = (await letIn(person, client, uri, { scope: "openid email" })).textAt("access_token");
      expect((await kit.userinfo(access)).status).toBe(200);
      expect(await verify(access)).toBe(401);
      expect((await services.introspect(crm, access)).json).toEqual({ active: false });
      expect(await verify(access, asReports)).toBe(401);
    }
  });

  test("O-99 the resource server that its person was asked about learns who they are, as far as was granted, and which program it is", async () => {
    const ada = await people.register("ada");
    const partner = await kit.register("Partner of reports", "--third-party", "--redirect-uri", known);
    const asked = { scope: "openid email", resource: reports };
    const access = (await letIn(ada.client, partner, known, asked)).textAt("access_token");
    const told = await ask(access, asReports);
    expect(told.status).toBe(204);
    expect(Object.fromEntries(told.headers)).toMatchObject({
      "x-auth-user-id": ada.id,
      "x-auth-email": ada.email,
      "x-auth-roles": "",
      "x-auth-client-id": partner.client_id,
      "x-auth-scope": "openid email",
    });
    for (const query of ["", `?resource=${encodeURIComponent(`${reports}/other`)}`])
      expect(await verify(access, query)).toBe(401);
    // A person who comes by themselves is no program.
    const own = await ada.client.get(`/api/v1/auth/verify${asReports}`);
    expect([own.status, own.headers.get("x-auth-client-id"), own.headers.get("x-auth-scope")]).toEqual([204, "", ""]);
    expect((await ada.client.get(`/api/v1/auth/verify?resource=reports`)).status).toBe(400);
    await ada.client.post("/api/v1/auth/apps/revoke", { client_id: partner.client_id });
    expect(await verify(access, asReports)).toBe(401);
  });

  test("O-99 one for a resource server stands for its person at no other backend", async () => {
    const { client: person } = await people.register("ada");
    const shop = await kit.register("Shop of resources");
    const plain = (await kit.signIn(person, shop, { scope: "openid" })).textAt("access_token");
    expect(await verify(plain)).toBe(204);
    const asked = { scope: "openid", resource: reports };
    const named = (await kit.signIn(person, shop, asked)).textAt("access_token");
    expect(await verify(named)).toBe(401);
    expect([await verify(named, asReports), await verify(plain, asReports)]).toEqual([204, 401]);
    const crm = await services.create("crm-of-resources");
    expect((await services.introspect(crm, named)).json).toMatchObject({ aud: reports });
  });
});

describe("a program that registered itself", () => {
  test("O-100 is asked about each time where it leads to several places: a yes to one is none to another", async () => {
    const { client: person } = await people.register("ada");
    const client = await register({ redirect_uris: [known, evil] });
    expect((await letIn(person, client, known)).status).toBe(200);
    const asked = { redirect_uri: evil, scope: "openid profile" };
    const page = await kit.authorize(person, client, asked);
    expect(isAsked(page)).toBe(true);
    expect(textOf(page).replaceAll(" ", "")).toContain("evil.example.test");
    const silent = await kit.authorize(person, client, { ...asked, prompt: "none" });
    expect(kit.told(silent, evil).get("error")).toBe("consent_required");
  });

  test("O-91 is called by the places that it leads to, and by no name of its own, wherever it is listed", async () => {
    const { client: person } = await people.register("ada");
    await letIn(person, await register({ redirect_uris: [known, evil], client_name: "Your bank" }), evil);
    const { json } = await person.get("/api/v1/auth/apps");
    expect(json).toMatchObject({ apps: [{ client: { name: "bank.example.test, evil.example.test" } }] });
    expect((await person.get("/api/v1/auth/sessions")).text).not.toContain("Your bank");
  });

  test("O-100 is asked about once where its addresses are all of this computer, or of one place", async () => {
    const { client: person } = await people.register("ada");
    for (const uris of [
      ["http://127.0.0.1:51234/", "http://localhost:51235/callback"],
      [known, `${known}/other`],
    ]) {
      const client = await register({ redirect_uris: uris });
      for (const uri of uris) {
        const page = await kit.authorize(person, client, { redirect_uri: uri, scope: "openid profile" });
        expect(isAsked(page)).toBe(uri === uris[0]);
        if (isAsked(page)) await press(person, page, "Allow");
      }
    }
  });

  test("O-104 gets no tokens of its own, for whatever resource server it names", async () => {
    const client = await register({ token_endpoint_auth_method: "client_secret_basic" });
    const asked = { grant_type: "client_credentials", resource: "https://reports.example.test" };
    expect((await kit.tokens(client, asked)).at("error")).toBe("unauthorized_client");
  });

  test("O-104 names no host to the person of a device, whom it leads nowhere", async () => {
    const begin = ({ client_id }: Registered) => kit.call("/oauth2/device_authorization", { client_id });
    const liar = await register({ redirect_uris: [known], application_type: "native" });
    expect((await begin(liar)).at("error")).toBe("unauthorized_client");
    const tool = await register({ redirect_uris: ["http://127.0.0.1/cb"], client_name: "Tool" });
    const code = (await begin(tool)).textAt("user_code");
    const { client: person } = await people.register("ada");
    const page = await createPageVisitor(target.url, person).submit("/device", { user_code: code });
    expect(textOf(page)).toContain("It calls itself “Tool”.");
    expect(page.text).not.toContain('<p class="host">');
  });

  test("O-104 is called by the scheme of its app, and never by what stands for a host in such an address", async () => {
    const { client: person } = await people.register("ada");
    const uri = "evil-app://bank.example.test/callback";
    const page = await kit.authorize(person, await register({ redirect_uris: [uri] }), { redirect_uri: uri });
    expect(page.text).toContain('<p class="host">evil-app:</p>');
    expect(textOf(page)).not.toContain("bank.example.test");
  });
});

describe("nobody is led to a place that nobody here has checked", () => {
  const link = ({ text }: Answer): string =>
    /<a href="([^"]*)" rel="noreferrer">/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";

  test.each([
    ["asks in silence", { prompt: "none" }],
    ["asks for what it may not have", { scope: "openid roles", response_type: "token" }],
    ["has a parameter that nobody can read", { claims: "[]" }],
  ])("O-103 by a link that %s, unless they go on themselves", async (_what, fields) => {
    const client = await register();
    const { client: person } = await people.register("ada");
    for (const visitor of [browser(), person]) {
      const page = await kit.authorize(visitor, client, { redirect_uri: evil, ...fields });
      expect([page.status, page.headers.get("location")]).toEqual([400, null]);
      expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      const led = new URL(link(page));
      expect([led.host, led.searchParams.has("error")]).toEqual(["evil.example.test", true]);
    }
    await letIn(person, client, evil);
    const told = kit.told(await kit.authorize(person, client, { redirect_uri: evil, ...fields, max_age: "x" }), evil);
    expect(told.has("error")).toBe(true);
  });

  test("O-103 by saying no they are, for the program waits", async () => {
    const { client: person } = await people.register("ada");
    const page = await kit.authorize(person, await register(), { redirect_uri: evil });
    expect(kit.told(await press(person, page, "Cancel"), evil).get("error")).toBe("access_denied");
  });

  test("O-103 by a sign-out of somebody else, or of nobody", async () => {
    const bye = "https://evil.example.test/bye";
    const client = await register({ post_logout_redirect_uris: [bye] });
    const { client: thief } = await people.register("eve");
    const own = (await letIn(thief, client, evil)).textAt("id_token");
    const { client: person } = await people.register("ada");
    const query = (hint?: string): string =>
      form({ client_id: client.client_id, post_logout_redirect_uri: bye, id_token_hint: hint });
    for (const hint of [undefined, own]) {
      const page = await browser().get(`/oauth2/logout?${query(hint)}`);
      expect([page.status, page.headers.get("location"), link(page)]).toEqual([200, null, bye]);
    }
    const asked = await person.get(`/oauth2/logout?${query(own)}`);
    const out = await press(person, asked, "Sign out");
    expect([titleOf(out), out.headers.get("location"), link(out)]).toEqual(["You have signed out", null, bye]);
    const left = await thief.get(`/oauth2/logout?${query(own)}`);
    expect(left.headers.get("location")).toBe(bye);
  });
});

describe("an agent whose id is the address of a document about it", () => {
  const agentUri = "http://127.0.0.1/callback";
  const document = (id: string, scope = "openid profile") =>
    Response.json({ client_id: id, client_name: "Agent", redirect_uris: [agentUri], scope });
  const agent = (path: string): Registered => ({ client_id: `${origin}/${path}`, client_secret: "" });
  const isOver = (id: string): number => rows.run("update idp_clients set fresh_until = 1 where id = ?", id);
  beforeEach(() => {
    answer = (url) => document(url);
  });

  test("O-101 gets what the page showed: where it may have more meanwhile, its person is asked again", async () => {
    const { client: person, id } = await people.register("ada");
    const client = agent("grows.json");
    answer = (url) => document(url, "openid");
    const asked = { redirect_uri: agentUri, scope: undefined, state: undefined };
    const page = await kit.authorize(person, client, asked);
    isOver(client.client_id);
    answer = (url) => document(url, "openid email roles offline_access");
    const again = await press(person, page, "Allow");
    expect(isAsked(again)).toBe(true);
    expect(textOf(again)).toContain("see your roles");
    expect(rows.count("idp_consents where user_id = ?", id)).toBe(0);
    const forged = await press(person, page, "Allow", { fields: { shown: "openid email roles offline_access" } });
    expect(forged.headers.get("location")).toStartWith("/oauth2/authorize?");
    const told = kit.told(await press(person, again, "Allow"), agentUri);
    const tokens = await kit.swap(client, told.get("code"), { redirect_uri: agentUri });
    expect(tokens.at("scope")).toBe("openid email roles offline_access");
  });

  test("O-105 goes on while strangers fill every place at its host with documents that nobody knows", async () => {
    const { client: person } = await people.register("ada");
    const client = agent("known.json");
    const tokens = await letIn(person, client, agentUri);
    isOver(client.client_id);
    const newcomer = agent("newcomer.json");
    const { promise, resolve } = Promise.withResolvers<void>();
    answer = async (url) => {
      if (!url.includes("/flood/")) return document(url);
      await promise;
      return new Response(null, { status: 404 });
    };
    const about = (id: string) => createClient(target.url).get(`/oauth2/client?${form({ client_id: id })}`);
    let refused = 0;
    const flood = Array.from({ length: 30 }, async (_one, index) => {
      await about(`${origin}/flood/${index}`);
      refused += 1;
    });
    // Two are read and eight wait: the others found no place.
    while (refused < 20) await Bun.sleep(20);
    expect((await about(newcomer.client_id)).status).toBe(404);
    expect((await kit.refresh(client, tokens.textAt("refresh_token"))).status).toBe(200);
    resolve();
    await Promise.all(flood);
    // It found no place, which says nothing about its address.
    expect((await about(newcomer.client_id)).status).toBe(200);
  });
});
