import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { askBrowser, chromiumMissing, goTo, openPlainTab } from "../../support/chromium.ts";
import { auth } from "../../support/auth.ts";
import { controlOf } from "../../support/maintenance.ts";
import { startStage, type StartedStage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";

const settings = {
  AUTH_OAUTH_GITHUB_CLIENT_ID: "client",
  AUTH_OAUTH_GITHUB_CLIENT_SECRET: "secret",
  AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "2",
  AUTH_LOGIN_RATE_LIMIT_DURATION: "2s",
  AUTH_PASSWORD_RESET_RETURN_TOKEN: "true",
  AUTH_EMAIL_VERIFICATION_RETURN_TOKEN: "true",
};

const pagesWith = (resetToken: string, verificationToken: string) =>
  [
    ["/login", "Sign in"],
    ["/login?next=https%3A%2F%2Fevil.example&oauth_error=oauth_exchange_failed", "Sign in"],
    ["/register", "Create an account"],
    ["/forgot-password", "Forgot your password?"],
    ["/reset-password", "This link is incomplete"],
    ["/reset-password?token=none", "This link does not work any more"],
    [`/reset-password?token=${resetToken}`, "Choose a new password"],
    [`/reset-password?token=${resetToken}&reject=1`, "Choose a new password"],
    ["/verify-email?token=none", "This link does not work any more"],
    [`/verify-email?token=${verificationToken}`, "Verify your email"],
    [`/verify-email?token=${verificationToken}&reject=1`, "Was this not you?"],
    ["/undo-email-change?token=none", "This link does not work any more"],
    ["/login?challenge=none", "Sign in again"],
    ["/email-login", "This link is incomplete"],
    ["/email-login?token=none", "This link does not work any more"],
  ] as const;

describe.skipIf(chromiumMissing !== undefined)(
  `states of the sign-in pages in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let stage: StartedStage;
    let visitor: Visitor;
    let resetToken: string;
    let verificationToken: string;
    beforeAll(async () => {
      stage = await startStage({ shared: true, env: settings });
      visitor = await createVisitor(openPlainTab({ width: 1280, height: 800 }));
      const { email, client } = await stage.people.register("ada");
      const asked = await stage.browser().post(auth("password-reset/request"), { login: email });
      resetToken = asked.textAt("reset_token");
      verificationToken = (await client.post(auth("email-verification/request"))).textAt("verification_token");
    }, 120_000);
    afterAll(async () => {
      visitor.tab.close();
      Bun.WebView.closeAll();
      await stage.stop();
    });

    const open = (path: string, title: string): Promise<void> => visitor.open(`${stage.target.url}${path}`, title);
    const enter = (): Promise<void> => visitor.tab.press("Enter");
    const valueOf = (name: string): Promise<unknown> => visitor.ask(`document.querySelector("[name=${name}]").value`);
    /** Runs a command of the browser's own editor, as its menu and its keys do. */
    const edit = (command: string): Promise<unknown> =>
      askBrowser(visitor.tab, "Input.dispatchKeyEvent", { type: "keyDown", commands: [command] });

    test("axe finds nothing in any page, and nothing is wider than a phone", async () => {
      for (const [path, title] of pagesWith(resetToken, verificationToken)) {
        await open(path, title);
        await visitor.expectNoBarriers(path);
      }
    });

    test("a page whose file is missing is asked for once more, and then says so and offers to try again", async () => {
      const { tab } = visitor;
      // The requests of the previous page must not be counted here.
      await open("/login", "Sign in");
      await askBrowser(tab, "Network.setBlockedURLs", { urls: ["*/seldom.*"] });
      try {
        visitor.takeRequests();
        // Its own reload may take the place of the navigation, which is not asked for again here: that would be another visit.
        await tab.navigate(`${stage.target.url}/register`).catch(() => undefined);
        await visitor.shows("This page did not load");
        expect(visitor.takeRequests().filter((url) => url.endsWith("/register"))).toHaveLength(2);
        await visitor.expectNoBarriers("a page that did not load");
      } finally {
        await askBrowser(tab, "Network.setBlockedURLs", { urls: [] });
      }
      await visitor.press("Try again");
      await visitor.shows("Create an account");
    });

    test("password managers find each field by its name, and what they or people paste is taken", async () => {
      const autofill = (): Promise<unknown> =>
        visitor.ask("[...document.querySelectorAll('input')].map(({ name, autocomplete }) => [name, autocomplete])");
      await open("/register", "Create an account");
      expect(await autofill()).toEqual([
        ["display_name", "name"],
        ["email", "username"],
        ["password", "new-password"],
      ]);
      await open(`/reset-password?token=${resetToken}`, "Choose a new password");
      await visitor.until("the field", async () => (await visitor.focused()) === "new_password");
      expect(await autofill()).toEqual([["new_password", "new-password"]]);
      await open("/login", "Sign in");
      expect(await autofill()).toEqual([
        // The second word offers passkeys beside the names.
        ["login", "username webauthn"],
        ["password", "current-password"],
        ["remember", ""],
      ]);
      await visitor.fill("login", "a long walk by the sea");
      for (const command of ["selectAll", "cut"]) await edit(command);
      await visitor.ask("document.querySelector('[name=password]').focus()");
      await edit("paste");
      expect([await valueOf("login"), await valueOf("password")]).toEqual(["", "a long walk by the sea"]);
    });

    test("by the keyboard alone: every control in its order, each with a ring, and a password that can be looked at", async () => {
      await open("/login", "Sign in");
      await visitor.until("the first field", async () => (await visitor.focused()) === "login");
      const order: unknown[] = [];
      const ring = "getComputedStyle(document.activeElement).outline";
      for (let step = 0; step < 8; step += 1) {
        order.push(await visitor.focused());
        expect([order.at(-1), await visitor.ask(ring)]).toEqual([order.at(-1), expect.stringContaining("solid 2px")]);
        await visitor.tab.press("Tab");
      }
      expect(order).toEqual([
        "login",
        "password",
        "Show",
        "remember",
        "Forgot password?",
        "Sign in",
        "Continue with GitHub",
        "Create one",
      ]);
      await visitor.fill("password", "seen");
      await visitor.tab.press("Tab");
      await enter();
      // The browser takes a visible password for text, and must not correct it.
      const seen = "(({ type, autocorrect, autocapitalize }) => [type, autocorrect, autocapitalize])";
      expect(await visitor.ask(`${seen}(document.querySelector("[name=password]"))`)).toEqual(["text", false, "none"]);
      expect(await visitor.focused()).toBe("Hide");
      expect(await valueOf("password")).toBe("seen");
      await enter();
      expect(await visitor.ask("document.querySelector('[name=password]').type")).toBe("password");
    });

    test("too many attempts are counted down, and then may go on", async () => {
      await open("/login", "Sign in");
      await visitor.fill("login", "grace@example.test");
      for (const guess of ["one guess", "another", "a third"]) {
        await visitor.fill("password", guess);
        await enter();
        await visitor.until("the answer", async () => (await valueOf("password")) === "");
      }
      await visitor.says("Too many attempts");
      await visitor.says("left");
      await visitor.expectNoBarriers("too many attempts");
      await visitor.says("You can try again now.");
      await visitor.expectNoBarriers("awake");
    });

    test("offline, in maintenance and on a slow line a form says so, keeps what was typed, and goes on", async () => {
      const { tab } = visitor;
      const network = (offline: boolean): Promise<unknown> =>
        askBrowser(tab, "Network.emulateNetworkConditions", {
          offline,
          latency: 0,
          downloadThroughput: -1,
          uploadThroughput: -1,
        });
      await open("/login", "Sign in");
      await visitor.fill("login", "nobody@example.test");
      await visitor.fill("password", "not the password");
      await network(true);
      await enter();
      await visitor.says("You are offline.");
      await visitor.expectNoBarriers("offline");
      await network(false);

      const control = controlOf(stage.target);
      await control.enable();
      await visitor.press("Sign in");
      await visitor.says("The service is down for maintenance.");
      await visitor.expectNoBarriers("maintenance");
      expect([await valueOf("login"), await valueOf("password")]).toEqual(["nobody@example.test", "not the password"]);
      await visitor.open(`${stage.target.url}/login`, "Down for maintenance");
      await visitor.expectNoBarriers("the maintenance page");
      await control.disable();

      await open("/login", "Sign in");
      // Requests get their answers once they are let go. The notice that comes after five seconds comes at once.
      await visitor.ask(`(() => {
        const { fetch, setTimeout } = globalThis;
        const held = new Promise((resolve) => (globalThis.letGo = resolve));
        globalThis.fetch = (...request) => held.then(() => fetch(...request));
        globalThis.setTimeout = (work, ms) => setTimeout(work, ms === 5_000 ? 50 : ms);
      })()`);
      await visitor.fill("login", "nobody@example.test");
      await visitor.fill("password", "not the password");
      await enter();
      await visitor.says("This takes longer than usual.");
      await enter();
      await visitor.expectNoBarriers("slow");
      await visitor.ask("letGo()");
      await visitor.says("This password does not belong to this email or user name.");
      expect([await valueOf("login"), await valueOf("password")]).toEqual(["nobody@example.test", ""]);
    });

    test("a service that is gone is said to be", async () => {
      const gone = await startTarget({ roles: ["http"], shared: true });
      try {
        await visitor.open(`${gone.url}/forgot-password`, "Forgot your password?");
      } finally {
        await gone.stop();
      }
      await visitor.fill("login", "ada@example.test");
      await enter();
      await visitor.says("The service can't be reached.");
      expect(await valueOf("login")).toBe("ada@example.test");
    });

    test("the pages speak German to a browser that does, in every page without a barrier", async () => {
      await askBrowser(visitor.tab, "Network.setExtraHTTPHeaders", {
        headers: { "accept-language": "de-AT,de;q=0.9" },
      });
      for (const [path, title] of [
        ["/login", "Anmelden"],
        ["/register", "Konto anlegen"],
        ["/forgot-password", "Passwort vergessen?"],
        [`/reset-password?token=${resetToken}`, "Neues Passwort wählen"],
        ["/reset-password?token=none", "Dieser Link gilt nicht mehr"],
        [`/verify-email?token=${verificationToken}&reject=1`, "Waren Sie das nicht?"],
      ] as const) {
        await open(path, title);
        await visitor.expectNoBarriers(path);
      }
      expect(await visitor.ask("document.documentElement.lang")).toBe("de");
      const control = controlOf(stage.target);
      await control.enable();
      await open("/login", "Wartungsarbeiten");
      await control.disable();
      await visitor.expectNoBarriers("the maintenance page");
      await askBrowser(visitor.tab, "Network.setExtraHTTPHeaders", { headers: {} });
    });

    test("without JavaScript a sentence says what is missing", async () => {
      await askBrowser(visitor.tab, "Emulation.setScriptExecutionDisabled", { value: true });
      await goTo(visitor.tab, `${stage.target.url}/login`);
      await visitor.says("This page works with JavaScript");
      await askBrowser(visitor.tab, "Emulation.setScriptExecutionDisabled", { value: false });
    });

    test("a password manager that leads a stranger to the password leads to the sign-in first", async () => {
      await open("/.well-known/change-password", "Sign in");
      expect(await visitor.ask("location.pathname + location.search")).toBe("/login?next=%2Faccount");
    });

    test("two tabs that renew a session at once both stay signed in", async () => {
      const { email, password } = await stage.people.register("ada", { display_name: "Ada Lovelace" });
      await open("/login", "Sign in");
      await visitor.fill("login", email);
      await visitor.fill("password", password);
      await enter();
      await visitor.arrivesAt(`${stage.target.url}/account`);
      const tabs = "[globalThis.first, globalThis.second]";
      for (let round = 0; round < 3; round += 1) {
        await open("/forgot-password", "Forgot your password?");
        await askBrowser(visitor.tab, "Network.deleteCookies", { name: "auth_access", url: stage.target.url });
        for (const name of ["first", "second"])
          await askBrowser(visitor.tab, "Runtime.evaluate", {
            expression: `void (globalThis.${name} = window.open("/login"))`,
            userGesture: true,
          });
        await visitor.until("both tabs", async () => {
          const said = await visitor.ask(`${tabs}.map((other) => other?.document.body?.innerText ?? "")`);
          return (
            Array.isArray(said) && said.every((text) => String(text).includes("You are signed in as Ada Lovelace."))
          );
        });
        await visitor.ask(`${tabs}.forEach((other) => other.close())`);
      }
      // One session is of the registration, and one is of this sign-in.
      const { n } = stage.rows.get(
        "select count(*) as n from auth_sessions join users on users.id = user_id where email = ? and revoked_at is null",
        email,
      );
      expect(n).toBe(2);
    });

    test("U-01 no page in these states did what its policy forbids, or asked another site for anything", async () => {
      expect(visitor.takeComplaints()).toEqual([]);
      const hosts = new Set(visitor.takeRequests().map((url) => new URL(url).hostname));
      expect([...hosts]).toEqual(["127.0.0.1"]);
      await visitor.ask("void setTimeout(() => (document.body.innerHTML = '<b>'))");
      await visitor.until("the complaint", () => Promise.resolve(visitor.takeComplaints().length > 0));
    });
  },
);
