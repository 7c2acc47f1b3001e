import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { packClient } from "../../src/build/npm/client.ts";
import { auth, calm, createPeople, type Person } from "../support/auth.ts";
import {
  askBrowser,
  browserMissing,
  type Front,
  goTo,
  openTab,
  type PageReader,
  readPage,
  startFront,
} from "../support/chromium.ts";
import { sharedFolder } from "../support/folder.ts";
import { startProxyWith, whyNoProxy, type Proxy } from "../support/proxy.ts";
import { openRows, type Rows } from "../support/rows.ts";
import { startTarget, type Target } from "../support/target.ts";
import { example, nginxAsking, settingsOf, startApp } from "./examples.fixture.ts";

// The tests open the pages of the manual's examples in Chromium, under the names and with the TLS that they are printed with.
const vite = join(import.meta.dir, "..", "..", "node_modules", "vite", "bin", "vite.js");
const limitMs = 60_000;

async function run(command: readonly string[], cwd: string): Promise<void> {
  const env = { PATH: process.env["PATH"], HOME: cwd };
  const child = Bun.spawn([...command], { cwd, env, stdout: "pipe", stderr: "pipe", timeout: limitMs });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(" ")}: ${stdout}${stderr}`);
}

describe.skipIf(browserMissing !== undefined)(
  `a page on another origin${browserMissing === undefined ? "" : ` (${browserMissing})`}`,
  () => {
    const heading = "A page on another origin";
    const folder = sharedFolder();
    let target: Target;
    let rows: Rows;
    let pages: Bun.Server<undefined>;
    let fronts: Readonly<Record<"app" | "auth", Front>>;
    let tab: Bun.WebView;
    let page: PageReader;
    let ada: Person;

    beforeAll(async () => {
      const project = join(folder, "app");
      await mkdir(project);
      const tarball = await packClient(join(folder, "client"), manifest.version);
      await writeFile(join(project, "package.json"), '{ "type": "module" }');
      await writeFile(join(project, "index.html"), example(heading, "html"));
      await writeFile(join(project, "main.js"), example(heading, "js"));
      await run([process.execPath, "add", tarball], project);
      await run([process.execPath, "--bun", vite, "build"], project);
      pages = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        async fetch({ url }) {
          const { pathname } = new URL(url);
          const file = Bun.file(join(project, "dist", pathname === "/" ? "index.html" : pathname));
          return (await file.exists()) ? new Response(file) : new Response(null, { status: 404 });
        },
      });
      target = await startTarget({ env: { ...calm, ...settingsOf(heading) }, shared: true });
      rows = openRows(target.databasePath);
      ada = await createPeople(target.url).register("ada");
      fronts = {
        app: await startFront("app.example.com", pages.port ?? 0),
        auth: await startFront("auth.example.com", target.port),
      };
      tab = openTab({
        "app.example.com": fronts.app,
        "other.example.com": fronts.app,
        "auth.example.com": fronts.auth,
      });
      page = readPage(tab);
    }, 2 * limitMs);
    afterAll(async () => {
      tab.close();
      Bun.WebView.closeAll();
      await fronts.app.stop();
      await fronts.auth.stop();
      await pages.stop(true);
      rows.close();
      await target.stop();
    });

    const sessions = () => rows.count("auth_sessions");
    const status = async (): Promise<string> => String(await page.ask("document.querySelector('p').textContent"));
    const says = (text: string) => page.until(text, async () => (await status()) === text);
    async function signIn(password: string): Promise<void> {
      for (const [name, value] of Object.entries({ login: ada.email, password })) {
        await page.ask(`document.querySelector("[name=${name}]").value = ${JSON.stringify(value)}`);
      }
      await tab.click("button");
    }

    test("E-06 signs in, reads who it is, and goes on when the access cookie has run out", async () => {
      await goTo(tab, "https://app.example.com/");
      await says("unauthorized");
      await signIn("wrong");
      await says("invalid_credentials");
      await signIn(ada.password);
      await says(`Hello, ${ada.username}!`);
      expect(await page.ask("document.querySelector('form').hidden")).toBe(true);
      expect(await page.ask("document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })")).not.toMatch(
        /eyJ/,
      );
      await askBrowser(tab, "Network.deleteCookies", { name: "auth_access", url: "https://auth.example.com/" });
      await goTo(tab, "https://app.example.com/");
      await says(`Hello, ${ada.username}!`);
      const refreshed = await page.ask(
        `fetch("https://auth.example.com${auth("refresh")}", { method: "POST", credentials: "include",
          headers: { "content-type": "application/json" } }).then(({ status }) => status)`,
      );
      expect(refreshed).toBe(200);
    });

    test("E-06 the same page on a host that is not listed signs nobody in, and learns nothing", async () => {
      await goTo(tab, "https://other.example.com/");
      await says("network");
      const before = sessions();
      await page.ask("document.querySelector('p').textContent = ''");
      await signIn(ada.password);
      await says("network");
      expect(sessions()).toBe(before);
    });

    test("E-06 a session that was ended is over on the page, too", async () => {
      await goTo(tab, "https://app.example.com/");
      await says(`Hello, ${ada.username}!`);
      rows.run("update auth_sessions set revoked_at = 1 where user_id = ?", ada.id);
      await goTo(tab, "https://app.example.com/");
      await says("unauthorized");
      expect(await page.ask("document.querySelector('form').hidden")).toBe(false);
    });
  },
);

const nginxOrBrowserMissing = whyNoProxy("nginx") ?? browserMissing;
describe.skipIf(nginxOrBrowserMissing !== undefined)(
  `one host with nginx${nginxOrBrowserMissing === undefined ? "" : ` (${nginxOrBrowserMissing})`}`,
  () => {
    const app = startApp();
    let target: Target;
    let proxy: Proxy;
    let tab: Bun.WebView;
    let ada: Person;
    beforeAll(async () => {
      target = await startTarget({ env: { ...calm, ...settingsOf("One host with nginx") }, shared: true });
      ada = await createPeople(target.url).register("ada");
      proxy = await startProxyWith("nginx", (places) => nginxAsking(places, { gatehouse: target.port, app: app.port }));
      tab = openTab({ "app.example.com": proxy });
    }, limitMs);
    afterAll(async () => {
      tab.close();
      Bun.WebView.closeAll();
      await proxy.stop();
      await target.stop();
      app.stop();
    });

    test("E-02 a browser is led to the account pages to sign in, and back to the page of the app", async () => {
      const page = readPage(tab);
      await goTo(tab, "https://app.example.com/reports?month=2026-01");
      await page.until("the sign-in", async () => (await page.ask("document.activeElement?.name")) === "login");
      expect(await page.ask("location.pathname")).toBe("/login");
      expect(app.take()).toEqual([]);
      await tab.type(ada.email);
      await tab.press("Tab");
      await tab.click("[name=password]");
      await tab.type(ada.password);
      await tab.press("Enter");
      await page.until("the app", async () => (await page.text()) === "the app");
      expect(await page.ask("location.pathname + location.search")).toBe("/reports?month=2026-01");
    });
  },
);
