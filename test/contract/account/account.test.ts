import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { auth, isServed, mailedToken, minute, type Person } from "../../support/auth.ts";
import { askBrowser, chromiumMissing, type PageReader } from "../../support/chromium.ts";
import { controlOf } from "../../support/maintenance.ts";
import { startAccountPage, type AccountPage } from "./account.fixture.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];

describe.skipIf(chromiumMissing !== undefined)(
  `the account page in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let shown: AccountPage;
    let stage: AccountPage["stage"];
    let tab: AccountPage["tab"];
    let visitor: AccountPage["visitor"];
    let page: PageReader;
    let ada: Person;
    beforeAll(async () => {
      shown = await startAccountPage();
      ({ stage, tab, visitor } = shown);
      page = visitor;
    }, 120_000);
    afterAll(() => shown.stop());
    beforeEach(async () => {
      ada = await stage.people.register("ada", { display_name: "Ada Lovelace" });
    });

    const inSection = (id: string): Promise<unknown> => page.ask(`document.getElementById("${id}").innerText`);
    test("the profile is changed in its section, and its language is the page's from then on", async () => {
      await shown.open(ada.client);
      await visitor.press("Edit profile");
      await visitor.isOn("profile-display_name");
      await visitor.fill("profile-display_name", "Ada King");
      await visitor.fill("profile-avatar_url", "no address");
      await tab.press("Enter");
      await visitor.says("This is not an address of a picture.");
      await visitor.isOn("profile-avatar_url");
      await visitor.fill("profile-avatar_url", "https://example.com/ada.jpg");
      await page.ask(`document.getElementById("profile-locale").value = "de"`);
      await page.ask(`document.getElementById("profile-timezone").value = "Asia/Tokyo"`);
      await tab.press("Enter");
      await visitor.says("Ihr Profil ist gespeichert.");
      await visitor.isOn("Profil bearbeiten");
      expect(await inSection("profile")).toContain("Ada King");
      expect(await inSection("sessions")).toContain("GMT+9");
      expect(await page.ask("document.documentElement.lang")).toBe("de");
      const { json } = await ada.client.get(auth("me"));
      expect(json).toMatchObject({ user: { display_name: "Ada King", locale: "de", timezone: "Asia/Tokyo" } });
    });

    test("a new address waits for its mailbox, and takes the current password", async () => {
      const next = `new.${ada.email}`;
      await shown.open(ada.client);
      await visitor.press("Change address");
      await visitor.fill("address-email", next);
      await visitor.fill("address-current_password", "not the password");
      await tab.press("Enter");
      await visitor.says("This is not your current password.");
      await visitor.isOn("address-current_password");
      await visitor.fill("address-current_password", ada.password);
      await tab.press("Enter");
      await visitor.says(`We have sent a mail to ${next}.`);
      expect(await inSection("email")).toContain(`Waiting for you to confirm ${next}`);
      expect(await inSection("email")).toContain(`Until then ${ada.email} stays`);
      const token = await mailedToken(stage.mailbox, next, "Verify your email");
      stage.rows.letPass(6 * minute);
      await visitor.press("Send the mail again");
      await visitor.says("The mail is on its way.");
      await mailedToken(stage.mailbox, next, "Verify your email");
      await ada.client.post(auth("email-verification/confirm"), { token });
      await shown.open(ada.client);
      expect(await inSection("email")).toContain(`${next} verified`);
      expect(await inSection("email")).not.toContain("Waiting");
    });

    test("a new password takes the current one, and ends the other sessions", async () => {
      const other = await ada.login();
      await shown.open(ada.client, "/.well-known/change-password");
      expect(await page.ask("location.pathname + location.hash")).toBe("/account#password");
      await visitor.isOn("password-current_password");
      await visitor.says("2 devices");
      await visitor.fill("password-current_password", "not the password");
      await visitor.fill("password-new_password", "ada");
      await visitor.says("5 more characters.");
      await visitor.fill("password-new_password", "a longer walk by the lake");
      await tab.press("Enter");
      await visitor.says("This is not your current password.");
      await visitor.isOn("password-current_password");
      await visitor.fill("password-current_password", ada.password);
      await tab.press("Enter");
      await visitor.says("Your password is changed.");
      await visitor.isOn("Change password");
      await visitor.says("This device alone");
      expect(await isServed(other)).toBe(false);
      await ada.login({ password: "a longer walk by the lake" });
    });

    test("an account without a password gets one by mail", async () => {
      stage.rows.run("update users set password_hash = null where id = ?", ada.id);
      await shown.open(ada.client);
      expect(await inSection("password")).toContain("None: you sign in another way");
      expect(await inSection("email")).toContain("To change your address, set a password first.");
      await visitor.press("Set a password by mail");
      await visitor.says(`We have sent a mail to ${ada.email}.`);
      const token = await mailedToken(stage.mailbox, ada.email, "Choose your first password");
      await stage.browser().post(auth("password-reset/confirm"), { token, new_password: "a walk in the woods" });
      await ada.login({ password: "a walk in the woods" });
    });

    test("a session is ended in its row, which goes, and the focus stays in the list", async () => {
      const others = [await ada.login(), await ada.login(), await ada.login()];
      await shown.open(ada.client);
      await visitor.says("4 devices");
      expect(await page.ask("document.querySelector('#sessions li').innerText")).toStartWith("Bun This device");
      await page.ask("document.querySelector('#sessions li button').click()");
      await visitor.says("Bun is signed out.");
      await visitor.says("3 devices");
      expect(await page.ask("document.querySelectorAll('#sessions li').length")).toBe(3);
      expect(await page.ask("document.activeElement.closest('#sessions li') !== null")).toBe(true);
      expect((await Promise.all(others.map(isServed))).filter(Boolean)).toHaveLength(2);
    });

    test("a hundred sessions are shown when somebody asks for them", async () => {
      stage.rows.run(
        `with recursive more (n) as (select 1 union all select n + 1 from more where n < 99)
         insert into auth_sessions (id, user_id, secret_hash, generation, remembered, user_agent, ip_address, created_at, last_seen_at, expires_at, proved_at, app)
         select id || n, user_id, secret_hash || n, 1, 0, 'curl/8', ip_address, created_at, last_seen_at - n, expires_at, proved_at, app
         from auth_sessions cross join more where user_id = ?`,
        ada.id,
      );
      await shown.open(ada.client);
      await visitor.says("100 devices");
      const rows = (): Promise<unknown> => page.ask("document.querySelectorAll('#sessions li').length");
      expect(await rows()).toBe(5);
      await visitor.press("Show all 100");
      await page.until("all of them", async () => (await rows()) === 100);
    });

    test("what would hurt in other hands asks for the password when the proof is old, and then is done", async () => {
      await shown.open(ada.client);
      stage.rows.letPass(11 * minute);
      await page.ask(`((create) => {
        URL.createObjectURL = (blob) => (void blob.text().then((text) => (globalThis.saved = text)), create(blob));
      })(URL.createObjectURL)`);
      await visitor.press("Download");
      await visitor.says("Is it you?");
      await tab.press("Escape");
      await page.until("no dialog", async () => !(await page.text()).includes("Is it you?"));
      await visitor.isOn("Download");
      await visitor.press("Download");
      await visitor.says("Is it you?");
      await visitor.fill("proof-current_password", "not the password");
      await tab.press("Enter");
      await visitor.says("This is not your current password.");
      await visitor.fill("proof-current_password", ada.password);
      await tab.press("Enter");
      await visitor.says(".json is in your downloads.");
      await page.until("what was saved", async () => (await page.ask("globalThis.saved")) !== undefined);
      const saved = String(await page.ask("globalThis.saved"));
      expect(JSON.parse(saved)).toMatchObject({ user: { email: ada.email }, next: null });
    });

    test("what apps keep on the account is shown once somebody asks for it, and what is private is not", async () => {
      await shown.open(ada.client);
      await visitor.press("Show");
      await visitor.says("No app keeps anything with your account.");
      stage.rows.run(
        "insert into account_metadata (user_id, app_metadata, user_metadata, private_metadata) values (?, ?, ?, ?)",
        ada.id,
        '{"plan":"pro","seats":3}',
        '{"theme":"<b>dark</b>"}',
        '{"note":"a private note"}',
      );
      await shown.open(ada.client);
      await visitor.press("Show");
      await visitor.says('"plan": "pro"');
      await visitor.says('"theme": "<b>dark</b>"');
      expect(await page.text()).not.toContain("a private note");
      if (pictures !== undefined) await Bun.write(`${pictures}/kept.png`, await tab.screenshot());
    });

    test("an account is deleted by its password, after its page has said what that means", async () => {
      await shown.open(ada.client);
      await visitor.press("Delete account");
      await visitor.says("This can't be undone.");
      await visitor.isOn("deletion-current_password");
      await visitor.fill("deletion-current_password", "not the password");
      await tab.press("Enter");
      await visitor.says("This is not your current password.");
      expect(await isServed(ada.client)).toBe(true);
      await visitor.fill("deletion-current_password", ada.password);
      await tab.press("Enter");
      await visitor.says("Your account is deleted.");
      await visitor.isAt("/login");
      expect(await isServed(ada.client)).toBe(false);
    });

    test.each([
      ["Sign out everywhere", "Cancel"],
      ["Delete account", "Keep it"],
    ])("the question of %p stays open when it is asked again right after %p", async (opener, closer) => {
      await shown.open(ada.client);
      await visitor.press(opener);
      await page.until(
        "a question",
        async () => (await page.ask("document.querySelector('dialog[open]') !== null")) === true,
      );
      // Both clicks fall between two frames. Browsers report the closing of the first question with the second of them.
      const open = await page.ask(`(async () => {
        const press = (words, within) => [...document.querySelectorAll(within + " button")].find(({ textContent }) => textContent === words).click();
        const frame = () => new Promise(requestAnimationFrame);
        await frame();
        press(${JSON.stringify(closer)}, "dialog[open]");
        while (document.querySelector("dialog") !== null) await new Promise((go) => setTimeout(go));
        press(${JSON.stringify(opener)}, "section");
        await frame();
        await frame();
        return document.querySelectorAll("dialog[open]").length;
      })()`);
      expect(open).toBe(1);
    });

    test("U-04 after a sign-out the back button shows nothing of the person", async () => {
      await shown.open(ada.client);
      await page.ask("location.hash = 'sessions'");
      await visitor.press("Sign out everywhere");
      await visitor.says("You are signed out on this device");
      await visitor.press("Sign out everywhere");
      await visitor.says("You are signed out on every device.");
      await page.ask("history.back()");
      await visitor.isAt("/login?next=%2Faccount");
      expect(await page.text()).not.toContain("Ada");
      expect(await page.ask("document.documentElement.outerHTML.includes('Lovelace')")).toBe(false);
    });

    test("U-20 a session that is ended elsewhere leads to the sign-in at the next act, which says so", async () => {
      await shown.open(ada.client);
      await (await ada.login()).post(auth("logout-all"));
      await visitor.press("Send the mail");
      await visitor.says("You have been signed out. Sign in again to go on.");
      await visitor.isAt("/login?next=%2Faccount");
      expect(await page.ask("document.documentElement.outerHTML.includes('Lovelace')")).toBe(false);
    });

    test("U-20 a sign-out in one tab is one in all", async () => {
      await shown.open(ada.client);
      // A browser opens a window only for a person's gesture.
      const opening = { expression: "void (globalThis.other = window.open('/account'))", userGesture: true };
      await askBrowser(tab, "Runtime.evaluate", opening);
      const other = "globalThis.other.document.querySelector('header button')";
      await page.until("the other tab", async () => (await page.ask(`${other} != null`)) === true);
      await page.ask(`${other}.click()`);
      await visitor.says("You have been signed out. Sign in again to go on.");
      await page.ask("globalThis.other.close()");
    });

    test("what can't be fetched is said, and offered again", async () => {
      await shown.open(ada.client);
      const unlimited = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
      const network = (offline: boolean): Promise<unknown> =>
        askBrowser(tab, "Network.emulateNetworkConditions", { offline, ...unlimited });
      await askBrowser(tab, "Network.enable");
      await network(true);
      await visitor.says("You are offline.");
      await visitor.press("Sign out");
      await visitor.says("You are offline.");
      await network(false);
      await page.until("no trouble", async () => !(await page.text()).includes("You are offline."));
      const control = controlOf(stage.target);
      await control.enable();
      await visitor.press("Send the mail");
      await visitor.says("The service is down for maintenance.");
      await control.disable();
      await visitor.press("Send the mail");
      await visitor.says("The mail is on its way.");
      expect(await page.text()).not.toContain("maintenance");
    });
  },
);
