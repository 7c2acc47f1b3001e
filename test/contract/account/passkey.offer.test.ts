import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, type Person } from "../../support/auth.ts";
import { askBrowser, becomeClient, chromiumMissing, goTo } from "../../support/chromium.ts";
import { createClient } from "../../support/client.ts";
import { challengedAt, giveAuthenticator, verify } from "../../support/factor.ts";
import { startAtLocalhost, type AtLocalhost } from "./factors.fixture.ts";

/**
 * Chromium says that it makes passkeys by itself, and asks the password manager of its vendor, which is not there: the call waits. Here it
 * asks the test's authenticator as if a person had asked. What the pages do stays as it is, and each call is kept.
 */
const manager = `((create) => {
  if (create === undefined) return;
  globalThis.unasked = [];
  navigator.credentials.create = (options) => {
    if (options.mediation !== "conditional") return create(options);
    unasked.push(options.publicKey.authenticatorSelection.userVerification);
    return create({ publicKey: options.publicKey, signal: options.signal });
  };
})(navigator.credentials?.create.bind(navigator.credentials))`;

describe.skipIf(chromiumMissing !== undefined)(
  `M-96 passkeys that a browser makes by itself in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let shown: AtLocalhost;
    let visitor: AtLocalhost["visitor"];
    beforeAll(async () => {
      shown = await startAtLocalhost();
      ({ visitor } = shown);
      await askBrowser(shown.tab, "Page.enable");
    }, 120_000);
    afterAll(() => shown.stop());

    const passkeysOf = ({ id }: Person): number => shown.stage.rows.count("auth_passkeys where user_id = ?", id);

    /** Gives the browser a session that a password and, where the account has one, a code have just opened. */
    async function signIn(person: Person, app?: ReturnType<typeof giveAuthenticator>): Promise<void> {
      await goTo(shown.tab, "about:blank");
      await askBrowser(shown.tab, "Network.clearBrowserCookies");
      const browser = createClient(shown.url);
      if (app === undefined) await browser.post(auth("login"), { login: person.email, password: person.password });
      else {
        const sign = await challengedAt(shown.url, person);
        expect((await verify(sign, app.code())).status).toBe(200);
        return becomeClient(shown.tab, sign.browser);
      }
      await becomeClient(shown.tab, browser);
    }
    async function openAccount(): Promise<void> {
      visitor.takeRequests();
      await goTo(shown.tab, `${shown.url}/account`);
      await visitor.says("Authenticator app");
    }

    /** Adds a passkey by hand, which takes longer than to ask for an offer, and looks whether the page has asked for one by then. */
    async function expectNoOffer(person: Person): Promise<void> {
      await visitor.press("Add a passkey");
      await visitor.says("is added. Give it a name");
      expect(visitor.takeRequests().filter((url) => url.endsWith(auth("passkeys/register/offer")))).toEqual([]);
      expect(passkeysOf(person)).toBe(1);
      shown.stage.rows.run("delete from auth_passkeys where user_id = ?", person.id);
      expect(visitor.takeComplaints()).toEqual([]);
    }

    test("the page waits for nothing and opens nothing, and adding one by hand goes on meanwhile", async () => {
      const ada = await shown.stage.people.register("ada");
      await signIn(ada, giveAuthenticator(shown.stage.rows, ada));
      await openAccount();
      // Chromium itself is waiting for its password manager now.
      await visitor.until("the offer", async () =>
        visitor.ask(`Number(localStorage.getItem("passkey offered: ${ada.id}")) > 0`).then((is) => is === true),
      );
      expect(await visitor.ask("document.querySelector('dialog[open]') === null")).toBe(true);
      await visitor.press("Add a passkey");
      await visitor.says("is added. Give it a name");
      expect(passkeysOf(ada)).toBe(1);
      expect(visitor.takeComplaints()).toEqual([]);
    });

    test("one appears among the passkeys of an account that has a second factor, and is asked for once a month", async () => {
      await askBrowser(shown.tab, "Page.addScriptToEvaluateOnNewDocument", { source: manager });
      const grace = await shown.stage.people.register("grace");
      const app = giveAuthenticator(shown.stage.rows, grace);
      await signIn(grace, app);
      await openAccount();
      await visitor.says("Linux · Chrome");
      expect([passkeysOf(grace), await visitor.ask("unasked")]).toEqual([1, ["preferred"]]);
      expect(await visitor.ask("document.querySelector('dialog[open]') === null")).toBe(true);
      shown.stage.rows.run("delete from auth_passkeys where user_id = ?", grace.id);
      await openAccount();
      await expectNoOffer(grace);
      await visitor.ask(`localStorage.setItem("passkey offered: ${grace.id}", Date.now() - 31 * 24 * 60 * 60 * 1000)`);
      await openAccount();
      await visitor.says("Linux · Chrome");
      expect(passkeysOf(grace)).toBe(1);
      expect(visitor.takeComplaints()).toEqual([]);
    });

    test("none is made for an account without a second factor", async () => {
      const lin = await shown.stage.people.register("lin");
      await signIn(lin);
      await openAccount();
      await visitor.says("Off: your password, or another way in, is enough.");
      await expectNoOffer(lin);
    });

    test("a browser that stores nothing, or that can't, is asked for none", async () => {
      const kim = await shown.stage.people.register("kim");
      const app = giveAuthenticator(shown.stage.rows, kim);
      for (const source of [
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
        "globalThis.PublicKeyCredential && (PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: false }))",
      ]) {
        const { identifier } = Object(await askBrowser(shown.tab, "Page.addScriptToEvaluateOnNewDocument", { source }));
        await signIn(kim, app);
        await openAccount();
        await expectNoOffer(kim);
        await askBrowser(shown.tab, "Page.removeScriptToEvaluateOnNewDocument", { identifier });
      }
    });
  },
);
