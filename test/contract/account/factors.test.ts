import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, minute, nextMail, type Person, signInSubject } from "../../support/auth.ts";
import { askBrowser, becomeClient, chromiumMissing, goTo } from "../../support/chromium.ts";
import { createClient } from "../../support/client.ts";
import { codeOf } from "../../support/totp.ts";
import { startAtLocalhost, type AtLocalhost } from "./factors.fixture.ts";
import { german } from "../../support/words.ts";

describe.skipIf(chromiumMissing !== undefined)(
  `second factors on the account pages in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let shown: AtLocalhost;
    let visitor: AtLocalhost["visitor"];
    let tab: AtLocalhost["tab"];
    let ada: Person;
    /** The secret of the authenticator app; `codes` are the recovery codes that came with it. */
    let secret = "";
    let codes: readonly string[] = [];
    beforeAll(async () => {
      shown = await startAtLocalhost();
      ({ visitor, tab } = shown);
      ada = await shown.stage.people.register("ada", { display_name: "Ada Lovelace" });
    }, 120_000);
    afterAll(() => shown.stop());

    const enter = (): Promise<void> => tab.press("Enter");
    const fieldIs = (name: string): Promise<unknown> => visitor.ask(`document.querySelector("[name=${name}]").value`);
    /** Returns an unused code: the account forgets the steps that were used before. */
    const freshCode = (): string => {
      shown.stage.rows.run("update auth_totp set last_step = 0");
      return codeOf(secret);
    };
    async function openAccount(): Promise<void> {
      await becomeClient(tab, await signedIn());
      await goTo(tab, `${shown.url}/account`);
      await visitor.says("Authenticator app");
    }
    /** Resolves to a browser that has passed every step of a sign-in. */
    async function signedIn() {
      const client = createClient(shown.url);
      const first = await client.post(auth("login"), { login: ada.email, password: ada.password });
      if (first.status === 401)
        await client.post(auth("login/verify"), {
          challenge: first.textAt("challenge"),
          method: "totp",
          code: freshCode(),
        });
      return client;
    }
    const openSignIn = (query?: string): Promise<void> => shown.openSignIn(query);
    async function givePassword(): Promise<void> {
      await shown.givePassword(ada);
      await visitor.says("left for this step");
    }

    test("M-70 an authenticator app is set up by a code of it, and its recovery codes are shown once, to be kept", async () => {
      await openAccount();
      expect(await visitor.text()).toContain("Off: your password, or another way in, is enough.");
      await visitor.press("Set up");
      await visitor.says("Scan this picture");
      expect(await visitor.ask("document.querySelector('img.qr').naturalWidth > 0")).toBe(true);
      secret = String(await visitor.ask("document.querySelector('.secret code').textContent")).replaceAll(" ", "");
      await visitor.expectNoBarriers("the set-up");
      await visitor.fill("code", "12345");
      await enter();
      await visitor.says("The code has six digits.");
      await visitor.fill("code", "000000");
      await enter();
      await visitor.says("This code is not right");
      await visitor.fill("code", codeOf(secret));
      await enter();
      await visitor.isOn("Save your recovery codes");
      const shownCodes = await visitor.ask(
        "[...document.querySelectorAll('.codes code')].map((code) => code.textContent)",
      );
      codes = Array.isArray(shownCodes) ? shownCodes.map(String) : [];
      expect(codes).toHaveLength(10);
      await visitor.expectNoBarriers("the codes");
      await visitor.ask(`((create) => {
        URL.createObjectURL = (blob) => (void blob.text().then((text) => (globalThis.saved = text)), create(blob));
      })(URL.createObjectURL)`);
      await visitor.ask(
        "[...document.querySelectorAll('#factors button')].find(({ textContent }) => textContent === 'Download').click()",
      );
      await visitor.says("recovery-codes.txt is in your downloads.");
      for (const code of codes) expect(await visitor.ask("globalThis.saved")).toContain(code);
      await visitor.press("I have saved them");
      await visitor.says("On: whoever knows your password alone does not get in.");
      await visitor.says("10 left");
      expect(await visitor.text()).not.toContain(codes[0] ?? "no code");
      await visitor.expectNoBarriers("with an app");
    });

    test("M-71 a sign-in takes a code: a wrong one stays to be corrected, a right one leads to where it was meant to go", async () => {
      await openSignIn("?next=%2F-%2Fhealth");
      await givePassword();
      await visitor.isOn("challenge-code");
      await visitor.says("left for this step");
      await visitor.expectNoBarriers("the second step");
      await tab.type("000 000");
      await enter();
      await visitor.says("This code is not right");
      await visitor.isOn("challenge-code");
      expect(await fieldIs("code")).toBe("000 000");
      await visitor.expectNoBarriers("a wrong code");
      // The step survives a reload of the page, and typing replaces the selected code.
      await goTo(tab, String(await visitor.ask("location.href")));
      await visitor.isOn("challenge-code");
      await tab.type(freshCode());
      await enter();
      await visitor.arrivesAt(`${shown.url}/-/health`);
    });

    test("M-71 a recovery code lets its person in once", async () => {
      const [code = ""] = codes;
      await openSignIn();
      await givePassword();
      await visitor.press("Use a recovery code");
      await visitor.isOn("challenge-code");
      await visitor.says("Each works once.");
      await visitor.fill("code", code);
      await enter();
      await visitor.says("9 left");
      await openSignIn();
      await givePassword();
      await visitor.press("Use a recovery code");
      await visitor.fill("code", code);
      await enter();
      await visitor.says("This is not one of your recovery codes");
    });

    test("M-72 five minutes later the step says that they are over, and leads to a new sign-in", async () => {
      await openSignIn("?next=%2F-%2Fhealth");
      await givePassword();
      shown.stage.rows.run("update auth_challenges set expires_at = ?", Date.now() - 1);
      await visitor.fill("code", freshCode());
      await enter();
      await visitor.shows("Sign in again");
      await visitor.says("This sign-in can't be finished");
      await visitor.expectNoBarriers("a step that is over");
      await visitor.press("Sign in again");
      await visitor.shows("Sign in");
      await visitor.isAt("/login?next=%2F-%2Fhealth");
      await givePassword();
      // The page itself looks at the clock.
      await visitor.ask("((now) => void (Date.now = () => now + 301_000))(Date.now())");
      await visitor.says("The five minutes for this step are over");
    });

    test("a passkey is added, named, and signs in without a name, by a button and by what the browser offers", async () => {
      await openAccount();
      await visitor.press("Add a passkey");
      await visitor.says("is added. Give it a name");
      await visitor.fill("name", "My laptop");
      await enter();
      await visitor.says("It is called My laptop now.");
      await visitor.isOn("Rename");
      expect(await visitor.text()).toContain("not used yet");
      await visitor.expectNoBarriers("with a passkey");
      await visitor.press("Add a passkey");
      await visitor.says("This device has a passkey for your account already.");
      // The test's authenticator accepts the browser's suggestion at once.
      await goTo(tab, "about:blank");
      await askBrowser(tab, "Network.clearBrowserCookies");
      await goTo(tab, `${shown.url}/login`);
      await visitor.says("last used");
      await shown.authenticator.setVerified(false);
      await openSignIn();
      await visitor.press("Sign in with a passkey");
      await visitor.says("No passkey came from your device");
      await visitor.expectNoBarriers("no passkey");
      await shown.authenticator.setVerified(true);
      await visitor.press("Sign in with a passkey");
      await visitor.shows("Your account");
    });

    test("a passkey is a second step, and proves once more who is there; without a fresh proof nothing is removed", async () => {
      await shown.authenticator.setVerified(false);
      await openSignIn();
      await givePassword();
      await shown.authenticator.setVerified(true);
      await visitor.press("Use a passkey");
      await visitor.says("Authenticator app");
      shown.stage.rows.letPass(11 * minute);
      await visitor.press("Make new codes");
      await visitor.says("The codes that you have stop working at once.");
      await visitor.ask(
        "[...document.querySelectorAll('dialog button')].find((each) => each.className.includes('danger')).click()",
      );
      await visitor.says("Is it you?");
      await visitor.expectNoBarriers("a fresh proof");
      await tab.press("Escape");
      await tab.press("Escape");
      await visitor.press("Remove");
      await visitor.ask(
        "[...document.querySelectorAll('dialog button')].find((each) => each.className.includes('danger')).click()",
      );
      await visitor.says("Is it you?");
      await visitor.press("Use a passkey");
      await visitor.says("The authenticator app is removed.");
    });

    test("the same pages speak German, without a barrier", async () => {
      await ada.client.post(auth("profile"), { locale: "de" });
      await openAccountIn("de");
      await visitor.says(german.factors.section.on);
      await visitor.expectNoBarriers("in German");
    });

    async function openAccountIn(locale: string): Promise<void> {
      await askBrowser(tab, "Network.setExtraHTTPHeaders", { headers: { "accept-language": locale } });
      await goTo(tab, `${shown.url}/account`);
    }

    test("U-01 nothing of this did what the policy of the pages forbids", () => {
      expect(visitor.takeComplaints()).toEqual([]);
    });
  },
);

describe.skipIf(chromiumMissing !== undefined)(
  `where a second factor is required, and mails sign in${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let shown: AtLocalhost;
    let visitor: AtLocalhost["visitor"];
    let tab: AtLocalhost["tab"];
    let ada: Person;
    beforeAll(async () => {
      shown = await startAtLocalhost({ AUTH_MFA_REQUIRED: "true", AUTH_EMAIL_LOGIN_ENABLED: "true" });
      ({ visitor, tab } = shown);
      ada = await shown.stage.people.register("ada", { display_name: "Ada Lovelace" });
      // Otherwise the first proof of the address would end everything that the account held before.
      shown.stage.rows.prove(ada);
    }, 120_000);
    afterAll(() => shown.stop());

    const enter = (): Promise<void> => tab.press("Enter");

    test("M-73 whoever has no second factor sets one up on the way in, and sees nothing before that", async () => {
      await shown.openSignIn();
      await shown.givePassword(ada);
      await visitor.shows("Set up a second step");
      await visitor.expectNoBarriers("on the way in");
      await goTo(tab, `${shown.url}/account`);
      await visitor.shows("Set up a second step");
      expect(await visitor.text()).not.toContain(ada.email);
      await visitor.press("Add a passkey");
      await visitor.shows("Save your recovery codes");
      await visitor.expectNoBarriers("codes on the way in");
      await visitor.press("I have saved them, go on");
      await visitor.shows("Your account");
      await visitor.says("10 left");
    });

    test("a mail signs in by its code or by its link, and the second step comes after it", async () => {
      await shown.authenticator.setVerified(false);
      await shown.openSignIn();
      await visitor.press("Sign in by mail");
      await visitor.shows("Sign in by mail");
      await visitor.expectNoBarriers("asking for a mail");
      await visitor.fill("login", ada.email);
      await enter();
      await visitor.shows("Look in your mail");
      await visitor.isOn("mail-code");
      await visitor.expectNoBarriers("a mail was sent");
      await tab.type("000000");
      await enter();
      await visitor.says("This is not the code of the newest mail");
      const mail = await nextMail(shown.stage.mailbox, ada.email, signInSubject);
      await visitor.fill("code", /\b\d{6}\b/.exec(mail.text)?.[0] ?? "");
      await enter();
      await visitor.shows("One more step");
      await shown.authenticator.setVerified(true);
      await visitor.press("Use a passkey");
      await visitor.shows("Your account");
    });

    test("whoever has passkeys of another address alone is told so, and what to do", async () => {
      shown.stage.rows.run("update auth_passkeys set rp_id = 'elsewhere.example'");
      shown.stage.rows.run("delete from auth_recovery_codes");
      await goTo(tab, `${shown.url}/account`);
      await visitor.says("Works at elsewhere.example alone");
      await shown.openSignIn();
      await shown.givePassword(ada);
      await visitor.shows("Your passkey does not work here");
      await visitor.says("Go to that address to sign in with it.");
      await visitor.expectNoBarriers("passkeys of another address");
      await visitor.press("Start again");
      await visitor.shows("Sign in");
    });
  },
);
