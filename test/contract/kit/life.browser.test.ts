import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hour } from "../../../src/core/clock.ts";
import { askBrowser, chromiumMissing, openPlainTab, showOn } from "../../support/chromium.ts";
import { createPageVisitor } from "../../support/staff.ts";
import { startStage, type StartedStage } from "../../support/stage.ts";
import { codeOf } from "../../support/totp.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";
import { ourWords } from "../../support/words.ts";
import { mailedPath, password, serverKit } from "./kit.fixture.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
const changed = "an even longer walk by the sea";

// The whole life of an account in a real browser that runs no script of any page.
describe.skipIf(chromiumMissing !== undefined).each(["en", "de", "ar"])(
  `an account without JavaScript in %s${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  (language) => {
    const words = ourWords.say(language, "pages");
    const account = ourWords.say(language, "account");
    const links = ourWords.say(language, "links");
    const kit = ourWords.say(language, "kit");
    const { section } = words.factors;
    const email = `ada.${language}@example.test`;
    let stage: StartedStage;
    let visitor: Visitor;
    let url: string;
    let secret = "";
    let recoveryCode = "";

    beforeAll(async () => {
      stage = await startStage({ env: { ...serverKit, AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true" } });
      ({ url } = stage.target);
      const tab = openPlainTab({ width: 1280, height: 900 });
      visitor = await createVisitor(tab);
      await askBrowser(tab, "Network.setExtraHTTPHeaders", { headers: { "accept-language": language } });
      await runsScripts(false);
    }, 120_000);
    afterAll(async () => {
      visitor.tab.close();
      Bun.WebView.closeAll();
      await stage.stop();
    });

    const runsScripts = (value: boolean): Promise<unknown> =>
      askBrowser(visitor.tab, "Emulation.setScriptExecutionDisabled", { value: !value });

    /** Looks at the page as it is without scripts; the browser's own tools run theirs on it afterwards. */
    async function look(name: string): Promise<void> {
      if (pictures !== undefined)
        for (const width of [1280, 390])
          for (const scheme of ["light", "dark"] as const) {
            await showOn(visitor.tab, width, scheme);
            await Bun.write(`${pictures}/${language}-${name}-${width}-${scheme}.png`, await visitor.tab.screenshot());
          }
      await showOn(visitor.tab, 1280, "light");
      await runsScripts(true);
      await visitor.expectNoBarriers(name);
      await runsScripts(false);
    }

    async function signIn(typed: string): Promise<void> {
      await visitor.open(`${url}/login`, words.titles.signIn);
      await visitor.fill("login", email);
      await visitor.fill("password", typed);
      await visitor.press(words.signIn.submit);
    }

    test("U-37 begins with an address that its mail proves", async () => {
      await visitor.open(`${url}/account`, words.titles.signIn);
      expect(await visitor.ask("document.documentElement.dir")).toBe(language === "ar" ? "rtl" : "");
      await look("sign-in");
      await visitor.press(words.signIn.register);
      await visitor.shows(words.titles.register);
      await visitor.fill("email", email);
      await visitor.fill("password", "short");
      await visitor.press(words.register.submit);
      await visitor.until(
        "the fault",
        async () => (await visitor.ask("document.querySelector('.error') !== null")) === true,
      );
      expect(await visitor.ask("document.querySelector('[name=email]').value")).toBe(email);
      expect(await visitor.ask("document.querySelector('[name=password]').value")).toBe("");
      await look("register-refused");
      await visitor.fill("display_name", "Ada Lovelace");
      await visitor.fill("password", password);
      await visitor.press(words.register.submit);
      await visitor.shows(words.forgot.sent.title);
      await look("mail-sent");
      await signIn(password);
      await visitor.shows(words.signIn.unverified.title);
      const path = await mailedPath(stage, email, "/verify-email");
      await visitor.open(`${url}${path}`, words.titles.verifyEmail);
      await look("verify");
      await visitor.press(links.verify.submit);
      await visitor.shows(links.verify.done.title);
      await signIn(password);
      await visitor.shows(words.titles.account);
      await visitor.says(account.email.verified);
      await look("account");
    }, 120_000);

    test("U-37 gets a second step, without which nobody signs in then", async () => {
      await visitor.press(section.app.setUp);
      await visitor.shows(account.sections.factors);
      await look("two-step");
      await visitor.press(section.app.setUp);
      await visitor.shows(section.app.setUpOf);
      await look("authenticator");
      secret = String(await visitor.ask("document.querySelector('[name=secret]').value"));
      await visitor.fill("code", codeOf(secret));
      await visitor.press(section.app.submit);
      await visitor.shows(section.codes.save);
      await look("recovery-codes");
      recoveryCode = String(await visitor.ask("document.querySelector('.codes code').textContent"));
      await visitor.press(section.codes.done);
      await visitor.shows(account.sections.factors);
      await visitor.press(words.acts.signOut);
      await visitor.shows(words.titles.signIn);
      await look("signed-out");
      await signIn(password);
      await visitor.shows(words.factors.challenge.title);
      await look("second-step");
      await visitor.fill("code", codeOf(secret, 1));
      await visitor.press(words.signIn.submit);
      await visitor.shows(words.titles.account);
      await visitor.says(section.on);
    }, 120_000);

    test("U-37 changes its profile, its name after a proof, its password and its address", async () => {
      await visitor.press(account.profile.change);
      await visitor.shows(account.profile.change);
      await look("profile");
      await visitor.fill("display_name", "Ada King");
      await visitor.ask("document.querySelector('[name=timezone]').value = 'Europe/Berlin'");
      await visitor.press(words.acts.save);
      await visitor.says(account.profile.saved);
      await visitor.says("Ada King");
      await visitor.says(kit.times.own({ zone: "Europe/Berlin" }));

      stage.rows.run("update auth_sessions set proved_at = ?", Date.now() - hour);
      await visitor.open(`${url}/account/username`, account.profile.username);
      await visitor.fill("new_username", `ada-${language}`);
      await visitor.press(words.acts.save);
      await visitor.shows(kit.proof.title);
      await look("proof");
      await visitor.fill("current_password", password);
      await visitor.press(kit.proof.submit);
      await visitor.says(`ada-${language}`);

      await visitor.press(account.password.change);
      await visitor.shows(account.password.change);
      await visitor.fill("current_password", "not the password");
      await visitor.fill("new_password", changed);
      await visitor.press(account.password.change);
      await visitor.says(words.faults.wrong_password);
      await look("password-refused");
      await visitor.fill("current_password", password);
      await visitor.fill("new_password", changed);
      await visitor.press(account.password.change);
      await visitor.says(account.password.changed);

      await visitor.press(account.email.change);
      await visitor.shows(account.email.change);
      await look("address");
      await visitor.fill("email", `new.${email}`);
      await visitor.fill("current_password", changed);
      await visitor.press(account.email.change);
      await visitor.says(account.email.waiting({ pending: `new.${email}` }));
      await look("address-waiting");
      await visitor.press(account.email.keep);
      await visitor.says(account.email.kept);
    }, 120_000);

    test("U-37 ends a device, and ends itself at last", async () => {
      const other = createPageVisitor(url);
      const answer = await other.submit("/login", { login: email, password: changed });
      const path = answer.headers.get("location") ?? "";
      await other.submit(`${path}&way=recovery_code`, { code: recoveryCode }, "/login/verify");
      stage.rows.run("update auth_sessions set user_agent = 'curl/8.5.0' where user_agent like 'Bun%'");
      await visitor.open(`${url}/account`, words.titles.account);
      await visitor.says(account.sessions.state({ count: 2 }));
      await look("devices");
      await visitor.press(account.sessions.end);
      await visitor.says(account.sessions.ended({ device: "curl" }));
      expect((await other.get("/account")).status).toBe(303);
      await visitor.press(account.data.remove);
      await visitor.shows(account.data.removeTitle);
      await look("delete");
      await visitor.fill("current_password", changed);
      await visitor.press(account.data.removeSubmit);
      await visitor.says(words.signIn.farewell.deleted);
      expect(stage.rows.all("select id from users")).toEqual([]);
      expect(visitor.takeComplaints()).toEqual([]);
    }, 120_000);
  },
);
