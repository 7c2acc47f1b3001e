import { describe, expect, test } from "bun:test";
import { hour, mailTo } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { runGatehouse } from "../../support/process.ts";
import { noteSecret } from "../../support/seen.ts";
import { stage } from "../../support/stage.ts";
import { titleOf } from "../../support/staff.ts";
import { idpEnvironment, idpKit, issuer } from "./idp.fixture.ts";
import { press } from "./pages.fixture.ts";

const settings = idpEnvironment;
const { target, people, rows, mailbox } = await stage({ env: { ...settings, IDP_REGISTRATION: "open" } });
const kit = idpKit(target);
const agentUri = "http://127.0.0.1:51234/callback";

type Fields = Readonly<Record<string, unknown>>;
const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  createClient(url).post("/oauth2/register", body, { headers });
async function register(fields: Fields = {}) {
  const answer = await post(target.url, { client_name: "Agent", redirect_uris: [agentUri], ...fields });
  noteSecret(target.url, typeof answer.at("client_secret") === "string" ? answer.textAt("client_secret") : "");
  return answer;
}
const refused = async (fields: Fields): Promise<unknown> => {
  const { status, at } = await register(fields);
  return `${status} ${String(at("error"))}`;
};

describe("a program that registers itself", () => {
  test("O-95 gets an id and, where it wants one, a secret, and is let in after its person was asked", async () => {
    const answer = await register({ client_name: "Agent" });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const client = { client_id: answer.textAt("client_id"), client_secret: answer.textAt("client_secret") };
    expect(answer.at("token_endpoint_auth_method")).toBe("client_secret_basic");
    expect(answer.at("client_secret_expires_at")).toBe(0);
    const { client: person } = await people.register("ada");
    const asks = { redirect_uri: agentUri };
    const page = await kit.authorize(person, client, asks);
    expect(titleOf(page)).toBe("Let this app in?");
    const told = kit.told(await press(person, page, "Allow"), agentUri);
    expect((await kit.swap(client, told.get("code"), asks)).status).toBe(200);
  });

  test("O-95 without a secret proves itself by PKCE", async () => {
    const answer = await register({ token_endpoint_auth_method: "none" });
    expect(answer.at("client_secret")).toBeUndefined();
    const client = { client_id: answer.textAt("client_id"), client_secret: "" };
    const { client: person } = await people.register("ada");
    const bare = { redirect_uri: agentUri, code_challenge: undefined, code_challenge_method: undefined };
    const page = await kit.authorize(person, client, bare);
    expect([page.status, page.text.includes(`${agentUri}?error=invalid_request&amp;`)]).toEqual([400, true]);
  });

  test("O-95 is told what it is registered as, and what nobody here knows of is left out", async () => {
    const { json } = await register({
      redirect_uris: ["https://agent.example.test/callback"],
      token_endpoint_auth_method: "none",
      scope: "openid mcp:tools",
      logo_uri: "https://agent.example.test/logo.png",
      contacts: ["ada@example.test"],
    });
    expect(json).toEqual({
      client_id: expect.any(String),
      client_id_issued_at: expect.any(Number),
      client_name: "Agent",
      redirect_uris: ["https://agent.example.test/callback"],
      post_logout_redirect_uris: [],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      scope: "openid",
      id_token_signed_response_alg: "RS256",
      dpop_bound_access_tokens: false,
    });
  });

  test.each([
    ["none", []],
    ["one of plain http elsewhere", ["http://shop.example.test/callback"]],
    ["one that runs in the browser", ["javascript:alert(1)"]],
    ["one with a fragment", ["https://agent.example.test/#there"]],
    ["a text in place of a list", "https://agent.example.test/"],
    ["too many", Array.from({ length: 21 }, (_one, index) => `https://agent.example.test/${index}`)],
  ])("O-96 is refused with an address to lead people to that is %s", async (_what, uris) => {
    expect(await refused({ redirect_uris: uris })).toBe("400 invalid_redirect_uri");
  });

  test.each([
    ["a way to prove itself that nobody knows", { token_endpoint_auth_method: "client_secret_jwt" }],
    ["keys that are nowhere", { token_endpoint_auth_method: "private_key_jwt" }],
    [
      "keys at plain http",
      { token_endpoint_auth_method: "private_key_jwt", jwks_uri: "http://agent.example.test/jwks" },
    ],
    ["an algorithm that no key here has", { id_token_signed_response_alg: "HS256" }],
    ["a name that is no text", { client_name: 7 }],
  ])("O-96 is refused with %s", async (_what, fields) => {
    expect(await refused(fields)).toBe("400 invalid_client_metadata");
  });

  test("O-97 goes after a month in which nobody has used it, and stays while somebody has let it in", async () => {
    const idle = (await register()).textAt("client_id");
    const answer = await register();
    const client = { client_id: answer.textAt("client_id"), client_secret: answer.textAt("client_secret") };
    const { client: person } = await people.register("ada");
    const page = await kit.authorize(person, client, { redirect_uri: agentUri });
    const told = kit.told(await press(person, page, "Allow"), agentUri);
    await kit.swap(client, told.get("code"), { redirect_uri: agentUri });
    const month = 31 * 24 * hour;
    rows.run("update idp_clients set created_at = created_at - ?, last_used_at = last_used_at - ?", month, month);
    const own = await kit.register("Own");
    const cleaned = await runGatehouse(["auth:cleanup"], { cwd: target.folder, env: target.env });
    expect(cleaned.code).toBe(0);
    const left = rows.all("select id from idp_clients").map(({ id }) => id);
    expect(left).toContain(client.client_id);
    expect(left).toContain(own.client_id);
    expect(left).not.toContain(idle);
  });

  test("metadata says where", async () => {
    const { json } = await createClient(target.url).get("/.well-known/oauth-authorization-server");
    expect(json).toMatchObject({ registration_endpoint: `${issuer}/oauth2/register` });
  });
});

test("O-98 with a limit of an address no more register from there", async () => {
  const few = await stage({ env: { ...settings, IDP_REGISTRATION: "open", AUTH_IP_RATE_LIMIT_ATTEMPTS: "2" } });
  const once = () => post(few.target.url, { redirect_uris: [agentUri] });
  expect([(await once()).status, (await once()).status]).toEqual([201, 201]);
  const third = await once();
  expect({ status: third.status, error: third.at("error") }).toEqual({ status: 429, error: "temporarily_unavailable" });
});

test("O-98 where nobody may register there is nothing to call", async () => {
  const off = await stage({ env: settings });
  expect((await post(off.target.url, { redirect_uris: [agentUri] })).status).toBe(404);
  const { json } = await createClient(off.target.url).get("/.well-known/oauth-authorization-server");
  expect(json).not.toHaveProperty("registration_endpoint");
});

test("O-98 where an operator gives tokens for it, none but a good one is taken", async () => {
  const closed = await stage({ env: { ...settings, ...mailTo(mailbox), IDP_REGISTRATION: "token" } });
  const own = idpKit(closed.target);
  const body = { redirect_uris: [agentUri] };
  const by = async (token: string) =>
    (await post(closed.target.url, body, { authorization: `Bearer ${token}` })).status;
  const bare = await post(closed.target.url, body);
  expect({ status: bare.status, error: bare.at("error") }).toEqual({ status: 401, error: "invalid_token" });
  expect(bare.headers.get("www-authenticate")).toBe('Bearer scope="clients:register"');
  const tokenOf = async (scope: string): Promise<string> => {
    const machine = await own.register(`Machine ${scope}`, "--type", "machine", "--scope", scope);
    return (await own.tokens(machine, { grant_type: "client_credentials" })).textAt("access_token");
  };
  expect(await by("none")).toBe(401);
  expect(await by(await tokenOf("orders:read"))).toBe(401);
  const ada = await closed.people.register("ada");
  const shop = await own.register("Shop");
  expect(await by((await own.signIn(ada.client, shop)).textAt("access_token"))).toBe(401);
  expect(await by(await tokenOf("clients:register"))).toBe(201);
});

/** Whether scripts of an origin may read answers. */
async function isRead(origin: string): Promise<boolean> {
  const headers = { origin, "access-control-request-method": "POST" };
  const { headers: head } = await createClient(target.url).request("OPTIONS", "/oauth2/token", undefined, { headers });
  return head.get("access-control-allow-origin") === origin;
}

test("O-115 scripts read answers where the pages of a program are, and no more where they have moved or gone", async () => {
  const [before, after] = ["https://before.example.test", "https://after.example.test"];
  await kit.register("Board", "--type", "browser", "--redirect-uri", `${before}/callback`);
  expect([await isRead(before), await isRead(after)]).toEqual([true, false]);
  await kit.run("client:update", "Board", "--redirect-uri", `${after}/callback`);
  expect([await isRead(before), await isRead(after)]).toEqual([false, true]);
  await kit.run("client:revoke", "Board");
  expect([await isRead(before), await isRead(after)]).toEqual([false, false]);
});

test("O-115 a flood of programs in browsers takes that from none which was there", async () => {
  const register = (at: string, name: string) =>
    post(target.url, { client_name: name, redirect_uris: [`${at}/callback`], token_endpoint_auth_method: "none" });
  await register("https://zoo.example.test", "Zoo");
  for (let lot = 0; lot < 21; lot += 1)
    await Promise.all(Array.from({ length: 50 }, (_one, of) => register(`https://a${lot}-${of}.example.test`, "A")));
  expect([await isRead("https://zoo.example.test"), await isRead("https://a20-49.example.test")]).toEqual([true, true]);
  expect(await isRead("https://unknown.example.test")).toBe(false);
});
