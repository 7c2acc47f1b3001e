import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { askBrowser, becomeClient, chromiumMissing, openPlainTab, showOn } from "../../support/chromium.ts";
import type { Client } from "../../support/client.ts";
import { startStage, type StartedStage } from "../../support/stage.ts";
import { byKeyboard, byRules, byScreenReader, bySignIn, enlarged, reflowed } from "../../support/tries.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";
import { providerOn } from "../idp/idp.fixture.ts";
import { openWhole, tryPages, type Shown } from "./tries.cases.ts";

const settings = {
  ...providerOn,
  AUTH_OAUTH_GITHUB_CLIENT_ID: "client",
  AUTH_OAUTH_GITHUB_CLIENT_SECRET: "secret",
  AUTH_EMAIL_LOGIN_ENABLED: "true",
  AUTH_PASSWORD_RESET_RETURN_TOKEN: "true",
  AUTH_EMAIL_VERIFICATION_RETURN_TOKEN: "true",
  LIGHTHOUSE_SECRET: "a lighthouse of this test, long enough",
};

describe.skipIf(chromiumMissing !== undefined)(
  `the pages of the app for everybody, in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let stage: StartedStage;
    let visitor: Visitor;
    let pages: readonly Shown[] = [];
    beforeAll(async () => {
      stage = await startStage({ shared: true, env: settings });
      visitor = await createVisitor(openPlainTab({ width: 1280, height: 900 }));
      await showOn(visitor.tab, 1280, "light");
      const { email, client } = await stage.people.register("ada", { display_name: "Ada Lovelace" });
      const asked = await stage.browser().post(auth("password-reset/request"), { login: email });
      const verification = (await client.post(auth("email-verification/request"))).textAt("verification_token");
      const page = (path: string, by?: Client): Shown => ({
        name: path,
        async open() {
          if (by === undefined) await askBrowser(visitor.tab, "Network.clearBrowserCookies");
          else await becomeClient(visitor.tab, by);
          await openWhole(visitor, `${stage.target.url}${path}`);
        },
      });
      pages = [
        page("/login"),
        page("/register"),
        page("/forgot-password"),
        page(`/reset-password?token=${asked.textAt("reset_token")}`),
        page("/reset-password?token=none"),
        page(`/verify-email?token=${verification}`),
        page("/nowhere"),
        page("/device", client),
        page("/lighthouse/sign-in"),
        page("/account", client),
      ];
    }, 120_000);
    afterAll(async () => {
      visitor.tab.close();
      Bun.WebView.closeAll();
      await stage.stop();
    });

    /** Breaks the page for signing in by a line of script, and returns what a try finds in it. */
    async function findingsOf(attempt: typeof byRules, harm: string): Promise<readonly string[]> {
      await openWhole(visitor, `${stage.target.url}/login`);
      await visitor.ask(`void (() => { const password = document.querySelector("[name='password']"); ${harm} })()`);
      return attempt(visitor);
    }

    test.each([
      [
        "a small target",
        byRules,
        `for (const text of "ij") { const button = document.createElement("button"); button.textContent = text; button.style.all = "unset"; document.querySelector("main").append(button); }`,
      ],
      ["a wide part", reflowed, `document.querySelector("main").style.minWidth = "400px"`],
      [
        "a box that is too low for its text",
        enlarged,
        `const h1 = document.querySelector("h1"); h1.style.height = h1.clientHeight + "px"; h1.style.overflow = "hidden"`,
      ],
      ["an order of its own", byKeyboard, `password.tabIndex = 3`],
      ["a focus that nobody sees", byKeyboard, `password.style.setProperty("outline", "none", "important")`],
      [
        "a button without a name",
        byScreenReader,
        `document.querySelector("main").append(document.createElement("button"))`,
      ],
      [
        "a field that takes no paste",
        bySignIn,
        `password.addEventListener("paste", (event) => event.preventDefault())`,
      ],
      ["a field that password managers don't know", bySignIn, `password.autocomplete = "off"`],
    ] as const)("the tries find %s", async (_, attempt, harm) => {
      expect(await findingsOf(attempt, harm)).not.toEqual([]);
      expect(await findingsOf(attempt, "")).toEqual([]);
    });

    tryPages(
      () => visitor,
      () => pages,
    );
  },
);
