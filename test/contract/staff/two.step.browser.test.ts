import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  addAuthenticator,
  askBrowser,
  type BrowserAuthenticator,
  chromiumMissing,
  openPlainTab,
} from "../../support/chromium.ts";
import { startStage, type StartedStage } from "../../support/stage.ts";
import { becomeStaff } from "../../support/staff.ts";
import { codeOf } from "../../support/totp.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";

const email = "ada@example.test";
const password = "a long walk by the sea";

// The pages of the second step run in a real browser with its own authenticator, in an app that demands a second step of everybody.
describe.skipIf(chromiumMissing !== undefined)(
  `the second step on the pages of staff${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let front: Bun.Server<undefined>;
    let stage: StartedStage;
    let url: string;
    let visitor: Visitor;
    let authenticator: BrowserAuthenticator;

    beforeAll(async () => {
      // Passkeys belong to names and not to addresses, and the port has to be known before the service starts.
      front = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: ({ url: asked, method, headers, body }) => {
          const { pathname, search } = new URL(asked);
          return fetch(`${stage.target.url}${pathname}${search}`, { method, headers, body, redirect: "manual" });
        },
      });
      url = `http://localhost:${front.port}`;
      stage = await startStage({ app: "admin", env: { ADMIN_APP_URL: url, ADMIN_AUTH_MFA_REQUIRED: "true" } });
      const tab = openPlainTab({ width: 1280, height: 900 });
      visitor = await createVisitor(tab);
      authenticator = await addAuthenticator(tab);
    }, 120_000);
    afterAll(async () => {
      visitor.tab.close();
      Bun.WebView.closeAll();
      await stage.stop();
      await front.stop(true);
    });

    const forgetCookies = (): Promise<unknown> => askBrowser(visitor.tab, "Network.clearBrowserCookies");

    test("M-65 whoever has to set a second step up is led to it by every page, and to nothing else", async () => {
      await visitor.open(`${url}/register`, "Create an account");
      await visitor.fill("display_name", "Ada");
      await visitor.fill("email", email);
      await visitor.fill("password", password);
      await visitor.press("Create account");
      await visitor.shows("For staff only");
      becomeStaff(stage.rows, email);
      for (const path of ["/", "/people", "/audit"]) await visitor.open(`${url}${path}`, "Two-step sign-in");
      await visitor.says("asks for a second step at each sign-in");
      await visitor.expectNoBarriers("nothing is set up");
      await visitor.press("Add a passkey");
      await visitor.shows("Add a passkey");
      await visitor.expectNoBarriers("a new passkey");
      await visitor.fill("name", "Work laptop");
      await visitor.press("Add a passkey");
      await visitor.says("Work laptop is added. Make recovery codes now");
      await visitor.says("you are locked out when the device is lost");
      await visitor.open(`${url}/people`, "People");
    }, 120_000);

    test("M-66 a passkey signs in by itself, and as the second step after a password", async () => {
      // The browser suggests the passkey, and its authenticator takes every suggestion while somebody is present.
      await forgetCookies();
      await visitor.open(`${url}/login?next=/people`, "People");
      await authenticator.setPresent(false);
      await forgetCookies();
      await visitor.open(`${url}/login?next=/people`, "Sign in");
      await visitor.says("Sign in with a passkey");
      await visitor.expectNoBarriers("the sign-in with a passkey");
      await visitor.fill("login", email);
      await visitor.fill("password", password);
      await visitor.press("Sign in");
      await visitor.shows("One more step");
      await authenticator.setPresent(true);
      await visitor.expectNoBarriers("the second step by a passkey");
      await visitor.press("Use a passkey");
      await visitor.shows("People");
    }, 120_000);

    test("an authenticator app is set up, and every page of it has no barriers", async () => {
      await visitor.open(`${url}/two-step`, "Two-step sign-in");
      await visitor.press("Set up");
      await visitor.shows("Set up an authenticator app");
      await visitor.expectNoBarriers("the picture of the key");
      const secret = String(await visitor.ask("document.querySelector('[name=secret]').value"));
      await visitor.fill("code", codeOf(secret));
      await visitor.press("Turn on");
      await visitor.shows("Save your recovery codes");
      await visitor.expectNoBarriers("recovery codes");
      await visitor.press("I have saved them");
      await visitor.shows("Two-step sign-in");
      await visitor.expectNoBarriers("all is set up");
      await visitor.press("Change…");
      await visitor.shows("Work laptop");
      await visitor.expectNoBarriers("a passkey");
      stage.rows.run("update auth_sessions set proved_at = 1");
      await visitor.press("Remove");
      await visitor.shows("Confirm that it is you");
      await visitor.expectNoBarriers("the proof");
      await visitor.press("Use a passkey");
      await visitor.says("Use your password");
      await visitor.press("Use a passkey");
      await visitor.says("Work laptop is removed");
      expect(visitor.takeComplaints()).toEqual([]);
    }, 120_000);
  },
);
