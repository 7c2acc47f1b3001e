import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { arrives, askBrowser, browserMissing, type Front, goTo, openTab, startFront } from "../../support/chromium.ts";
import { signInAtProvider } from "../../support/oauth/account.form.ts";
import { startOf } from "../../support/oauth/journey.ts";
import { publicUrl, type StandIn, providerNames } from "../../support/oauth/provider.ts";
import { startWorld, type World } from "../../support/oauth/world.ts";

const { host } = new URL(publicUrl);
const names = providerNames;

// The service has its public https address, and the providers are on another site. The browser decides which cookies it sends.
describe.skipIf(browserMissing !== undefined)(
  `in Chromium${browserMissing === undefined ? "" : ` (${browserMissing})`}`,
  () => {
    let world: World;
    let front: Front;
    let tab: Bun.WebView;
    beforeAll(async () => {
      world = await startWorld();
      front = await startFront(host, world.target.port);
      tab = openTab({ [host]: front });
    }, 120_000);
    afterAll(async () => {
      tab.close();
      Bun.WebView.closeAll();
      await front.stop();
      await world.stop();
    });

    const ask = (path: string, method = "GET"): Promise<unknown> =>
      tab.evaluate(`fetch(${JSON.stringify(path)}, { method: "${method}" }).then((answer) => answer.json())`);

    async function forgetProvider(provider: StandIn): Promise<void> {
      // Cookies belong to a host and not to a port: the stand-ins share theirs.
      await goTo(tab, `${provider.url}/nowhere`);
      await askBrowser(tab, "Network.clearBrowserCookies");
    }

    test.each(names)("a person signs in with %s, and sees who they are", async (name) => {
      await forgetProvider(world[name]);
      const ada = world.newcomer("ada", { name: "Ada Lovelace" });
      await goTo(tab, `${publicUrl}${startOf(name, { next: "/-/health" })}`);
      await signInAtProvider(tab, world[name], ada.account);
      const at = await arrives(tab, (url) => url.origin === publicUrl);
      expect(at.href).toBe(`${publicUrl}/-/health`);
      expect(await ask("/api/v1/auth/me")).toMatchObject({ user: { email: ada.email, has_password: false } });
      const seen: unknown = await tab.evaluate("document.cookie");
      expect(seen).toBe("");
    });

    test("F-09 F-17 links Apple, whose form comes without the session's cookies", async () => {
      await forgetProvider(world.google);
      const ada = world.newcomer("ada");
      await goTo(tab, `${publicUrl}${startOf("google", { next: "/-/health" })}`);
      await signInAtProvider(tab, world.google, ada.account);
      await arrives(tab, (url) => url.href === `${publicUrl}/-/health`);
      const path = startOf("apple", { link: true, next: "/-/ready" });
      await tab.evaluate(`void (location.href = ${JSON.stringify(path)})`);
      await signInAtProvider(tab, world.apple, ada.account);
      await arrives(tab, (url) => url.href === `${publicUrl}/-/ready`);
      const answer = await ask("/api/v1/auth/identities");
      expect(answer).toMatchObject({ identities: [{ provider: "apple" }, { provider: "google" }] });
    });

    test("F-09 a page of another site begins no linking", async () => {
      await arrives(tab, (url) => url.origin === publicUrl);
      await goTo(tab, `${world.google.url}/nowhere`);
      await tab.evaluate(
        `void (location.href = ${JSON.stringify(`${publicUrl}${startOf("github", { link: true })}`)})`,
      );
      const at = await arrives(tab, (url) => url.origin === publicUrl);
      expect(`${at.pathname}${at.search}`).toBe("/login?oauth_error=cross_site_request");
    });

    test("refused at the provider leads to the sign-in page", async () => {
      await forgetProvider(world.google);
      await goTo(tab, `${publicUrl}${startOf("google")}`);
      await signInAtProvider(tab, world.google, "nobody");
      const at = await arrives(tab, (url) => url.origin === publicUrl);
      expect(`${at.pathname}${at.search}`).toBe("/login?oauth_error=oauth_denied");
    });
  },
);
