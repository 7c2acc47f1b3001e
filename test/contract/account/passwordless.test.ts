import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, minute, nextMail, type Person } from "../../support/auth.ts";
import { createAuthenticator } from "../../support/authenticator.ts";
import { askBrowser, becomeClient, chromiumMissing, goTo } from "../../support/chromium.ts";
import { createClient } from "../../support/client.ts";
import { add } from "../auth/passkeys.fixture.ts";
import { startAtLocalhost, type AtLocalhost } from "./factors.fixture.ts";

const noBrowser = chromiumMissing === undefined ? "" : ` (${chromiumMissing})`;

describe.skipIf(chromiumMissing !== undefined)(
  `an account that goes without a password in Chromium${noBrowser}`,
  () => {
    let shown: AtLocalhost;
    let visitor: AtLocalhost["visitor"];
    let ada: Person;
    beforeAll(async () => {
      shown = await startAtLocalhost({ AUTH_PASSWORDLESS: "allowed" });
      ({ visitor } = shown);
      ada = await shown.stage.people.register("ada", { display_name: "Ada Lovelace" });
      shown.stage.rows.prove(ada);
    }, 120_000);
    afterAll(() => shown.stop());

    /** Waits until the file of what few people see is there, and the section of the password has exactly these buttons. */
    const hasButtons = (...words: readonly string[]): Promise<void> =>
      visitor.until(words.join(), async () => {
        const shownNow =
          await visitor.ask(`performance.getEntriesByType("resource").some(({ name }) => name.includes("/password.seldom."))
          ? [...document.querySelectorAll("#password button")].map(({ textContent }) => textContent.trim()).join() : ""`);
        return shownNow === words.join();
      });
    const removeNow = (): Promise<unknown> => visitor.ask("document.querySelector('dialog button.danger').click()");

    test("is offered it only once there are two passkeys for this address", async () => {
      const client = createClient(shown.url);
      await client.post(auth("login"), { login: ada.email, password: ada.password });
      await add(client, await createAuthenticator(shown.url));
      await becomeClient(shown.tab, client);
      await goTo(shown.tab, `${shown.url}/account`);
      await visitor.says("not used yet");
      await hasButtons("Change password");
      shown.stage.rows.run("update auth_passkeys set rp_id = 'elsewhere.example'");
      await visitor.press("Add a passkey");
      await visitor.says("is added. Give it a name");
      await visitor.says("Works at elsewhere.example alone");
      await hasButtons("Change password");
      shown.stage.rows.run("update auth_passkeys set rp_id = 'localhost'");
      await goTo(shown.tab, `${shown.url}/account`);
      await visitor.says("not used yet");
      await hasButtons("Change password", "Remove password");
    });

    test("M-93 asks once, and for a fresh proof, before the password is gone", async () => {
      shown.stage.rows.letPass(11 * minute);
      await visitor.press("Remove password");
      await visitor.says("Sign in by passkeys alone?");
      await visitor.expectNoBarriers("before the password is removed");
      await removeNow();
      await visitor.says("Is it you?");
      await visitor.press("Use a passkey");
      await visitor.says("Your password is removed: your passkeys sign you in.");
      await hasButtons("Set a password by mail");
      await visitor.expectNoBarriers("without a password");
      await nextMail(shown.stage.mailbox, ada.email, "The password was removed from your account");
      const refused = await ada.client.post(auth("login"), { login: ada.email, password: ada.password });
      expect(refused.at("code")).toBe("invalid_credentials");
    });

    test("M-93 signs in by the passkey that is left", async () => {
      // The test's authenticator accepts the browser's suggestion at once.
      await goTo(shown.tab, "about:blank");
      await askBrowser(shown.tab, "Network.clearBrowserCookies");
      await goTo(shown.tab, `${shown.url}/login`);
      await visitor.shows("Your account");
      await hasButtons("Set a password by mail");
      expect(visitor.takeComplaints()).toEqual([]);
    });
  },
);

describe.skipIf(chromiumMissing !== undefined)(`where passwords stay, in Chromium${noBrowser}`, () => {
  test("M-93 nobody is offered to go without one", async () => {
    const usual = await startAtLocalhost();
    const grace = await usual.stage.people.register("grace");
    usual.stage.rows.prove(grace);
    const client = createClient(usual.url);
    await client.post(auth("login"), { login: grace.email, password: grace.password });
    for (let made = 0; made < 2; made += 1) await add(client, await createAuthenticator(usual.url));
    await becomeClient(usual.tab, client);
    await goTo(usual.tab, `${usual.url}/account`);
    await usual.visitor.says("not used yet");
    expect(await usual.visitor.text()).not.toContain("Remove password");
    await usual.stop();
  }, 120_000);
});
