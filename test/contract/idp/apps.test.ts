import { describe, expect, test } from "bun:test";
import { auth, expectRefusal, isServed } from "../../support/auth.ts";
import { createClient, type Client } from "../../support/client.ts";
import { clientIn } from "../../support/client.library.ts";
import { runGatehouse } from "../../support/process.ts";
import { createPageVisitor, hiddenFields } from "../../support/staff.ts";
import { stage } from "../../support/stage.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { serviceKit } from "../backend/service.fixture.ts";
import { idpEnvironment, idpKit, type Registered } from "./idp.fixture.ts";
import { press } from "./pages.fixture.ts";

const { target, people, rows } = await stage({ env: idpEnvironment });
const kit = idpKit(target);
const audit = readAudit(rows);
const shop = await kit.register("Shop", "--backchannel-logout-uri", "http://127.0.0.1:9/logout");
const partner = await kit.register("Partner", "--third-party", "--scope", "openid,profile,email");

async function appsOf(browser: Client) {
  const listed = await clientIn(browser).listApps();
  if (!listed.ok) throw new Error(listed.code);
  return listed.apps;
}
const revoke = (browser: Client, id: string) => browser.post(auth("apps/revoke"), { client_id: id });
const ask = (browser: Client, client: Registered) => kit.authorize(browser, client, { scope: "openid profile" });

/** Lets the partner in, and resolves to the code that it is given. */
async function allow(browser: Client): Promise<string | null> {
  return kit.told(await press(browser, await ask(browser, partner), "Allow")).get("code");
}

/** Resolves to the ids of the sessions that programs hold, and to how many are the person's own. */
async function listed(browser: Client) {
  const answer = await clientIn(browser).listSessions();
  const all = answer.ok ? answer.sessions : [];
  return { held: all.filter(({ client }) => client !== null), own: all.filter(({ client }) => client === null).length };
}

describe("GET /sessions", () => {
  test("O-90 names the program of a session, and ends it like any other", async () => {
    const ada = await people.register("ada");
    const tokens = await kit.signIn(ada.client, shop);
    const { held, own } = await listed(ada.client);
    expect(own).toBe(1);
    expect(held.map(({ client }) => client)).toEqual([{ id: shop.client_id, name: "Shop" }]);
    expect((await ada.client.post(auth(`sessions/${held[0]?.id}/revoke`))).status).toBe(200);
    expect((await kit.refresh(shop, tokens.textAt("refresh_token"))).at("error")).toBe("invalid_grant");
    expect((await kit.userinfo(tokens.textAt("access_token"))).status).toBe(401);
    expect(rows.count("jobs where name = 'idp:logout' and payload like ?", `%${held[0]?.id}%`)).toBe(1);
    expect(await listed(ada.client)).toEqual({ held: [], own: 1 });
    expect(await isServed(ada.client)).toBe(true);
  });

  test("O-90 staff, operators and services see the program of a session, and the export has what was granted", async () => {
    const ada = await people.register("ada");
    await kit.signIn(ada.client, shop, { scope: "openid email" });
    await kit.swap(partner, await allow(ada.client));
    const backend = await serviceKit(target).backend(`reader-${ada.id}`, "users:read");
    const shown = (await backend.get(`/${ada.id}`)).at("user.sessions");
    expect(shown).toContainEqual(
      expect.objectContaining({ app: "oauth2", client: { id: shop.client_id, name: "Shop" } }),
    );
    expect(shown).toContainEqual(expect.objectContaining({ app: "app", client: null }));
    const said = await runGatehouse(["user:show", ada.email], { cwd: target.folder, env: target.env });
    expect(said.stdout).toMatch(/oauth2 .*Partner/);
    const data = await ada.client.get(auth("account/export"));
    expect(data.at("consents")).toEqual([
      {
        client: { id: partner.client_id, name: "Partner" },
        scope: "openid profile",
        resources: [],
        granted_at: expect.any(String),
      },
    ]);
    expect(data.at("sessions")).toContainEqual(
      expect.objectContaining({
        client: { id: shop.client_id, name: "Shop" },
        delegation: expect.objectContaining({ scope: "openid email" }),
      }),
    );
  });
});

describe("the apps of a person", () => {
  test("O-91 are those that hold a session or were let in, with what they may see", async () => {
    const ada = await people.register("ada");
    expect(await appsOf(ada.client)).toEqual([]);
    await kit.signIn(ada.client, shop, { scope: "openid email" });
    await kit.signIn(await ada.login(), shop, { scope: "openid profile" });
    await allow(ada.client);
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    const apps = await appsOf(ada.client);
    expect(apps).toHaveLength(2);
    expect(apps).toContainEqual({
      client: { id: shop.client_id, name: "Shop" },
      scopes: expect.arrayContaining(["openid", "email", "profile"]),
      resources: [],
      third_party: false,
      granted_at: at,
      last_used_at: at,
      sessions: 2,
    });
    expect(apps).toContainEqual({
      client: { id: partner.client_id, name: "Partner" },
      scopes: ["openid", "profile"],
      resources: [],
      third_party: true,
      granted_at: at,
      last_used_at: null,
      sessions: 0,
    });
    const grace = await people.register("grace");
    expect(await appsOf(grace.client)).toEqual([]);
  });

  test("O-91 go with their last session where nobody was asked, and stay where somebody said yes", async () => {
    const ada = await people.register("ada");
    await kit.signIn(ada.client, shop, { scope: "openid" });
    await kit.swap(partner, await allow(ada.client));
    for (const { id } of (await listed(ada.client)).held) await ada.client.post(auth(`sessions/${id}/revoke`));
    expect(await appsOf(ada.client)).toMatchObject([{ client: { name: "Partner" }, sessions: 0, last_used_at: null }]);
  });

  test("O-92 ending one ends every session of it and the consent, in one commit, and tells it", async () => {
    const ada = await people.register("ada");
    const other = await ada.login();
    const grace = await people.register("grace");
    const ofGrace = await kit.swap(partner, await allow(grace.client));
    const tokens = await kit.swap(partner, await allow(ada.client));
    const again = await kit.swap(partner, kit.told(await ask(other, partner)).get("code"));
    const unswapped = kit.told(await ask(ada.client, partner)).get("code");
    const kept = await kit.signIn(ada.client, shop);
    expect((await revoke(ada.client, partner.client_id)).status).toBe(200);
    for (const { at } of [tokens, again]) {
      expect((await kit.refresh(partner, String(at("refresh_token")))).at("error")).toBe("invalid_grant");
      expect((await kit.userinfo(String(at("access_token")))).status).toBe(401);
    }
    expect((await kit.swap(partner, unswapped)).at("error")).toBe("invalid_grant");
    expect((await ask(ada.client, partner)).text).toContain("Let Partner in?");
    expect((await kit.userinfo(ofGrace.textAt("access_token"))).status).toBe(200);
    expect((await kit.userinfo(kept.textAt("access_token"))).status).toBe(200);
    expect(await isServed(ada.client)).toBe(true);
    expect(audit.all("action = 'auth.client-withdrawn' and subject_user_id = ?", ada.id)).toMatchObject([
      { actor: "user", actor_user_id: ada.id, outcome: "success", session_id: expect.any(String), service: "Partner" },
    ]);
    const signIns = audit.all("action = 'auth.client-authorized' and subject_user_id = ?", ada.id);
    expect(signIns.map(({ service }) => service).toSorted()).toEqual(["Partner", "Partner", "Shop"]);
    expect(await appsOf(ada.client)).toMatchObject([{ client: { name: "Shop" } }]);
    const [held] = (await listed(ada.client)).held;
    expect((await revoke(ada.client, shop.client_id)).status).toBe(200);
    expect(rows.count("jobs where name = 'idp:logout' and payload like ?", `%${held?.id}%`)).toBe(1);
  });

  test("O-92 a code that is swapped while its program is ended gives nothing that lasts", async () => {
    const ada = await people.register("ada");
    await kit.signIn(ada.client, shop);
    const codes = await Promise.all(
      Array.from({ length: 8 }, async () => kit.told(await ask(ada.client, shop)).get("code")),
    );
    const [revoked, ...swapped] = await Promise.all([
      revoke(ada.client, shop.client_id),
      ...codes.map((code) => kit.swap(shop, code)),
    ]);
    expect(revoked?.status).toBe(200);
    for (const answer of swapped)
      if (answer.status === 200) expect(await kit.isActive(partner, answer.textAt("access_token"))).toBe(false);
    expect((await listed(ada.client)).held).toEqual([]);
  });

  test("O-102 a request that is answered while consent is taken back gets no code that is good afterwards", async () => {
    const { client } = await people.register("ada");
    for (let round = 0; round < 20; round += 1) {
      await allow(client);
      const asked = Array.from({ length: 8 }, () => ask(client, partner));
      await Bun.sleep(round % 5);
      expect((await revoke(client, partner.client_id)).status).toBe(200);
      for (const answer of await Promise.all(asked)) {
        const code = answer.status === 303 ? kit.told(answer).get("code") : null;
        if (code !== null) expect((await kit.swap(partner, code)).at("error")).toBe("invalid_grant");
      }
    }
  });

  test("O-92 a device that was allowed and has not come for its session gets none", async () => {
    const ada = await people.register("ada");
    const redirect = ["--type", "native", "--redirect-uri", "tv.example.test:/done"];
    const television = { ...(await kit.register(`Television ${ada.id}`, ...redirect)), client_secret: "" };
    const { client_id } = television;
    const here = createPageVisitor(target.url, ada.client);
    const devices = await Promise.all([1, 2].map(() => kit.call("/oauth2/device_authorization", { client_id })));
    for (const device of devices) {
      const page = await here.submit("/device", { user_code: device.textAt("user_code") });
      await here.send("/oauth2/device", { ...hiddenFields(page.text, "/oauth2/device"), decision: "allow" });
    }
    const [first, second] = devices.map(
      (device) => () =>
        kit.tokens(television, {
          grant_type: "urn:ietf:params:oauth:grant-type:device_code",
          client_id,
          device_code: device.textAt("device_code"),
        }),
    );
    expect((await first?.())?.status).toBe(200);
    expect((await revoke(ada.client, client_id)).status).toBe(200);
    expect((await second?.())?.at("error")).toBe("access_denied");
    expect((await listed(ada.client)).held).toEqual([]);
  });

  test("O-92 a program that holds nothing, or is unknown, is not found, and nobody ends what it holds for others", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const tokens = await kit.signIn(ada.client, shop);
    for (const id of [shop.client_id, "nobody", "../me"])
      expectRefusal(await revoke(grace.client, id), 404, "app not found", "client_not_found");
    expect((await kit.userinfo(tokens.textAt("access_token"))).status).toBe(200);
    expect(audit.all("action = 'auth.client-withdrawn' and subject_user_id = ?", grace.id)).toEqual([]);
  });

  test("O-92 takes a session of the person: no session, and no token of a program, opens it", async () => {
    const ada = await people.register("ada");
    const tokens = await kit.signIn(ada.client, shop);
    const bearer = { headers: { authorization: `Bearer ${tokens.textAt("access_token")}` } };
    for (const options of [{}, bearer]) {
      const stranger = createClient(target.url);
      expect((await stranger.get(auth("apps"), options)).status).toBe(401);
      expect((await stranger.request("POST", auth("apps/revoke"), { client_id: shop.client_id }, options)).status).toBe(
        401,
      );
    }
    const forged = await ada.client.request(
      "POST",
      auth("apps/revoke"),
      { client_id: shop.client_id },
      {
        headers: { origin: "https://evil.example.test" },
      },
    );
    expect([forged.status, forged.at("code")]).toEqual([403, "cross_site_request"]);
    expect((await kit.userinfo(tokens.textAt("access_token"))).status).toBe(200);
  });

  test("O-91 a program that names itself by an address is ended by that address", async () => {
    const ada = await people.register("ada");
    const id = "https://agent.example.test/client.json";
    rows.run("insert into idp_consents (user_id, client_id, scope, granted_at) values (?, ?, 'openid', 1)", ada.id, id);
    expect(await appsOf(ada.client)).toMatchObject([{ client: { id, name: id }, third_party: true, sessions: 0 }]);
    // Its document has been read: the name that the program gives itself there is not taken for one that somebody has checked.
    const boast = await kit.register("Your bank");
    rows.run("update idp_clients set origin = 'document', id = ? where id = ?", id, boast.client_id);
    expect(await appsOf(ada.client)).toMatchObject([{ client: { id, name: "agent.example.test" }, third_party: true }]);
    expect((await revoke(ada.client, id)).status).toBe(200);
    expect(await appsOf(ada.client)).toEqual([]);
  });

  test("a program that an operator removes is forgotten with what people have let it have", async () => {
    const ada = await people.register("ada");
    const brief = await kit.register("Brief", "--third-party");
    await press(ada.client, await ask(ada.client, brief), "Allow");
    expect((await kit.run("client:revoke", "Brief")).code).toBe(0);
    expect(await appsOf(ada.client)).toEqual([]);
    expect(rows.count("idp_consents where client_id = ?", brief.client_id)).toBe(0);
  });
});

describe("where no program signs people in here", () => {
  test("the routes are not there, and sessions have no program", async () => {
    const off = await stage({ env: { IDP_ENABLED: "false" } });
    const ada = await off.people.register("ada");
    expect((await ada.client.get(auth("apps"))).status).toBe(404);
    expect((await listed(ada.client)).own).toBe(1);
  });
});
