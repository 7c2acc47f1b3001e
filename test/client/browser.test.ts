import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packClient } from "../../src/build/npm/client.ts";
import { auth, type Person } from "../support/auth.ts";
import { askBrowser, chromiumMissing, goTo, openPlainTab } from "../support/chromium.ts";
import { startGateway, type Gateway } from "../support/gateway.ts";
import { startStage, type StartedStage } from "../support/stage.ts";

const refreshed = `POST ${auth("refresh")} 200`;
const page = `<!doctype html><title>An app</title><script type="module">
  import { createClient } from "/client.js";
  window.reasons = [];
  window.signedOut = new Promise((resolve) => {
    window.auth = createClient({
      baseUrl: new URLSearchParams(location.search).get("service") ?? "",
      onSignedOut(reason) {
        window.reasons.push(reason);
        resolve();
      },
    });
  });
</script>`;

describe.skipIf(chromiumMissing !== undefined)(`two tabs of a browser (${chromiumMissing ?? "Chromium"})`, () => {
  let staged: StartedStage;
  let folder: string;
  let gateway: Gateway;
  /** Another origin of the same site. */
  let elsewhere: Bun.Server<undefined>;
  let here: Bun.WebView;
  let there: Bun.WebView;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-client-"));
    await packClient(join(folder, "client"), "0.0.0");
    const own: Readonly<Record<string, () => Response>> = {
      "/client.js": () => new Response(Bun.file(join(folder, "client", "index.js"))),
      "/app": () => new Response(page, { headers: { "content-type": "text/html" } }),
    };
    const serve = (path: string): Response | undefined => own[path]?.();
    elsewhere = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) => serve(new URL(url).pathname) ?? new Response(null, { status: 404 }),
    });
    staged = await startStage({ env: { AUTH_ALLOWED_ORIGINS: elsewhere.url.origin } });
    gateway = startGateway(staged.target.url, serve);
    here = openPlainTab({ width: 800, height: 600 });
    there = openPlainTab({ width: 800, height: 600 });
  }, 120_000);
  afterAll(async () => {
    here.close();
    there.close();
    Bun.WebView.closeAll();
    await gateway.stop();
    await elsewhere.stop(true);
    await staged.stop();
    await rm(folder, { recursive: true });
  });

  /** Resolves to the codes that a burst of calls in a tab comes to, each code once. */
  const burst = (tab: Bun.WebView, calls: string): Promise<unknown> =>
    tab.evaluate(
      `Promise.all([${calls}]).then((all) => [...new Set(all.map((result) => result.ok ? "ok" : result.code))])`,
    );
  const reasonsIn = (tab: Bun.WebView): Promise<unknown> => tab.evaluate("window.reasons");
  const expire = (): Promise<unknown> =>
    askBrowser(here, "Network.deleteCookies", { name: "auth_access", url: gateway.url });
  const sessionOf = ({ id }: Person): unknown =>
    staged.rows.get("select generation, revoked_at from auth_sessions where user_id = ? order by id desc", id);

  async function signIn(): Promise<Person> {
    const ada = await staged.people.register("ada");
    for (const tab of [here, there]) await goTo(tab, `${gateway.url}/app`);
    const login = JSON.stringify({ login: ada.email, password: ada.password });
    expect(await burst(here, `auth.login(${login})`)).toEqual(["ok"]);
    expect(await burst(there, "auth.getMe()")).toEqual(["ok"]);
    return ada;
  }

  test("X-70 whose access cookie has expired share one refresh, and nobody is taken for a thief", async () => {
    const ada = await signIn();
    const calls = "auth.getMe(), auth.listSessions(), auth.hello(), auth.getMe(), auth.updateProfile({ locale: 'en' })";
    for (let round = 1; round <= 5; round += 1) {
      const before = gateway.count(refreshed);
      await expire();
      expect(await Promise.all([burst(here, calls), burst(there, calls)])).toEqual([["ok"], ["ok"]]);
      expect(gateway.count(refreshed) - before).toBe(1);
      expect(sessionOf(ada)).toEqual({ generation: 1 + round, revoked_at: null });
    }
    expect([await reasonsIn(here), await reasonsIn(there)]).toEqual([[], []]);
  });

  test("share the refresh that requests of the app's own need", async () => {
    await signIn();
    const before = gateway.count(refreshed);
    await expire();
    const own =
      "Promise.all([1, 2, 3].map(() => auth.fetch('/api/v1/hello'))).then((all) => all.map(({ status }) => status))";
    const all = Promise.all([here.evaluate(own), there.evaluate(own)]);
    expect(await all).toEqual([
      [200, 200, 200],
      [200, 200, 200],
    ]);
    expect(gateway.count(refreshed) - before).toBe(1);
  });

  test("know of a refresh that was over before they heard that they need one", async () => {
    await signIn();
    const before = gateway.count(refreshed);
    await expire();
    gateway.keepBack(`GET ${auth("sessions")} 401`, refreshed);
    const answers = [burst(there, "auth.listSessions()"), burst(here, "auth.getMe()")];
    expect(await Promise.all(answers)).toEqual([["ok"], ["ok"]]);
    expect(gateway.count(refreshed) - before).toBe(1);
  });

  test("are both told when one of them signs out", async () => {
    const ada = await signIn();
    expect(await burst(here, "auth.logout()")).toEqual(["ok"]);
    expect(await reasonsIn(here)).toEqual(["signed_out"]);
    await there.evaluate("window.signedOut");
    expect(await burst(there, "auth.getMe(), auth.hello()")).toEqual(["unauthorized"]);
    expect(await reasonsIn(there)).toEqual(["ended"]);
    expect(sessionOf(ada)).toMatchObject({ revoked_at: expect.any(Number) });
  });

  test("are served on another origin that the service knows", async () => {
    const ada = await staged.people.register("ada");
    const { url } = staged.target;
    await goTo(here, `${elsewhere.url.origin}/app?service=${encodeURIComponent(url)}`);
    const login = JSON.stringify({ login: ada.email, password: ada.password });
    expect(await burst(here, `auth.login(${login})`)).toEqual(["ok"]);
    expect(await burst(here, "auth.getMe(), auth.refresh(), auth.updateProfile({ locale: 'de' })")).toEqual(["ok"]);
    expect(sessionOf(ada)).toEqual({ generation: 2, revoked_at: null });
    expect(await here.evaluate("auth.login({ login: 'ada', password: '' })")).toMatchObject({
      code: "invalid_payload",
      requestId: expect.stringMatching(/./),
    });
    expect(await burst(here, "auth.logout()")).toEqual(["ok"]);
    expect(await reasonsIn(here)).toEqual(["signed_out"]);
  });
});
