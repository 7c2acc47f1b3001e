import { describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { auth, second } from "../../support/auth.ts";
import type { Answer, Client } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { createPageVisitor, hiddenFields, textOf, titleOf } from "../../support/staff.ts";
import { form, idpEnvironment, idpKit, issuer, type Registered } from "./idp.fixture.ts";

const { target, people, rows, browser } = await stage({
  env: idpEnvironment,
});
const kit = idpKit(target);
const television = await kit.register("Television", "--type", "native", "--redirect-uri", "tv.example.test:/done");
const grant = "urn:ietf:params:oauth:grant-type:device_code";

const begin = async (client: Registered = television, fields: Readonly<Record<string, string>> = {}) => {
  const answer = await kit.call("/oauth2/device_authorization", { client_id: client.client_id, ...fields });
  if (answer.status !== 200) throw new Error(answer.text);
  return { device: answer.textAt("device_code"), code: answer.textAt("user_code"), answer };
};
const poll = (device: string, client: Registered = television, fields: Readonly<Record<string, string>> = {}) =>
  kit.call("/oauth2/token", { grant_type: grant, client_id: client.client_id, device_code: device, ...fields });
/** Takes away the wait between two calls of a device. */
const rest = (): number => rows.run("update idp_devices set polled_at = polled_at - interval_ms");

const type = (client: Client, code: string): Promise<Answer> =>
  createPageVisitor(target.url, client).submit("/device", { user_code: code });
/** Answers the question of a page. */
const say = (client: Client, page: Answer, decision: "allow" | "deny", fields: Readonly<Record<string, string>> = {}) =>
  createPageVisitor(target.url, client).send("/oauth2/device", {
    ...hiddenFields(page.text, "/oauth2/device"),
    decision,
    ...fields,
  });
async function allow(client: Client, code: string): Promise<Answer> {
  const said = await say(client, await type(client, code), "allow");
  expect(titleOf(said)).toBe("Your device is signed in");
  return said;
}

describe("a device without a keyboard", () => {
  test("O-70 gets a code to show, waits, and holds a session below the browser's once its person allows it", async () => {
    const ada = await people.register("ada");
    const { device, code, answer } = await begin();
    expect(answer.json).toEqual({
      device_code: expect.any(String),
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verification_uri: `${issuer}/device`,
      verification_uri_complete: `${issuer}/device?user_code=${code}`,
      expires_in: 600,
      interval: 5,
    });
    expect((await poll(device)).at("error")).toBe("authorization_pending");
    await allow(ada.client, code);
    const tokens = await poll(device);
    expect({ status: tokens.status, type: tokens.at("token_type") }).toEqual({ status: 200, type: "Bearer" });
    expect(decodeJwt(tokens.textAt("id_token"))).toMatchObject({ sub: ada.id, aud: television.client_id });
    expect((await kit.userinfo(tokens.textAt("access_token"))).json).toMatchObject({ sub: ada.id });
    expect((await kit.refresh(television, tokens.textAt("refresh_token"))).status).toBe(200);
  });

  test("O-70 ends with the browser's session where it may not go on without it", async () => {
    const { client } = await people.register("ada");
    const { device, code } = await begin(television, { scope: "openid" });
    await allow(client, code);
    const refresh = (await poll(device)).textAt("refresh_token");
    await client.post(auth("logout"));
    expect((await kit.refresh(television, refresh)).at("error")).toBe("invalid_grant");
  });

  test("O-71 is told to slow down where it asks too often, by five seconds each time", async () => {
    const { device } = await begin();
    const said = async (): Promise<unknown> => (await poll(device)).at("error");
    expect([await said(), await said(), await said()]).toEqual(["authorization_pending", "slow_down", "slow_down"]);
    expect(rows.all("select interval_ms from idp_devices order by created_at desc limit 1")).toEqual([
      { interval_ms: 15 * second },
    ]);
    rest();
    expect(await said()).toBe("authorization_pending");
  });

  test("O-71 is told when its person does not allow it, and for good", async () => {
    const { client } = await people.register("ada");
    const { device, code } = await begin();
    const said = await say(client, await type(client, code), "deny");
    expect(titleOf(said)).toBe("Nothing was let in");
    expect((await poll(device)).at("error")).toBe("access_denied");
    expect(titleOf(await type(client, code))).toBe("Sign a device in");
    expect((await poll(device)).at("error")).toBe("access_denied");
  });

  test("O-71 is told when its code has expired, which no page takes any more", async () => {
    const { client } = await people.register("ada");
    const { device, code } = await begin();
    rows.run("update idp_devices set expires_at = created_at where client_id = ?", television.client_id);
    expect((await poll(device)).at("error")).toBe("expired_token");
    expect((await type(client, code)).status).toBe(400);
  });

  test("O-72 gets tokens once: of ten calls at the same moment one is answered", async () => {
    const { client } = await people.register("ada");
    const { device, code } = await begin();
    await allow(client, code);
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(device)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map((answer) => answer.at("error")))).toEqual(
      new Set(["invalid_grant"]),
    );
    expect((await poll(device)).at("error")).toBe("invalid_grant");
  });

  test("O-72 gets none where its person has signed out since", async () => {
    const { client } = await people.register("ada");
    const { device, code } = await begin();
    await allow(client, code);
    await client.post(auth("logout"));
    expect((await poll(device)).at("error")).toBe("invalid_grant");
  });

  test("O-72 can't use the code of another program, and an unknown one is refused", async () => {
    const other = await kit.register("Watch", "--type", "native", "--redirect-uri", "watch.example.test:/done");
    const { device } = await begin();
    expect((await poll(device, other)).at("error")).toBe("invalid_grant");
    expect((await poll("x".repeat(43))).at("error")).toBe("invalid_grant");
    expect((await kit.call("/oauth2/token", { grant_type: grant, client_id: other.client_id })).at("error")).toBe(
      "invalid_request",
    );
    rest();
    expect((await poll(device)).at("error")).toBe("authorization_pending");
  });

  test("O-73 of a program on a server or in a browser gets no code: it leads its people here itself", async () => {
    const shop = await kit.register("Shop");
    const board = await kit.register("Board", "--type", "browser");
    const asked = await kit.call("/oauth2/device_authorization", {}, { authorization: kit.basic(shop) });
    expect({ status: asked.status, error: asked.at("error") }).toEqual({ status: 400, error: "unauthorized_client" });
    expect((await kit.call("/oauth2/device_authorization", { client_id: board.client_id })).at("error")).toBe(
      "unauthorized_client",
    );
    expect((await kit.call("/oauth2/device_authorization", { client_id: "nobody" })).status).toBe(401);
    const scope = { client_id: television.client_id, scope: "roles" };
    expect((await kit.call("/oauth2/device_authorization", scope)).at("error")).toBe("invalid_scope");
  });

  test("metadata says where", async () => {
    const { json } = await browser().get("/.well-known/oauth-authorization-server");
    expect(json).toMatchObject({
      device_authorization_endpoint: `${issuer}/oauth2/device_authorization`,
      grant_types_supported: expect.arrayContaining([grant]),
    });
  });
});

describe("the page for devices", () => {
  test("leads a stranger to the sign-in page and back, with the code of the address", async () => {
    const answer = await browser().get("/device?user_code=BCDF-GHJK");
    expect(answer.status).toBe(303);
    const location = new URL(answer.headers.get("location") ?? "", issuer);
    expect(location.pathname).toBe("/login");
    expect(location.searchParams.get("next")).toBe("/device?user_code=BCDF-GHJK");
  });

  test("O-74 says which program asks, what it shows, and where, when and on what it was begun", async () => {
    const { client } = await people.register("ada");
    const { code } = await begin();
    const prefilled = await client.get(`/device?user_code=${code}`);
    expect(prefilled.text).toContain(`value="${code}"`);
    const other = /<a href="([^"]+)"[^>]*>Use another account</.exec(prefilled.text)?.[1]?.replaceAll("&amp;", "&");
    const way = new URL(other ?? "", issuer);
    expect([way.pathname, ...way.searchParams.values()]).toEqual(["/login", `/device?user_code=${code}`, "true"]);
    const page = await type(client, code);
    expect(titleOf(page)).toBe("Let Television in?");
    expect(textOf(page)).toContain(code);
    expect(textOf(page)).toContain("127.0.0.1");
    expect(textOf(page)).toContain("less than a minute ago");
    expect(textOf(page)).toContain("see your email address");
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    const german = await createPageVisitor(target.url, client).client.get("/device", {
      headers: { "accept-language": "de" },
    });
    expect(titleOf(german)).toBe("Ein Gerät anmelden");
  });

  test.each([
    ["small letters", (code: string) => code.toLowerCase()],
    ["spaces and other marks", (code: string) => ` ${[...code.replace("-", "")].join(" ")} . `],
    ["no mark at all", (code: string) => code.replace("-", "")],
  ])("reads a code with %s", async (_what, typed) => {
    const { client } = await people.register("ada");
    const { code } = await begin();
    expect(titleOf(await type(client, typed(code)))).toBe("Let Television in?");
  });

  test("O-74 warns of a program that nobody here has checked, and remembers what was allowed", async () => {
    const ada = await people.register("ada");
    const flags = ["--type", "native", "--redirect-uri", "guest.example.test:/done", "--third-party"];
    const guest = await kit.register("Guest", ...flags);
    const { code } = await begin(guest);
    await allow(ada.client, code);
    expect(rows.all("select client_id from idp_consents where user_id = ?", ada.id)).toEqual([
      { client_id: guest.client_id },
    ]);
  });

  test("O-74 lets nobody in who lacks the role of the program, and the device hears of it", async () => {
    const { client } = await people.register("ada");
    const flags = ["--type", "native", "--redirect-uri", "desk.example.test:/done", "--role", "editor"];
    const desk = await kit.register("Desk", ...flags);
    const { device, code } = await begin(desk);
    const page = await type(client, code);
    expect({ status: page.status, title: titleOf(page) }).toEqual({ status: 403, title: "You can't use Desk" });
    expect((await poll(device, desk)).at("error")).toBe("access_denied");
  });

  test("O-75 takes no answer without its token, of another session, for another code, or from another site", async () => {
    const ada = await people.register("ada");
    const eve = await people.register("eve");
    const { device, code } = await begin();
    const other = await begin();
    const asked = await type(ada.client, code);
    const evil = await type(eve.client, code);
    const { csrf = "" } = hiddenFields(evil.text, "/oauth2/device");
    for (const answer of [
      await say(ada.client, asked, "allow", { csrf }),
      await say(ada.client, asked, "allow", { csrf: "" }),
      await say(ada.client, asked, "allow", { user_code: other.code }),
    ])
      expect(answer.status).toBe(303);
    const foreign = await ada.client.request("POST", "/oauth2/device", undefined, {
      body: form({ ...hiddenFields(asked.text, "/oauth2/device"), decision: "allow" }),
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: "https://evil.example.test",
        "sec-fetch-site": "cross-site",
      },
    });
    expect(foreign.status).toBe(403);
    expect((await poll(device)).at("error")).toBe("authorization_pending");
    expect((await poll(other.device)).at("error")).toBe("authorization_pending");
  });

  test("O-75 lets a person try twenty codes in an hour", async () => {
    const { client } = await people.register("ada");
    for (let tries = 0; tries < 20; tries += 1) expect((await type(client, "BCDF-GHJK")).status).toBe(400);
    const { code } = await begin();
    const refused = await type(client, code);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(textOf(refused)).toContain("too many tries");
    const bob = await people.register("bob");
    expect(titleOf(await type(bob.client, code))).toBe("Let Television in?");
  });
});
