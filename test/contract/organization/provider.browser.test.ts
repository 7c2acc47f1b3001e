import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, mailedToken, nextMail, signInSubject } from "../../support/auth.ts";
import {
  arrives,
  askBrowser,
  browserMissing,
  goTo,
  openTab,
  showOn,
  startFront,
  type Front,
} from "../../support/chromium.ts";
import { signInAtProvider } from "../../support/oauth/account.form.ts";
import { publicUrl } from "../../support/oauth/provider.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";
import { stageCompanies } from "./provider.fixture.ts";

const { host } = new URL(publicUrl);
/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
const world = await stageCompanies({ AUTH_EMAIL_LOGIN_ENABLED: "true" });
const { account, acme: provider, browser, company, employee, mailbox, target } = world;

describe.skipIf(browserMissing !== undefined)(
  `the provider of an organization on the sign-in page in Chromium${browserMissing === undefined ? "" : ` (${browserMissing})`}`,
  () => {
    let front: Front;
    let tab: Bun.WebView;
    let visitor: Visitor;
    beforeAll(async () => {
      front = await startFront(host, target.port);
      tab = openTab({ [host]: front });
      visitor = await createVisitor(tab);
    }, 120_000);
    afterAll(async () => {
      tab.close();
      Bun.WebView.closeAll();
      await front.stop();
    });

    const login = `${publicUrl}/login?next=%2Faccount`;
    const isAtAccount = () => arrives(tab, ({ origin, pathname }) => origin === publicUrl && pathname === "/account");

    async function takePictures(name: string): Promise<void> {
      if (pictures === undefined) return;
      for (const [width, scheme] of [
        [1280, "light"],
        [390, "dark"],
      ] as const) {
        await showOn(tab, width, scheme);
        const taken = await askBrowser(tab, "Page.captureScreenshot", { captureBeyondViewport: true });
        const data = typeof taken === "object" && taken !== null && "data" in taken ? String(taken.data) : "";
        await Bun.write(`${pictures}/${name}-${width}.png`, Buffer.from(data, "base64"));
      }
      await showOn(tab, 1280, "light");
    }

    const speak = (language: string) =>
      askBrowser(tab, "Network.setExtraHTTPHeaders", { headers: { "accept-language": language } });

    test("a password leads on to it, where the organization demands it", async () => {
      const acme = await company({ enforced: true });
      const bob = await employee(acme);
      await visitor.open(login, "Sign in");
      await visitor.fill("login", bob.email);
      await visitor.fill("password", bob.password);
      await visitor.press("Sign in");
      await signInAtProvider(tab, provider, account(bob.email));
      await isAtAccount();
      await visitor.says(bob.email);
      const name = (await acme.owner.client.get(`/api/v1/auth/organizations/${acme.id}`)).textAt("organization.name");
      await visitor.until(
        name,
        async () =>
          (await visitor.ask(`document.querySelector("#identities")?.innerText.includes(${JSON.stringify(name)})`)) ===
          true,
      );
      expect(await visitor.text()).not.toContain("org-");
      await visitor.expectNoBarriers("an identity of an organization's provider");
      await takePictures("identities");
      await askBrowser(tab, "Network.clearBrowserCookies");
    }, 120_000);

    test.each([
      ["en", "Sign in with your organization", "Go on to sign in"],
      ["de", "Mit Ihrer Organisation anmelden", "Weiter zur Anmeldung"],
    ])(
      "a mailed link says that it leads nowhere, before anything is typed, and leads on: %s",
      async (language, title, submit) => {
        const acme = await company({ enforced: true });
        const bob = await employee(acme);
        const known = account(bob.email);
        await browser().post(auth("password-reset/request"), { login: bob.email });
        const reset = await mailedToken(mailbox, bob.email, "Reset your password");
        await speak(language);
        await visitor.open(`${publicUrl}/reset-password?token=${reset}`, title);
        await visitor.expectNoBarriers("a reset where a provider is demanded");
        await takePictures(`reset-${language}`);
        await visitor.press(submit);
        await signInAtProvider(tab, provider, known);
        await isAtAccount();
        await askBrowser(tab, "Network.clearBrowserCookies");
        await browser().post(auth("email-login/request"), { login: bob.email });
        const mail = await nextMail(mailbox, bob.email, signInSubject);
        const [, link = ""] = /email-login\?token=([\w-]{43})/.exec(mail.text) ?? [];
        await goTo(tab, `${publicUrl}/email-login?token=${link}`);
        await visitor.press(language === "en" ? "Sign in" : "Anmelden");
        await visitor.shows(title);
        await visitor.press(submit);
        await signInAtProvider(tab, provider, known);
        await isAtAccount();
        await visitor.says(bob.email);
        expect(visitor.takeComplaints()).toEqual([]);
        await askBrowser(tab, "Network.clearBrowserCookies");
        await speak("en");
      },
      120_000,
    );

    test("it is offered for an address below the domain, before a password is asked for", async () => {
      const acme = await company();
      const name = (await acme.owner.client.get(`/api/v1/auth/organizations/${acme.id}`)).textAt("organization.name");
      await visitor.open(login, "Sign in");
      await visitor.fill("login", `new@${acme.domain}`);
      await visitor.fill("password", "x");
      await visitor.says(name);
      await visitor.expectNoBarriers("with the provider of an organization");
      await visitor.fill("login", "new@elsewhere.test");
      await visitor.fill("password", "x");
      await visitor.until("no offer", async () => !(await visitor.text()).includes(name));
      await visitor.fill("login", `new@${acme.domain}`);
      await visitor.fill("password", "x");
      await visitor.press(`Continue with ${name}`);
      await signInAtProvider(tab, provider, account(`new@${acme.domain}`));
      await isAtAccount();
      expect(visitor.takeComplaints()).toEqual([]);
    }, 120_000);
  },
);
