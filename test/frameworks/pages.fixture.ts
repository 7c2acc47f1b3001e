import { afterAll, beforeAll, expect, test } from "bun:test";
import { askBrowser, goTo, openPlainTab, readPage } from "../support/chromium.ts";
import type { Person } from "../support/auth.ts";
import type { FollowedGuide } from "./guide.fixture.ts";

/** Keeps every text that a page has shown since it was opened, so that a flash of another one is seen. */
const keepTexts = `(() => {
  window.shown = [];
  const look = () => {
    const text = document.body?.innerText.trim() ?? "";
    if (window.shown.at(-1) !== text) window.shown.push(text);
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
  addEventListener("load", look);
})()`;

const clicking = (text: string): string =>
  `[...document.querySelectorAll("a, button")].find((each) => each.innerText === ${JSON.stringify(text)})?.click()`;

const filling = (text: string): string => `(() => {
  const field = document.querySelector("[name=text]");
  if (field !== null) {
    field.value = ${JSON.stringify(text)};
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
})()`;
/** How long a click may take to have its effect, before there is another one. */
const patienceMs = 1_500;

/** Opens a tab that keeps what pages show. */
async function openWatchedTab() {
  const tab = openPlainTab({ width: 800, height: 600 });
  const page = readPage(tab);
  await goTo(tab, "about:blank");
  await askBrowser(tab, "Page.enable");
  await askBrowser(tab, "Page.addScriptToEvaluateOnNewDocument", { source: keepTexts });
  return {
    ...page,
    tab,
    says: (text: string): Promise<void> => page.until(text, async () => (await page.text()).includes(text)),
    /** Whether the page has shown the text at any time since it was opened. */
    hasShown: async (text: string): Promise<boolean> =>
      (await page.ask(`window.shown.some((each) => each.includes(${JSON.stringify(text)}))`)) === true,
    isAt: (path: string): Promise<void> =>
      page.until(path, async () => (await page.ask("location.pathname + location.search")) === path),
    click: (text: string): Promise<unknown> => page.ask(clicking(text)),
    /** Clicks, and first fills the field where there is one, until it has an effect: a page that a server has rendered is deaf until its script has taken it over. */
    async clickUntil(button: string, text: string, filled = ""): Promise<void> {
      let next = 0;
      await page.until(text, async () => {
        if ((await page.text()).includes(text)) return true;
        if (performance.now() < next) return false;
        next = performance.now() + patienceMs;
        await page.ask(filling(filled));
        await page.ask(clicking(button));
        return false;
      });
    },
    async signIn({ email, password }: Person): Promise<void> {
      await page.until("the sign-in", async () => (await page.ask("document.activeElement?.name")) === "login");
      await tab.type(email);
      await tab.click("[name=password]");
      await tab.type(password);
      await tab.press("Enter");
    },
    hasCookie: async (name: string, url: string): Promise<boolean> =>
      JSON.stringify(await askBrowser(tab, "Network.getCookies", { urls: [url] })).includes(`"name":"${name}"`),
    /** Makes of the browser one that nobody has used. */
    async clear(origin: string): Promise<void> {
      await goTo(tab, "about:blank");
      await askBrowser(tab, "Network.clearBrowserCookies");
      await askBrowser(tab, "Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    },
  };
}

export type WatchedTab = Awaited<ReturnType<typeof openWatchedTab>>;

/** Opens two tabs of one browser for the tests of the calling describe block. */
export function watchedTabs(): () => readonly [WatchedTab, WatchedTab] {
  let tabs: readonly [WatchedTab, WatchedTab] | undefined;
  beforeAll(async () => {
    tabs = [await openWatchedTab(), await openWatchedTab()];
  });
  afterAll(() => {
    tabs?.forEach(({ tab }) => tab.close());
    Bun.WebView.closeAll();
  });
  return () => {
    if (tabs === undefined) throw new Error("the tabs are not open yet");
    return tabs;
  };
}

/** Has a browser lose its access cookie, as it does when its time is up. */
export const expireAccess = ({ tab }: WatchedTab, url: string): Promise<unknown> =>
  askBrowser(tab, "Network.deleteCookies", { name: "auth_access", url });

export const generationOf = ({ rows }: FollowedGuide, { id }: Person): unknown =>
  rows.get("select generation, revoked_at from auth_sessions where user_id = ? order by id desc", id);

/** The tests of an app whose pages are made in the browser: the ones that the guides of React, Vue and Svelte make. */
export function testPages(app: () => FollowedGuide, tabs: () => readonly [WatchedTab, WatchedTab]): void {
  async function signedIn(): Promise<Person> {
    const [here] = tabs();
    await here.clear(app().url);
    const ada = await app().people.register("ada");
    await goTo(here.tab, app().url);
    await here.says("Sign in");
    await here.click("Sign in");
    await here.signIn(ada);
    await here.says(`Hello, ${ada.username}!`);
    expect(await here.ask("location.pathname")).toBe("/");
    return ada;
  }
  const greeting = ({ username }: Person): string => `Hello, ${username}!`;
  const asked = (tab: WatchedTab): Promise<unknown> =>
    tab.ask(
      `performance.getEntriesByType("resource").filter(({ name }) => name.includes("/api/v1/auth/")).map(({ name }) => new URL(name).pathname)`,
    );

  test("a stranger is shown the way in after one request, signs in on the account pages, and is back", async () => {
    const [here] = tabs();
    await here.clear(app().url);
    await goTo(here.tab, app().url);
    await here.says("Sign in");
    expect(await asked(here)).toEqual(["/api/v1/auth/me"]);
    await signedIn();
  });

  test("whoever is signed in never sees the page of a stranger, whether or not the access cookie has run out", async () => {
    const [here] = tabs();
    const ada = await signedIn();
    for (const prepare of [async () => undefined, () => expireAccess(here, app().url)]) {
      await prepare();
      await goTo(here.tab, app().url);
      await here.says(greeting(ada));
      expect(await here.hasShown("Sign in")).toBe(false);
      expect(await asked(here)).toEqual(["/api/v1/auth/me"]);
    }
    expect(generationOf(app(), ada)).toEqual({ generation: 1, revoked_at: null });
    expect(await here.ask("document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })")).not.toMatch(
      /eyJ/,
    );
  });

  test("a sign-out counts in every tab at once", async () => {
    const [here, there] = tabs();
    const ada = await signedIn();
    await goTo(there.tab, app().url);
    await there.says(greeting(ada));
    await here.click("Sign out");
    await here.says("Sign in");
    await there.says("Sign in");
    expect(generationOf(app(), ada)).toMatchObject({ revoked_at: expect.any(Number) });
  });

  test("a sign-in in one tab is seen in another, and so is a session that was ended, once somebody looks", async () => {
    const [here, there] = tabs();
    await here.clear(app().url);
    await goTo(there.tab, app().url);
    await there.says("Sign in");
    const ada = await signedIn();
    await there.says(greeting(ada));
    app().rows.run("update auth_sessions set revoked_at = 1 where user_id = ?", ada.id);
    await there.ask(`document.dispatchEvent(new Event("visibilitychange"))`);
    await there.says("Sign in");
    await here.says("Sign in");
  });
}
