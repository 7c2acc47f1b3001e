import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { isRightToLeft } from "../../../src/words/index.ts";
import { auth } from "../../support/auth.ts";
import { askBrowser, becomeClient, chromiumMissing, goTo, openPlainTab, showOn } from "../../support/chromium.ts";
import { startStage } from "../../support/stage.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";
import { ourWords } from "../../support/words.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];

const google = { AUTH_OAUTH_GOOGLE_CLIENT_ID: "client", AUTH_OAUTH_GOOGLE_CLIENT_SECRET: "secret" };
const open = ["/login", "/register", "/forgot-password", "/reset-password?token=none"] as const;

describe.skipIf(chromiumMissing !== undefined)(
  `the account pages in every language, in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let stage: Awaited<ReturnType<typeof startStage>>;
    let visitor: Visitor;
    /** The address at which there are ways to sign in with a passkey, too: an IP address has none. */
    let here: string;
    beforeAll(async () => {
      stage = await startStage({ shared: true, env: { ...google, AUTH_EMAIL_LOGIN_ENABLED: "true" } });
      here = stage.target.url.replace("127.0.0.1", "localhost");
      visitor = await createVisitor(openPlainTab({ width: 390, height: 900 }));
    }, 120_000);
    afterAll(async () => {
      visitor.tab.close();
      Bun.WebView.closeAll();
      await stage.stop();
    });

    const isQuiet = (): Promise<void> =>
      visitor.until(
        "the whole page",
        async () =>
          (await visitor.ask(
            "document.querySelector('h1') !== null && !document.querySelector('.skeleton, .skeleton-line')",
          )) === true,
      );
    /** Returns what is wider than its place, and buttons and rows whose words take more than one line. */
    const faults = async (): Promise<readonly string[]> => {
      const found = await visitor.ask(`(() => {
        const wide = document.documentElement.scrollWidth > innerWidth ? ["the page is wider than the screen"] : [];
        const long = [...document.querySelectorAll("button, a.button")]
          .filter((each) => each.offsetParent !== null && each.getClientRects().length > 0)
          .filter((each) => {
            const range = document.createRange();
            range.selectNodeContents(each);
            const tops = new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ bottom }) => Math.round(bottom / 12)));
            return tops.size > 2;
          })
          .map((each) => each.textContent);
        const broken = [...document.querySelectorAll(".sign-in .row")]
          .filter((row) => new Set([...row.children].map((each) => Math.round((each.getBoundingClientRect().top + each.getBoundingClientRect().bottom) / 8))).size > 1)
          .map((row) => row.textContent + " takes two lines");
        return [...wide, ...long, ...broken];
      })()`);
      return Array.isArray(found) ? found.map(String) : ["nothing was found out"];
    };

    test.each(ourWords.languages)("fit into 390 px in %s, with buttons of one line", async (language) => {
      const { tab } = visitor;
      const found: unknown[] = [];
      const look = async (path: string): Promise<void> => {
        await isQuiet();
        found.push(...(await faults()).map((fault) => `${path}: ${fault}`));
        const direction = isRightToLeft(language) ? "rtl" : "ltr";
        expect(await visitor.ask("getComputedStyle(document.documentElement).direction")).toBe(direction);
        if (pictures !== undefined)
          await Bun.write(`${pictures}/${language}${path.replaceAll(/\W/g, "-")}.png`, await tab.screenshot());
      };
      await showOn(tab, 390, language === "ar" ? "dark" : "light");
      await tab.cdp("Network.setUserAgentOverride", {
        userAgent: "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0",
        acceptLanguage: language,
      });
      await askBrowser(tab, "Network.clearBrowserCookies");
      for (const path of open) {
        await goTo(tab, `${here}${path}`);
        await look(path);
      }
      await goTo(tab, `${here}/register`);
      await isQuiet();
      // An empty field for a name begins where its page does.
      expect(await visitor.ask("getComputedStyle(document.querySelector('[autocomplete=name]')).direction")).toBe(
        isRightToLeft(language) ? "rtl" : "ltr",
      );
      const ada = await stage.people.register("ada", { display_name: "Ada Lovelace" });
      await ada.client.post(auth("profile"), { locale: language });
      await becomeClient(tab, { ...ada.client, url: here });
      await goTo(tab, `${here}/account`);
      await visitor.says(ourWords.say(language, "account").sessions.everywhere);
      await look("/account");
      expect({ language, found }).toEqual({ language, found: [] });
    });
  },
);
