import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { auth, minute } from "../../support/auth.ts";
import { stage } from "../../support/stage.ts";
import { textOf, titleOf } from "../../support/staff.ts";
import { idpEnvironment, idpKit, issuer } from "./idp.fixture.ts";
import { ledTo, press } from "./pages.fixture.ts";

/** The host at which agents publish what they are. */
let asked = 0;
let answer: (url: string) => Response | Promise<Response>;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    asked += 1;
    return answer(request.url);
  },
});
afterAll(() => server.stop(true));
const { origin, host } = server.url;

const { target, people, rows, browser } = await stage({
  env: { ...idpEnvironment, IDP_CLIENT_METADATA_DOCUMENTS: `agents.example.test,${host}` },
});
const kit = idpKit(target);
const redirectUri = "http://127.0.0.1/callback";
const agentUri = "http://127.0.0.1:51234/callback";

const document = (id: string, more: Readonly<Record<string, unknown>> = {}) => ({
  client_id: id,
  client_name: "Agent",
  redirect_uris: [redirectUri],
  ...more,
});
beforeEach(() => {
  asked = 0;
  answer = (url) => Response.json(document(url));
});

let made = 0;
/** Returns the id of an agent that nobody here has met. */
function agent(path = "agent") {
  made += 1;
  return { client_id: `${origin}/${path}-${made}.json`, client_secret: "" };
}
const asks = { redirect_uri: agentUri, scope: "openid profile" };
const unknown = "This app is not known here";
const unable = "This app can't sign you in";

describe("an agent whose id is the address of a document about it", () => {
  test("O-85 is let in after its person was asked, once for a set of scopes, and called by its host", async () => {
    const ada = await people.register("ada");
    const client = agent("agent".padEnd(400, "-"));
    const page = await kit.authorize(ada.client, client, asks);
    expect(titleOf(page)).toBe("Let this app in?");
    expect(textOf(page).replaceAll(" ", "")).toContain(host);
    expect(textOf(page)).toContain("It calls itself “Agent”.");
    const told = kit.told(await press(ada.client, page, "Allow"), agentUri);
    const tokens = await kit.swap(client, told.get("code"), { redirect_uri: agentUri });
    expect(tokens.status).toBe(200);
    expect((await kit.userinfo(tokens.textAt("access_token"))).json).toMatchObject({ sub: ada.id });
    expect((await kit.refresh(client, tokens.textAt("refresh_token"))).status).toBe(200);
    expect((await kit.authorize(ada.client, client, asks)).status).toBe(303);
    expect(asked).toBe(1);
  });

  test("O-85 proves its code by PKCE, and goes to no address that its document doesn't have", async () => {
    const { client } = await people.register("ada");
    const bare = { ...asks, code_challenge: undefined, code_challenge_method: undefined };
    const page = await kit.authorize(client, agent(), bare);
    expect([page.status, page.text.includes(`${agentUri}?error=invalid_request&amp;`)]).toEqual([400, true]);
    const elsewhere = { ...asks, redirect_uri: "https://evil.example.test/callback" };
    expect(titleOf(await kit.authorize(client, agent(), elsewhere))).toBe(unable);
  });

  test("O-85 is shown to its person, who ends it like any other", async () => {
    const { client: person } = await people.register("ada");
    const client = agent();
    const told = kit.told(await press(person, await kit.authorize(person, client, asks), "Allow"), agentUri);
    await kit.swap(client, told.get("code"), { redirect_uri: agentUri });
    const { json } = await person.get(auth("apps"));
    expect(json).toMatchObject({ apps: [{ client: { id: client.client_id }, third_party: true, sessions: 1 }] });
    expect((await person.post(auth("apps/revoke"), { client_id: client.client_id })).status).toBe(200);
    expect((await person.get(auth("apps"))).at("apps")).toEqual([]);
  });

  test("O-85 leads a stranger to the sign-in first", async () => {
    expect(ledTo(await kit.authorize(browser(), agent(), asks)).path).toBe("/login");
  });

  test("O-85 may sign who it is, by keys of its own host or of its document", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: "ES256", kid: "k" }] };
    const byKey = { token_endpoint_auth_method: "private_key_jwt" };
    answer = (url) => {
      if (url.endsWith("/jwks")) return Response.json(jwks);
      return Response.json(
        document(url, { ...byKey, ...(url.includes("within") ? { jwks } : { jwks_uri: `${origin}/jwks` }) }),
      );
    };
    for (const client of [agent("within"), agent("beside")]) {
      const { client: person } = await people.register("ada");
      const page = await kit.authorize(person, client, asks);
      const code = kit.told(await press(person, page, "Allow"), agentUri).get("code");
      const claims = { iss: client.client_id, sub: client.client_id, aud: issuer, jti: crypto.randomUUID() };
      const sign = new SignJWT(claims).setExpirationTime("1m").setProtectedHeader({ alg: "ES256", kid: "k" });
      const proven = {
        redirect_uri: agentUri,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: await sign.sign(privateKey),
      };
      expect((await kit.swap(client, code, { redirect_uri: agentUri })).at("error")).toBe("invalid_client");
      expect((await kit.swap(client, code, proven)).status).toBe(200);
    }
  });

  test("metadata says that documents are read", async () => {
    const { json } = await browser().get("/.well-known/oauth-authorization-server");
    expect(json).toMatchObject({ client_id_metadata_document_supported: true });
  });
});

describe("a document about an agent", () => {
  test("O-86 is kept as long as its server says, for a day at most, and a minute at least", async () => {
    const { client } = await people.register("ada");
    const lives = async (control: string | undefined): Promise<number> => {
      answer = (url) =>
        Response.json(document(url), control === undefined ? {} : { headers: { "cache-control": control } });
      const { client_id: id } = agent();
      await kit.authorize(client, { client_id: id, client_secret: "" }, asks);
      const [row] = rows.all("select fresh_until - updated_at as ms from idp_clients where id = ?", id);
      return Number(row?.["ms"]);
    };
    expect(await lives(undefined)).toBe(60 * minute);
    expect(await lives("public, max-age=600")).toBe(10 * minute);
    expect(await lives("max-age=999999999")).toBe(24 * 60 * minute);
    expect(await lives("no-store")).toBe(minute);
    expect(await lives("max-age=0")).toBe(minute);
  });

  test("O-86 is read again when it is over, and what it says then counts", async () => {
    const { client } = await people.register("ada");
    const one = agent();
    await kit.authorize(client, one, asks);
    rows.run("update idp_clients set fresh_until = updated_at - 1 where id = ?", one.client_id);
    answer = (url) => Response.json(document(url, { redirect_uris: ["https://moved.example.test/callback"] }));
    expect(titleOf(await kit.authorize(client, one, asks))).toBe(unable);
    expect(asked).toBe(2);
  });

  const refusals: Readonly<Record<string, (url: string) => Response>> = {
    "about another client": (url) => Response.json(document(`${url}x`)),
    "with a secret in it": (url) => Response.json(document(url, { client_secret: "s" })),
    "of a client with a secret": (url) =>
      Response.json(document(url, { token_endpoint_auth_method: "client_secret_basic" })),
    "with keys at another host": (url) =>
      Response.json(
        document(url, { token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://keys.example.test/jwks" }),
      ),
    "without keys": (url) => Response.json(document(url, { token_endpoint_auth_method: "private_key_jwt" })),
    "that leads people to plain http": (url) =>
      Response.json(document(url, { redirect_uris: [redirectUri, "http://shop.example.test/"] })),
    "that leads people into the browser": (url) =>
      Response.json(document(url, { redirect_uris: [redirectUri, "javascript:alert(1)"] })),
    "that leads people to a program of the system": (url) =>
      Response.json(document(url, { redirect_uris: [redirectUri, "ms-msdt:/id"] })),
    "without an address": (url) => Response.json(document(url, { redirect_uris: [] })),
    "that leads on": () => Response.redirect(`${origin}/other.json`),
    "of more than 32 KiB": (url) => Response.json(document(url, { filler: "x".repeat(33_000) })),
    "that is a file of somebody": (url) =>
      new Response(JSON.stringify(document(url)), { headers: { "content-type": "text/plain" } }),
    "that is no JSON": () => new Response("<html>"),
    "that is not there": () => new Response(null, { status: 404 }),
  };
  test.each(Object.keys(refusals))("O-86 %s lets nobody in, and is left alone for a while", async (what) => {
    const { client } = await people.register("ada");
    const one = agent();
    answer = refusals[what] ?? answer;
    for (let calls = 0; calls < 3; calls += 1) expect(titleOf(await kit.authorize(client, one, asks))).toBe(unknown);
    expect(asked).toBe(1);
    expect(rows.all("select id from idp_clients where id = ?", one.client_id)).toEqual([]);
  });

  test.each([
    ["a host that is not named", (at: string) => at.replace(host, "other.example.test")],
    ["a path with dots", (at: string) => at.replace("/agent", "/a/../agent")],
    ["a path with dots in disguise", (at: string) => at.replace("/agent", "/a/%2e%2e/agent")],
    ["no path", () => `${origin}/`],
    ["a fragment", (at: string) => `${at}#there`],
    ["a user", (at: string) => at.replace("http://", "http://ada@")],
    ["a host in capitals", (at: string) => at.replace("http://", "HTTP://")],
    ["another scheme", (at: string) => at.replace("http://", "ftp://")],
  ])("O-87 is not read at an address with %s", async (_what, change) => {
    const { client } = await people.register("ada");
    const one = { client_id: change(agent().client_id), client_secret: "" };
    expect(titleOf(await kit.authorize(client, one, asks))).toBe(unknown);
    expect(asked).toBe(0);
  });

  test("O-87 is not read by plain http at a host that is named, where that is no loopback one", async () => {
    const { client } = await people.register("ada");
    const one = { client_id: "http://agents.example.test/agent.json", client_secret: "" };
    expect(titleOf(await kit.authorize(client, one, asks))).toBe(unknown);
  });

  test("O-88 is read once for ten people who come at the same moment", async () => {
    const { client } = await people.register("ada");
    const one = agent();
    const { promise, resolve } = Promise.withResolvers<void>();
    answer = async (url) => {
      await promise;
      return Response.json(document(url));
    };
    const pages = Array.from({ length: 10 }, () => kit.authorize(client, one, asks));
    resolve();
    for (const page of await Promise.all(pages)) expect(titleOf(page)).toBe("Let this app in?");
    expect(asked).toBe(1);
  });

  test("O-88 takes the place of the oldest where a thousand are kept", async () => {
    const { client } = await people.register("ada");
    const first = agent();
    await kit.authorize(client, first, asks);
    asked = 0;
    rows.run(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 1005)
       insert into idp_clients (id, name, origin, settings, created_at, updated_at, fresh_until)
       select 'https://old.example.test/' || i, 'Old', 'document', c.settings, 0, 0, i from n, idp_clients c where c.id = ?`,
      first.client_id,
    );
    const one = agent();
    expect(titleOf(await kit.authorize(client, one, asks))).toBe("Let this app in?");
    const unused = "id not in (select client_id from idp_consents)";
    const kept = rows.all(`select count(*) as kept from idp_clients where origin = 'document' and ${unused}`);
    expect(kept).toEqual([{ kept: 1_000 }]);
    expect(titleOf(await kit.authorize(client, one, asks))).toBe("Let this app in?");
    expect(asked).toBe(1);
  });

  test.each([
    ["an unseen mark in its name", "Gate\u202ehouse"],
    ["an endless name", "A".repeat(300)],
    ["no name", ""],
  ])("O-88 with %s has no name that deceives", async (_what, name) => {
    const { client } = await people.register("ada");
    answer = (url) =>
      Response.json(document(url, { client_name: name, logo_uri: "https://evil.example.test/logo.png" }));
    const page = await kit.authorize(client, agent(), asks);
    expect(titleOf(page)).toBe("Let this app in?");
    expect(page.text).not.toContain("\u202e");
    expect(page.text).not.toContain("A".repeat(65));
    expect(page.text).not.toContain("logo.png");
  });
});

test("O-87 where documents are off none is read, not even one that was kept", async () => {
  const off = await stage({ env: idpEnvironment });
  const { client } = await off.people.register("ada");
  const { client_id: id } = agent();
  const other = idpKit(off.target);
  const stranger = await other.register("Stranger", "--redirect-uri", agentUri);
  off.rows.run(
    "update idp_clients set origin = 'document', fresh_until = 9e15, id = ? where id = ?",
    id,
    stranger.client_id,
  );
  expect(titleOf(await other.authorize(client, { client_id: id, client_secret: "" }, asks))).toBe(unknown);
  expect(asked).toBe(0);
});
