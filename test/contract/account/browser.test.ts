import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  arrives,
  askBrowser,
  chromiumMissing,
  goTo,
  openPlainTab,
  type PageReader,
  readPage,
} from "../../support/chromium.ts";
import { auth, calm, mailedToken, mailTo } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { startMailbox, type Mailbox } from "../../support/smtp.ts";
import { startTarget, type Target } from "../../support/target.ts";

const email = "ada@example.test";
const password = "a long walk by the sea";

describe.skipIf(chromiumMissing !== undefined)(
  `the account pages in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let mailbox: Mailbox;
    let target: Target;
    let tab: Bun.WebView;
    let page: PageReader;
    beforeAll(async () => {
      mailbox = await startMailbox();
      target = await startTarget({
        env: { ...calm, ...mailTo(mailbox), AUTH_LOGIN_LOCKOUT_ATTEMPTS: "2", AUTH_LOGIN_LOCKOUT_DURATION: "3s" },
      });
      await createClient(target.url).post(auth("register"), { email, password, display_name: "Ada Lovelace" });
      tab = openPlainTab({ width: 1280, height: 900 });
      page = readPage(tab);
      await goTo(tab, "about:blank");
      // The page itself hears of every violation of its policy.
      await askBrowser(tab, "Page.addScriptToEvaluateOnNewDocument", {
        source: `globalThis.violations = [];
          addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
            violations.push(effectiveDirective + " " + blockedURI));`,
      });
    }, 120_000);
    afterAll(async () => {
      tab.close();
      Bun.WebView.closeAll();
      await target.stop();
      await mailbox.stop();
    });

    const heading = (): Promise<unknown> => page.ask("document.querySelector('h1')?.textContent");
    async function open(path: string, title: string): Promise<void> {
      await goTo(tab, `${target.url}${path}`);
      await page.until(title, async () => (await heading()) === title);
    }
    const focused = (): Promise<unknown> => page.ask("document.activeElement?.name");
    async function type(text: string): Promise<void> {
      await tab.type(text);
      await tab.press("Tab");
    }
    async function signIn(secret: string): Promise<void> {
      await tab.click("[name=password]");
      await tab.type(secret);
      await tab.press("Enter");
    }

    test("an interactive /login takes at most 4 requests and 60 KB", async () => {
      await open("/login", "Sign in");
      const sizes = await page.ask(
        "performance.getEntries().filter(({ transferSize }) => transferSize > 0).map(({ transferSize }) => transferSize)",
      );
      const transferred = Array.isArray(sizes) ? sizes.map(Number) : [];
      expect(transferred.length).toBeWithin(3, 5);
      expect(transferred.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
    });

    test("U-01 the page does nothing that its policy forbids", async () => {
      for (const [path, title] of [
        ["/login", "Sign in"],
        ["/register", "Create an account"],
        ["/forgot-password", "Forgot your password?"],
        ["/verify-email?token=none", "This link does not work any more"],
      ] as const) {
        await open(path, title);
        expect({ path, violations: await page.ask("violations") }).toEqual({ path, violations: [] });
      }
      const refused = await page.ask(
        `(() => { try { document.body.innerHTML = "<b>"; return "made" } catch (error) { return error.name } })()`,
      );
      expect(refused).toBe("TypeError");
    });

    test("a sign-in says what is missing, what is wrong, and leads on", async () => {
      await open("/login", "Sign in");
      await page.until("the first field", async () => (await focused()) === "login");
      await tab.press("Enter");
      await page.until("the complaint", async () => (await page.text()).includes("Email or user name is missing."));
      expect(await focused()).toBe("login");
      await type(email);
      await signIn("not the password");
      await page.until("the refusal", async () => (await page.text()).includes("does not belong to"));
      expect(await page.ask("document.querySelector('[name=login]').value")).toBe(email);
      expect(await page.ask("document.querySelector('[name=password]').value")).toBe("");
      expect(await focused()).toBe("password");
      await tab.type(password);
      await tab.press("Enter");
      await page.until("the account", async () => (await page.ask("document.title")) === "Your account · Gatehouse");
      expect(await page.ask("location.pathname")).toBe("/account");
      expect(await page.ask("document.cookie")).toBe("");
    });

    test("whoever is signed in already is asked whether to go on", async () => {
      await open("/login?next=%2F-%2Fhealth", "Sign in");
      await page.until("the question", async () => (await page.text()).includes("You are signed in as Ada Lovelace."));
      await tab.click("button.primary");
      await arrives(tab, ({ pathname }) => pathname === "/-/health");
    });

    test("U-04 the back button shows no account after a sign-out", async () => {
      await open("/account", "Your account");
      await page.ask("fetch('/api/v1/auth/logout', { method: 'POST' }).then(({ status }) => status)");
      await goTo(tab, `${target.url}/-/health`);
      await page.ask("history.back()");
      await page.until("the sign-in", async () => (await heading()) === "Sign in");
      expect(await page.ask("location.search")).toBe("?next=%2Faccount");
    });

    test("a lock counts down, and opens by itself", async () => {
      await askBrowser(tab, "Network.clearBrowserCookies");
      await page.ask("localStorage.clear()");
      await open("/login?next=%2F-%2Fhealth", "Sign in");
      await page.until("the first field", async () => (await focused()) === "login");
      await type("grace@example.test");
      const submit = "document.querySelector('button.primary').getAttribute('aria-disabled')";
      await signIn("one guess");
      await page.until("the refusal", async () => (await page.text()).includes("does not belong to"));
      await signIn("another guess");
      const locked = /Too many wrong passwords\n+You can sign in again at \d?\d:\d\d/;
      await page.until("the lock", async () => locked.test(await page.text()));
      expect(await page.ask(submit)).toBe("true");
      await page.until("the end of the lock", async () => (await page.ask(submit)) === "false");
      expect(await page.text()).toContain("You can try again now.");
    });

    test("U-03 opening a mailed link redeems nothing, and its token leaves the address; a click redeems it", async () => {
      const client = createClient(target.url);
      await client.post(auth("register"), { email: "grace@example.test", password });
      await client.post(auth("password-reset/request"), { login: "grace@example.test" });
      const token = await mailedToken(mailbox, "grace@example.test", "Reset your password");
      for (const visit of ["first", "second"]) {
        await open(`/reset-password?token=${token}`, "Choose a new password");
        expect([visit, await page.ask("location.href")]).toEqual([visit, `${target.url}/reset-password`]);
      }
      // The address is the same as before, so this loads the page again. The page keeps the content of the link.
      await open("/reset-password", "Choose a new password");
      await page.until("the field", async () => (await focused()) === "new_password");
      await tab.type("short");
      await page.until("the guidance", async () => (await page.text()).includes("3 more characters."));
      await tab.type(" words of rain");
      await page.until("the praise", async () => (await page.text()).includes("Strong password."));
      await tab.press("Enter");
      await page.until("the end", async () => (await heading()) === "Your password is changed");
      await open(`/reset-password?token=${token}`, "This link does not work any more");
    });
  },
);
