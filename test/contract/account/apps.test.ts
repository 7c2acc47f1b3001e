import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { nextMail, type Person, signInSubject } from "../../support/auth.ts";
import { browserMissing, goTo } from "../../support/chromium.ts";
import { setUpTotp } from "../../support/factors.ts";
import { signInAtProvider } from "../../support/oauth/account.form.ts";
import { publicUrl } from "../../support/oauth/provider.ts";
import { codeOf } from "../../support/totp.ts";
import type { Registered } from "../idp/idp.fixture.ts";
import { startApps, type Apps } from "./apps.fixture.ts";

describe.skipIf(browserMissing !== undefined)(
  `signing in to an app in Chromium${browserMissing === undefined ? "" : ` (${browserMissing})`}`,
  () => {
    let shown: Apps;
    let visitor: Apps["visitor"];
    let tab: Apps["tab"];
    let shop: Registered;
    let ada: Person;
    beforeAll(async () => {
      shown = await startApps();
      ({ visitor, tab } = shown);
      shop = await shown.kit.register("Shop");
      ada = await shown.world.people.register("ada", { display_name: "Ada Lovelace" });
    }, 120_000);
    afterAll(() => shown.stop());
    beforeEach(() => shown.forget());

    const inShop = (): Promise<void> => visitor.shows("You are in the shop.");
    async function begin(fields: Readonly<Record<string, string>> = {}, title = "Sign in"): Promise<void> {
      await goTo(tab, shown.way(shop, fields));
      await visitor.shows(title);
      await visitor.says("to go on to Shop");
    }
    async function givePassword({ email, password }: Person): Promise<void> {
      await visitor.fill("login", email);
      await visitor.fill("password", password);
      await tab.press("Enter");
    }
    async function signedInAs(person: Person): Promise<void> {
      await visitor.open(`${publicUrl}/login`, "Sign in");
      await givePassword(person);
      await visitor.shows("Your account");
    }

    test("O-43 the sign-in page names the app by what is registered of it, and a password leads on to it", async () => {
      await begin({ client_name: "Your bank" });
      expect(await visitor.text()).not.toContain("Your bank");
      expect(await visitor.ask("document.querySelector('hgroup p strong').textContent")).toBe("Shop");
      await shown.look("sign-in-app");
      await givePassword(ada);
      await inShop();
      // Signed in already: nothing is asked.
      await goTo(tab, shown.way(shop));
      await inShop();
      expect(visitor.takeComplaints()).toEqual([]);
    });

    test("O-43 a name that is not to be had, or late, keeps nobody from signing in", async () => {
      const next = encodeURIComponent("/oauth2/authorize?client_id=nobody");
      await visitor.open(`${publicUrl}/login?next=${next}`, "Sign in");
      await visitor.isOn("login");
      await visitor.until("no name", async () => (await visitor.ask("document.querySelector('hgroup p')")) === null);
    });

    test("O-43 the name that the app knows fills the field, and the password has the focus", async () => {
      await begin({ login_hint: ada.email });
      await visitor.isOn("password");
      expect(await visitor.ask("document.querySelector('[name=login]').value")).toBe(ada.email);
      await tab.type(ada.password);
      await tab.press("Enter");
      await inShop();
    });

    test("O-44 the way leads on by a second factor", async () => {
      const grace = await shown.world.people.register("grace");
      const { secret } = await setUpTotp(grace);
      shown.world.rows.run("update auth_totp set last_step = 0");
      await begin();
      await givePassword(grace);
      await visitor.shows("One more step");
      await visitor.says("to go on to Shop");
      await visitor.fill("code", codeOf(secret));
      await tab.press("Enter");
      await inShop();
    });

    test("O-44 the way leads on by the code of a mail", async () => {
      shown.world.rows.prove(ada);
      await begin();
      await visitor.fill("login", ada.email);
      await visitor.press("Sign in by mail");
      await visitor.press("Send the mail");
      await visitor.shows("Look in your mail");
      const { text } = await nextMail(shown.world.mailbox, ada.email, signInSubject);
      await visitor.fill("code", /\b\d{6}\b/.exec(text)?.[0] ?? "");
      await tab.press("Enter");
      await inShop();
    });

    /** Opens the link of a mail, which says nothing of the app, as a mail program does. */
    async function openLink({ email }: Person, subject: string | RegExp, title: string): Promise<void> {
      const { text } = await nextMail(shown.world.mailbox, email, subject);
      await goTo(tab, "about:blank");
      await visitor.open(/https:\S+token=\S+/.exec(text)?.[0] ?? "", title);
    }

    test("O-44 the way leads on by the link of a mail, which is opened in a tab of its own", async () => {
      shown.world.rows.prove(ada);
      await begin();
      await visitor.fill("login", ada.email);
      await visitor.press("Sign in by mail");
      await visitor.press("Send the mail");
      await visitor.shows("Look in your mail");
      await openLink(ada, signInSubject, "Sign in");
      await visitor.press("Sign in");
      await inShop();
    });

    test("O-44 a new password leads on to the app for which it was forgotten, and the next sign-in leads nowhere", async () => {
      const edith = await shown.world.people.register("edith");
      await begin();
      await visitor.press("Forgot password?");
      await visitor.shows("Forgot your password?");
      await visitor.fill("login", edith.email);
      await tab.press("Enter");
      await visitor.shows("Look in your mail");
      await openLink(edith, "Reset your password", "Choose a new password");
      await visitor.fill("new_password", "words of rain and sun");
      await tab.press("Enter");
      await visitor.press("Sign in");
      await visitor.says("to go on to Shop");
      await givePassword({ ...edith, password: "words of rain and sun" });
      await inShop();
      await goTo(tab, `${publicUrl}/reset-password?token=none`);
      await visitor.press("Ask for a new link");
      await visitor.shows("Forgot your password?");
      expect(await visitor.ask("location.search")).toBe("");
    });

    test("O-44 the way leads on by a provider, and by an account that is new", async () => {
      await begin();
      const { account } = shown.world.newcomer("linus");
      await visitor.press("Continue with Google");
      await signInAtProvider(tab, shown.world.google, account);
      await inShop();
      await shown.forget();
      await begin();
      await visitor.press("Create one");
      await visitor.shows("Create an account");
      await visitor.says("to go on to Shop");
      await visitor.fill("email", "newcomer@example.test");
      await visitor.fill("password", "a long walk by the sea");
      await tab.press("Enter");
      await inShop();
    });

    test("O-43 the sign-in page says that a device is waiting", async () => {
      await goTo(tab, `${publicUrl}/device?user_code=BCDF-GHJK`);
      await visitor.says("to sign a device in");
      await givePassword(ada);
      await visitor.shows("Sign a device in");
    });

    test("O-44 a provider that did not let them in takes nobody's way from them", async () => {
      await begin();
      await visitor.press("Continue with Google");
      await visitor.until("the provider", async () => new URL(tab.url).origin === shown.world.google.url);
      await goTo(tab, `${publicUrl}/login?oauth_error=oauth_denied`);
      await visitor.says("to go on to Shop");
      await givePassword(ada);
      await inShop();
      // It belongs to that return alone.
      await shown.forget();
      await visitor.open(`${publicUrl}/login`, "Sign in");
      expect(await visitor.text()).not.toContain("to go on to");
    });

    test("O-45 who is signed in goes on as themselves or takes another account, where the app leaves the choice", async () => {
      const grace = await shown.world.people.register("grace");
      await signedInAs(ada);
      await begin({ prompt: "select_account" });
      await visitor.says("You are signed in as Ada Lovelace.");
      await shown.look("sign-in-known");
      await visitor.press("Continue");
      await inShop();
      await begin({ prompt: "select_account" });
      await visitor.press("Use another account");
      await givePassword(grace);
      await inShop();
      await visitor.open(`${publicUrl}/account`, "Your account");
      await visitor.says(grace.email);
    });

    test("O-45 who came by a provider alone, so that no page here knows them yet, has the same choice", async () => {
      await begin();
      const { account, email } = shown.world.newcomer("linus");
      await visitor.press("Continue with Google");
      await signInAtProvider(tab, shown.world.google, account);
      await inShop();
      await begin({ prompt: "select_account" });
      await visitor.says(email);
      await visitor.press("Continue");
      await inShop();
    });

    test("O-45 an app that wants a proof gets one, though somebody is signed in", async () => {
      await signedInAs(ada);
      await begin({ prompt: "login" });
      await visitor.isOn("login");
      await givePassword(ada);
      await inShop();
    });

    // The last one: from here on the browser offers its passkey on every page.
    test("O-44 the way leads on by a passkey", async () => {
      await signedInAs(ada);
      await visitor.press("Add a passkey");
      await visitor.until("a passkey", async () => (await shown.authenticator.passkeys()).length === 1);
      await shown.forget();
      // The browser offers the passkey as soon as the page asks for it, and the finger is there.
      await goTo(tab, shown.way(shop));
      await inShop();
    });
  },
);
