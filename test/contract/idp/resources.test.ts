import { describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { auth } from "../../support/auth.ts";
import type { Answer, Client } from "../../support/client.ts";
import { clientIn } from "../../support/client.library.ts";
import { createPageVisitor, hiddenFields, textOf, titleOf } from "../../support/staff.ts";
import { stage } from "../../support/stage.ts";
import { form, idpEnvironment, idpKit } from "./idp.fixture.ts";
import { press } from "./pages.fixture.ts";

const { target, people, rows } = await stage({ env: idpEnvironment });
const kit = idpKit(target);
const partner = await kit.register("Partner", "--third-party");
const shop = await kit.register("Shop");
const done = "tv.example.test:/done";
const television = await kit.register("Television", "--type", "native", "--redirect-uri", done, "--third-party");

const orders = "https://shop-api.example.test/orders";
const stock = "https://shop-api.example.test/stock";
const reports = "https://reports.example.test";
const calls = (host: string): string => `call ${host} in your name`;
const ask = (browser: Client, resource?: string, fields: Readonly<Record<string, string | undefined>> = {}) =>
  kit.authorize(browser, partner, { scope: "openid", resource, ...fields });
const isAsked = (page: Answer): boolean => titleOf(page) === "Let Partner in?";
const isCode = (answer: Answer): boolean => kit.told(answer).get("code") !== null;

/** Asks for several resource servers, which a form of one value each can't. */
const askForAll = (browser: Client, resources: readonly (string | undefined)[]) =>
  browser.get(
    `/oauth2/authorize?${form(kit.requestOf(partner, { scope: "openid" }))}&${resources.map((each) => form({ resource: each })).join("&")}`,
  );

describe("a resource server that a program wants to call for a person", () => {
  test("O-110 is named on the page by its host, once, in the language of the person", async () => {
    const { client } = await people.register("ada");
    const page = await askForAll(client, [orders, stock, reports, "urn:example:till"]);
    const shown = textOf(page);
    for (const host of ["shop-api.example.test", "reports.example.test", "urn:example:till"])
      expect(shown.split(calls(host))).toHaveLength(2);
    expect(shown).not.toContain("/orders");
    const german = await ask(client, orders, { ui_locales: "de" });
    expect(textOf(german)).toContain("in Ihrem Namen shop-api.example.test aufrufen");
    expect(textOf(await ask(client))).not.toContain("in your name");
  });

  test("O-110 is asked about once, and another one anew, also in silence", async () => {
    const { client } = await people.register("ada");
    const tokens = await kit.swap(
      partner,
      kit.told(await press(client, await ask(client, orders), "Allow")).get("code"),
    );
    expect(decodeJwt(tokens.textAt("access_token")).aud).toBe(orders);
    expect(isCode(await ask(client, orders))).toBe(true);
    expect(isCode(await ask(client))).toBe(true);
    for (const other of [stock, reports]) {
      expect(isAsked(await ask(client, other))).toBe(true);
      expect(kit.told(await ask(client, other, { prompt: "none" })).get("error")).toBe("consent_required");
    }
    expect(isCode(await press(client, await ask(client, reports), "Allow"))).toBe(true);
    // What was allowed first stays allowed.
    expect(isCode(await askForAll(client, [orders, reports]))).toBe(true);
    expect(isAsked(await askForAll(client, [orders, stock]))).toBe(true);
  });

  test("O-110 is part of the answer: a yes to one page is none to a resource that it did not show", async () => {
    const { client, id } = await people.register("ada");
    const page = await ask(client, orders);
    for (const fields of [{ resource: stock }, { shown: `openid ${stock}`, resource: stock }, { shown: "openid" }])
      expect((await press(client, page, "Allow", { fields })).headers.get("location")).toStartWith(
        "/oauth2/authorize?",
      );
    expect(rows.count("idp_consents where user_id = ?", id)).toBe(0);
  });

  test("O-110 needs no question of an operator's own program", async () => {
    const { client } = await people.register("ada");
    const tokens = await kit.signIn(client, shop, { scope: "openid", resource: orders });
    expect(decodeJwt(tokens.textAt("access_token")).aud).toBe(orders);
  });

  test.each([
    "https://shop-api.example.test/a b",
    "https://shop-api.example.test@evil.example.test/",
    "https://büro.example.test/",
  ])("O-110 is written as an address has to be: %s is refused", async (resource) => {
    const { client } = await people.register("ada");
    expect(kit.told(await ask(client, resource)).get("error")).toBe("invalid_target");
  });

  test("O-110 is listed with what the program may do, and in the export", async () => {
    const ada = await people.register("ada");
    await press(ada.client, await ask(ada.client, orders), "Allow");
    await kit.signIn(ada.client, shop, { scope: "openid email", resource: reports });
    const apps = await clientIn(ada.client).listApps();
    const listed = apps.ok ? apps.apps.map(({ client, scopes, resources }) => [client.name, scopes, resources]) : [];
    expect(listed).toContainEqual(["Partner", ["openid"], [orders]]);
    expect(listed).toContainEqual(["Shop", ["openid", "email"], [reports]]);
    expect((await ada.client.get(auth("account/export"))).at("consents")).toEqual([
      {
        client: { id: partner.client_id, name: "Partner" },
        scope: "openid",
        resources: [orders],
        granted_at: expect.any(String),
      },
    ]);
    expect((await ada.client.post(auth("apps/revoke"), { client_id: partner.client_id })).status).toBe(200);
    expect(isAsked(await ask(ada.client, orders))).toBe(true);
  });
});

describe("a device", () => {
  type Fields = Readonly<Record<string, string | undefined>>;
  const remembered = (id: string) => rows.all("select scope, resources from idp_consents where user_id = ?", id);

  /** Resolves to the page that asks about a device. */
  async function askAbout(browser: Client, fields: Fields): Promise<Answer> {
    const begun = await kit.call("/oauth2/device_authorization", { client_id: television.client_id, ...fields });
    return createPageVisitor(target.url, browser).submit("/device", { user_code: begun.textAt("user_code") });
  }
  const say = (browser: Client, page: Answer, decision: "allow" | "deny"): Promise<Answer> =>
    createPageVisitor(target.url, browser).send("/oauth2/device", {
      ...hiddenFields(page.text, "/oauth2/device"),
      decision,
    });

  test("O-110 names the resource server on its page", async () => {
    const { client } = await people.register("ada");
    expect(textOf(await askAbout(client, { resource: orders }))).toContain(calls("shop-api.example.test"));
  });

  test("O-114 adds to what its person has said yes to before, and what they deny takes nothing away", async () => {
    const { client, id } = await people.register("ada");
    await say(client, await askAbout(client, { scope: "openid email", resource: orders }), "allow");
    expect(remembered(id)).toEqual([{ scope: "openid email", resources: orders }]);
    await say(client, await askAbout(client, { scope: "openid profile", resource: reports }), "allow");
    const both = [{ scope: "openid email profile", resources: `${orders} ${reports}` }];
    expect(remembered(id)).toEqual(both);
    await say(client, await askAbout(client, { scope: "openid", resource: stock }), "deny");
    expect(remembered(id)).toEqual(both);
  });

  test("O-114 loses no yes where several are said at the same moment", async () => {
    const { client, id } = await people.register("ada");
    const scopes = ["profile", "email", "offline_access"];
    const pages = await Promise.all(scopes.map((scope) => askAbout(client, { scope: `openid ${scope}` })));
    const asked = await kit.authorize(client, television, { scope: "openid", redirect_uri: done, resource: orders });
    const said = await Promise.all([
      ...pages.map((page) => say(client, page, "allow")),
      press(client, asked, "Allow").then((answer) => kit.told(answer, done)),
    ]);
    expect(said).toHaveLength(4);
    const [row] = remembered(id);
    expect([String(row?.["scope"]).split(" ").toSorted(), row?.["resources"]]).toEqual([
      ["email", "offline_access", "openid", "profile"],
      orders,
    ]);
  });
});
