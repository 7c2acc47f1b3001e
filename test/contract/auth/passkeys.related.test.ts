import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { createAuthenticator } from "../../support/authenticator.ts";
import { addAuthenticator, browserMissing, openTab, startFront, type Front } from "../../support/chromium.ts";
import { createClient } from "../../support/client.ts";
import { createStaff } from "../../support/staff.ts";
import { stage, startStage, type StartedStage } from "../../support/stage.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";
import { addPasskey } from "../kit/kit.fixture.ts";
import { add, origin, signIn, stagePasskeys } from "./passkeys.fixture.ts";

const path = "/.well-known/webauthn";
const shop = "https://shop.other.test";
const page = { headers: { origin: shop, "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" } };

describe("M-49 pages of another domain", () => {
  test("that is listed make passkeys and use them, and browsers are told where", async () => {
    const { browser, register } = await stagePasskeys({
      AUTH_WEBAUTHN_ORIGINS: `https://app.auth.example.test,${shop}`,
      AUTH_ALLOWED_ORIGINS: shop,
    });
    const list = await browser().get(path);
    expect([list.status, list.json, list.headers.get("content-type")]).toEqual([
      200,
      { origins: [shop] },
      "application/json;charset=utf-8",
    ]);
    const { client } = await register("ada");
    const authenticator = await createAuthenticator(shop);
    expect((await client.post(auth("passkeys/register/options"), {}, page)).status).toBe(200);
    expect((await add(client, authenticator)).status).toBe(200);
    expect((await signIn(browser(), authenticator)).status).toBe(200);
  });

  test("sign nobody in where they are not listed, and there is no list", async () => {
    const { browser, withPasskey } = await stagePasskeys({ AUTH_WEBAUTHN_ORIGINS: "https://app.auth.example.test" });
    expect((await browser().get(path)).status).toBe(404);
    const { authenticator } = await withPasskey("ada");
    expect((await signIn(browser(), authenticator, { origin: shop })).status).toBe(401);
  });

  test("open no page for staff, whatever the app lists", async () => {
    const { target, rows } = await stage({ app: "admin", env: { ADMIN_APP_URL: origin, AUTH_WEBAUTHN_ORIGINS: shop } });
    const { visitor } = await createStaff(target.url, rows).add("ada");
    const refused = await addPasskey(visitor, "/two-step", shop);
    expect([refused.status, rows.count("auth_passkeys")]).toEqual([400, 0]);
    expect((await addPasskey(visitor, "/two-step", origin)).status).toBe(303);
    const answer = await createClient(target.url).get(path);
    expect(answer.status).toBe(404);
  });
});

describe.skipIf(browserMissing !== undefined)(
  `a passkey on two domains, in Chromium${browserMissing === undefined ? "" : ` (${browserMissing})`}`,
  () => {
    let started: StartedStage;
    let fronts: Readonly<Record<string, Front>>;
    let tab: Bun.WebView;
    let visitor: Visitor;
    beforeAll(async () => {
      const env = { APP_URL: origin, AUTH_WEBAUTHN_ORIGINS: shop, AUTH_ALLOWED_ORIGINS: shop };
      started = await startStage({ shared: true, env });
      const port = Number(new URL(started.target.url).port);
      const hosts = [origin, shop].map((each) => new URL(each).host);
      fronts = Object.fromEntries(await Promise.all(hosts.map(async (host) => [host, await startFront(host, port)])));
      tab = openTab(fronts);
      visitor = await createVisitor(tab);
      await addAuthenticator(tab);
    }, 120_000);
    afterAll(async () => {
      tab.close();
      Bun.WebView.closeAll();
      await Promise.all(Object.values(fronts).map((front) => front.stop()));
      await started.stop();
    });

    test("M-49 one that was made at the service's own address signs in at the address that it lists", async () => {
      const ada = await started.people.register("ada");
      await visitor.open(`${origin}/login`, "Sign in");
      await visitor.fill("login", ada.email);
      await visitor.fill("password", ada.password);
      await tab.press("Enter");
      await visitor.press("Add a passkey");
      await visitor.says("is added. Give it a name");
      await visitor.open(`${shop}/login`, "Sign in");
      await visitor.press("Sign in with a passkey");
      await visitor.shows("Your account");
      expect(new URL(tab.url).origin).toBe(shop);
    }, 120_000);
  },
);
