import { expect, test } from "bun:test";
import { auth, type Person } from "../support/auth.ts";
import { goTo } from "../support/chromium.ts";
import type { FollowedGuide } from "./guide.fixture.ts";
import { expireAccess, generationOf, type WatchedTab } from "./pages.fixture.ts";

interface ServerOptions {
  /** The path of a page that is for signed-in people alone, and takes a form. */
  readonly guarded: string;
  /** Where its form is posted to. Default: the page. */
  readonly posted?: string;
  /** Paths of what the app has told caches to keep, though it shows who is signed in. */
  readonly kept: readonly string[];
  /** Paths of what is for everybody, and may be kept. */
  readonly common: readonly string[];
}

type Cookies = readonly ("auth_access" | "auth_refresh")[];
const all: Cookies = ["auth_access", "auth_refresh"];
const greeting = ({ username }: Person): string => `Hello, ${username}!`;
const isPrivate = ({ headers }: Response): boolean =>
  /\bprivate\b.*\bno-store\b|\bno-store\b/.test(headers.get("cache-control") ?? "");

/** The tests of an app whose pages a server renders. */
export function testServer(
  app: () => FollowedGuide,
  tabs: () => readonly [WatchedTab, WatchedTab],
  options: ServerOptions,
): void {
  const cookiesOf = ({ client }: Person, names = all): string =>
    names.map((name) => `${name}=${client.cookie(name)}`).join("; ");
  const get = (path: string, person?: Person, names?: Cookies): Promise<Response> =>
    fetch(`${app().url}${path}`, {
      redirect: "manual",
      headers: { accept: "text/html", ...(person && { cookie: cookiesOf(person, names) }) },
      signal: AbortSignal.timeout(30_000),
    });
  /** Returns what people read of a page: what a renderer writes between texts is no part of it. */
  const textOf = async (response: Response): Promise<string> => (await response.text()).replaceAll(/<!--.*?-->/g, "");

  test("a stranger signs in on the account pages and is back, and the server has written the name", async () => {
    const [here] = tabs();
    await here.clear(app().url);
    const ada = await app().people.register("ada");
    await goTo(here.tab, app().url);
    await here.says("Sign in");
    await here.click("Sign in");
    await here.signIn(ada);
    await here.says(greeting(ada));
    expect(await here.ask("location.pathname")).toBe("/");
    await goTo(here.tab, app().url);
    await here.says(greeting(ada));
    expect(await here.hasShown("Sign in")).toBe(false);
    expect(await textOf(await get("/", ada))).toContain(greeting(ada));
    const strange = await get("/");
    expect(await textOf(strange)).toContain("Sign in");
    expect(strange.headers.getSetCookie()).toEqual([]);
  });

  test("a redirect of Gatehouse leads the browser: the server of the app follows none", async () => {
    const led = await get("/.well-known/change-password");
    expect([led.status, new URL(led.headers.get("location") ?? "", app().url).pathname]).toEqual([302, "/account"]);
  });

  test("a page and all that loads beside it are served when the access cookie has run out, and nothing is rotated", async () => {
    const ada = await app().people.register("ada");
    const answers = await Promise.all(Array.from({ length: 12 }, () => get("/", ada, ["auth_refresh"])));
    for (const answer of answers) {
      expect(await textOf(answer)).toContain(greeting(ada));
      expect(answer.headers.getSetCookie().map((cookie) => cookie.split("=", 1).join())).toEqual(["auth_access"]);
      expect(isPrivate(answer)).toBe(true);
    }
    expect(generationOf(app(), ada)).toEqual({ generation: 1, revoked_at: null });
  });

  test("nobody is signed out where a script refreshes while the server renders by the cookies from before", async () => {
    const ada = await app().people.register("ada");
    const before = cookiesOf(ada, ["auth_refresh"]);
    const render = (): Promise<Response> => fetch(app().url, { headers: { accept: "text/html", cookie: before } });
    const refresh = async (): Promise<Response> => {
      expect(await ada.client.post(auth("refresh"))).toMatchObject({ status: 200 });
      return render();
    };
    const answers = await Promise.all([render(), render(), refresh(), render()]);
    for (const answer of answers) expect(await textOf(answer)).toContain(greeting(ada));
    expect(generationOf(app(), ada)).toEqual({ generation: 2, revoked_at: null });
    expect(await textOf(await get("/", ada))).toContain(greeting(ada));
  });

  test("a browser whose access cookie has run out gets the new one with the page", async () => {
    const [here] = tabs();
    await here.clear(app().url);
    const ada = await app().people.register("ada");
    await goTo(here.tab, `${app().url}/login?next=/`);
    await here.signIn(ada);
    await here.says(greeting(ada));
    await expireAccess(here, app().url);
    await goTo(here.tab, app().url);
    await here.says(greeting(ada));
    expect(await here.hasShown("Sign in")).toBe(false);
    expect(await here.hasCookie("auth_access", app().url)).toBe(true);
    expect(generationOf(app(), ada)).toEqual({ generation: 1, revoked_at: null });
  });

  test("a sign-out, wherever it was, counts at the next request", async () => {
    const [here] = tabs();
    const ada = await app().people.register("ada");
    expect(await textOf(await get("/", ada))).toContain(greeting(ada));
    app().rows.run("update auth_sessions set revoked_at = 1 where user_id = ?", ada.id);
    const over = await textOf(await get("/", ada));
    expect(over).toContain("Sign in");
    expect(over).not.toContain(ada.username);
    await here.clear(app().url);
    const grace = await app().people.register("grace");
    await goTo(here.tab, `${app().url}/login?next=/`);
    await here.signIn(grace);
    await here.says(greeting(grace));
    await here.clickUntil("Sign out", "Sign in");
    await goTo(here.tab, app().url);
    await here.says("Sign in");
    expect(await here.hasShown(greeting(grace))).toBe(false);
  });

  test("no cache may keep a person's page or cookies, whatever the app says of a page", async () => {
    const ada = await app().people.register("ada");
    for (const path of ["/", ...options.kept])
      for (const names of [all, ["auth_refresh"]] as const) {
        const answer = await get(path, ada, names);
        expect({ path, isPrivate: isPrivate(answer) }).toEqual({ path, isPrivate: true });
        expect(await textOf(answer)).toContain(greeting(ada));
      }
    for (const path of options.common) {
      const fresh = await get(path, ada, ["auth_refresh"]);
      expect(await textOf(fresh)).not.toContain(ada.username);
      expect({ path, isFine: isPrivate(fresh) || fresh.headers.getSetCookie().length === 0 }).toEqual({
        path,
        isFine: true,
      });
      const known = await get(path, ada);
      expect(known.headers.getSetCookie()).toEqual([]);
      const strange = await get(path);
      expect(await textOf(strange)).not.toContain(ada.username);
      expect({ path, isPrivate: isPrivate(strange) }).toEqual({ path, isPrivate: false });
    }
  });

  test("where Gatehouse can't be asked, somebody with a session is shown no page of a stranger, and a stranger is", async () => {
    const ada = await app().people.register("ada");
    app().line.cut();
    try {
      const away = await get("/", ada);
      expect(away.status).toBe(503);
      expect(isPrivate(away)).toBe(true);
      expect(away.headers.getSetCookie()).toEqual([]);
      expect(await textOf(away)).not.toContain("Sign in");
      expect(await textOf(await get("/"))).toContain("Sign in");
    } finally {
      app().line.mend();
    }
    expect(await textOf(await get("/", ada))).toContain(greeting(ada));
  });

  test("a page for signed-in people leads to the sign-in and is the next one; its form is taken from pages of the app alone", async () => {
    const [here] = tabs();
    await here.clear(app().url);
    const ada = await app().people.register("ada");
    await goTo(here.tab, `${app().url}${options.guarded}`);
    await here.signIn(ada);
    await here.isAt(options.guarded);
    await here.until(
      "the form",
      async () => (await here.ask("document.querySelector('[name=text]') !== null")) === true,
    );
    await here.clickUntil("Keep", `a note, for ${ada.username}`, "a note");
    const forged = await fetch(`${app().url}${options.posted ?? options.guarded}`, {
      method: "POST",
      redirect: "manual",
      headers: {
        cookie: cookiesOf(ada),
        origin: "https://evil.example",
        "sec-fetch-site": "cross-site",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "text=forged",
    });
    expect(forged.status).toBe(403);
    expect(await forged.text()).not.toContain(ada.username);
  });
}
