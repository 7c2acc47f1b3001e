import { afterAll, beforeAll, expect, test } from "bun:test";
import { askBrowser, chromiumMissing, openPlainTab } from "../../support/chromium.ts";
import { mailedToken } from "../../support/auth.ts";
import { stage } from "../../support/stage.ts";
import { createPageVisitor, createStaff } from "../../support/staff.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";

// The pages for staff run in a real browser, by mouse and keyboard, with the scripts of pages and without.
const { target, rows, mailbox } = await stage({ app: "admin" });
const staff = createStaff(target.url, rows);
const { url } = target;
const isMissing = chromiumMissing !== undefined;
const patience = { timeout: 60_000 };

let visitor: Visitor;
let tab: Bun.WebView | undefined;
beforeAll(async () => {
  if (isMissing) return;
  tab = openPlainTab({ width: 1280, height: 900 });
  visitor = await createVisitor(tab);
});
afterAll(() => {
  tab?.close();
  Bun.WebView.closeAll();
});

const press = (key: "Tab" | "Enter" | "Space"): Promise<unknown> => visitor.tab.press(key);
/** Switches scripts on or off. The check for barriers is a script and needs them on. */
const runScripts = (run: boolean): Promise<unknown> =>
  askBrowser(visitor.tab, "Emulation.setScriptExecutionDisabled", { value: !run });
const forgetCookies = (): Promise<unknown> => askBrowser(visitor.tab, "Network.clearBrowserCookies");

test.skipIf(isMissing)(
  "every page that is open to all has no barriers, on a desk and on a phone, light and dark",
  async () => {
    const { email } = await staff.add("grace");
    await createPageVisitor(url).submit("/forgot-password", { login: email });
    const token = await mailedToken(mailbox, email, "Reset your password");
    for (const [path, title] of [
      ["/login", "Sign in"],
      ["/login?notice=signed-out", "Sign in"],
      ["/register", "Create an account"],
      ["/forgot-password", "Forgot your password?"],
      [`/reset-password?token=${token}`, "Choose a new password"],
      ["/reset-password?token=x", "This link does not work any more"],
      ["/reset-password", "This link is incomplete"],
      ["/verify-email?token=x", "This link does not work any more"],
      ["/undo-email-change?token=x", "This link does not work any more"],
    ] as const) {
      await visitor.open(`${url}${path}`, title);
      await visitor.expectNoBarriers(path);
    }
    expect(visitor.takeComplaints()).toEqual([]);
    expect(visitor.takeRequests().filter((asked) => asked.startsWith("http") && !asked.startsWith(url))).toEqual([]);
  },
  patience,
);

for (const scripts of [true, false])
  test.skipIf(isMissing)(
    `somebody makes an account, is told that it is not of the staff, becomes one of them and signs in, by keyboard, ${scripts ? "with" : "without"} scripts`,
    async () => {
      await forgetCookies();
      await runScripts(scripts);
      const email = `ada-${scripts ? "with" : "without"}@example.test`;
      await visitor.open(`${url}/register`, "Create an account");
      await visitor.isOn("display_name");
      await visitor.tab.type("Ada");
      await press("Tab");
      await visitor.tab.type(email);
      await press("Tab");
      await visitor.tab.type("a long walk by the sea");
      await press("Enter");
      await visitor.shows("For staff only");
      if (scripts) await visitor.expectNoBarriers("not of the staff");
      await visitor.press("Sign out");
      await visitor.says("You are signed out.");

      rows.run("update users set roles = 'admin' where email_key = ?", email);
      await visitor.open(`${url}/login?next=%2F%3Fsorted%3D1`, "Sign in");
      await visitor.isOn("login");
      await visitor.tab.type(email);
      await press("Tab");
      await visitor.tab.type("not the password");
      await press("Enter");
      await visitor.says("This password does not belong to this email or user name.");
      // The address is still there, and the focus is on the password, which has to be typed again.
      await visitor.isOn("password");
      expect(await visitor.ask("[login.value, password.value].join()")).toBe(`${email},`);
      if (scripts) await visitor.expectNoBarriers("a wrong password");
      await visitor.fill("password", "a long walk by the sea");
      await press("Enter");
      await visitor.isAt("/?sorted=1");
      if (scripts) await visitor.expectNoBarriers("the first page");
      await visitor.press("Sign out");
      await visitor.says("You are signed out.");
      await runScripts(true);
    },
    patience,
  );

test.skipIf(isMissing)(
  "an address that is taken has the focus, for it has to be typed again",
  async () => {
    await forgetCookies();
    const { email, password } = await staff.add("mary");
    await visitor.open(`${url}/register`, "Create an account");
    await visitor.fill("email", email);
    await visitor.fill("password", password);
    await press("Enter");
    await visitor.says("There is an account with this address already.");
    await visitor.isOn("email");
    await visitor.expectNoBarriers("an address that is taken");
  },
  patience,
);

test.skipIf(isMissing)(
  "somebody who forgot the password chooses another by the mailed link",
  async () => {
    await forgetCookies();
    const { email } = await staff.add("grace");
    await visitor.open(`${url}/forgot-password`, "Forgot your password?");
    await visitor.isOn("login");
    await visitor.tab.type(email);
    await press("Enter");
    await visitor.shows("Look in your mail");
    await visitor.expectNoBarriers("a mail is on its way");
    const token = await mailedToken(mailbox, email, "Reset your password");
    await visitor.open(`${url}/reset-password?token=${token}`, "Choose a new password");
    await visitor.tab.type("password");
    await press("Enter");
    await visitor.says("one of the most common passwords");
    await visitor.expectNoBarriers("a weak password");
    await visitor.fill("new_password", "another walk in the hills");
    await press("Enter");
    await visitor.shows("Your password is changed");
  },
  patience,
);

test.skipIf(isMissing)(
  "a lock says until when in the reader's own time and counts down; without scripts it says it in UTC",
  async () => {
    await forgetCookies();
    const { email, password } = await staff.add("ada");
    const stranger = createPageVisitor(url);
    for (let guess = 0; guess < 5; guess += 1) await stranger.submit("/login", { login: email, password: "wrong" });
    await askBrowser(visitor.tab, "Emulation.setTimezoneOverride", { timezoneId: "Asia/Kathmandu" });
    const refused = async (): Promise<void> => {
      await visitor.open(`${url}/login`, "Sign in");
      await visitor.tab.type(email);
      await press("Tab");
      await visitor.tab.type(password);
      await press("Enter");
      await visitor.says("Too many wrong passwords");
    };
    await refused();
    expect(await visitor.text()).toMatch(
      /You can sign in again at \d+:\d\d\s[AP]M, or at once with a new password.\s+1[45]:\d\d left/,
    );
    await visitor.expectNoBarriers("a lock");
    await runScripts(false);
    await refused();
    expect(await visitor.text()).toMatch(
      /You can sign in again at \d+:\d\d\s[AP]M UTC, or at once with a new password./,
    );
    expect(await visitor.text()).not.toContain("left");
    await runScripts(true);
    await askBrowser(visitor.tab, "Emulation.setTimezoneOverride", { timezoneId: "" });
    expect(visitor.takeComplaints()).toEqual([]);
  },
  patience,
);
