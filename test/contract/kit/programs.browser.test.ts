import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { askBrowser, browserMissing, goTo } from "../../support/chromium.ts";
import { publicUrl } from "../../support/oauth/provider.ts";
import { startApps, shopUrl, type Apps } from "../account/apps.fixture.ts";
import type { Registered } from "../idp/idp.fixture.ts";
import { password, serverKit } from "./kit.fixture.ts";

const email = "ada@people.test";

// Programs sign people in by Gatehouse whose pages the server writes, in a real browser: with and without JavaScript.
describe.skipIf(browserMissing !== undefined)(
  `programs and passkeys beside the pages that the server writes${browserMissing === undefined ? "" : ` (${browserMissing})`}`,
  () => {
    let shown: Apps;
    let visitor: Apps["visitor"];
    let shop: Registered;
    let partner: Registered;
    beforeAll(async () => {
      shown = await startApps(serverKit);
      ({ visitor } = shown);
      shop = await shown.kit.register("Shop");
      partner = await shown.kit.register("Partner", "--third-party", "--redirect-uri", `${shopUrl}/callback`);
      await shown.setLanguage("en");
    }, 120_000);
    afterAll(() => shown.stop());

    const runsScripts = (value: boolean): Promise<unknown> =>
      askBrowser(shown.tab, "Emulation.setScriptExecutionDisabled", { value: !value });

    test("U-33 a stranger registers on the way to a program, and ends there without a script, on another host", async () => {
      await runsScripts(false);
      await visitor.open(shown.way(shop), "Sign in");
      await visitor.press("Create one");
      await visitor.shows("Create an account");
      await visitor.fill("email", email);
      await visitor.fill("password", password);
      await visitor.press("Create account");
      await visitor.shows("You are in the shop.");
      expect(await visitor.ask("location.host")).toBe("shop.example.test");
      await visitor.open(shown.way(partner), "Let Partner in?");
      await visitor.press("Allow");
      await visitor.shows("You are in the shop.");
    }, 60_000);

    test("a program that wants a proof gets it by the password, though somebody is signed in", async () => {
      await visitor.open(shown.way(shop, { prompt: "login", login_hint: email, ui_locales: "de" }), "Anmelden");
      expect(await visitor.ask("document.querySelector('[name=login]').value")).toBe(email);
      await visitor.fill("password", password);
      await visitor.press("Anmelden");
      await visitor.shows("You are in the shop.");
      await visitor.open(shown.way(shop, { prompt: "select_account" }), "Sign in");
      await visitor.says("You are signed in as");
      await visitor.press("Continue");
      await visitor.shows("You are in the shop.");
    }, 60_000);

    test("where JavaScript is there, a passkey is made on the account, and signs in by itself", async () => {
      await visitor.open(`${publicUrl}/account/two-step`, "Two-step sign-in");
      await visitor.press("Add a passkey");
      await visitor.shows("Add a passkey");
      await visitor.says("This browser can't make passkeys.");
      await runsScripts(true);
      await visitor.open(`${publicUrl}/account/two-step`, "Two-step sign-in");
      await visitor.press("Add a passkey");
      await visitor.shows("Add a passkey");
      await visitor.fill("name", "Work laptop");
      await visitor.press("Add a passkey");
      await visitor.says("Work laptop is added. Make recovery codes now");
      await shown.look("kit-passkey");
      await shown.forget();
      // The browser suggests the passkey, and its authenticator takes every suggestion while somebody is present.
      await goTo(shown.tab, shown.way(shop));
      await visitor.shows("You are in the shop.");
      expect(visitor.takeComplaints()).toEqual([]);
    }, 60_000);
  },
);
