import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { auth, calm } from "../../support/auth.ts";
import { findBarriers } from "../../support/axe.ts";
import {
  askBrowser,
  chromiumMissing,
  goTo,
  openPlainTab,
  readPage,
  showOn,
  type PageReader,
} from "../../support/chromium.ts";
import { createClient, type Client } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { makePng } from "../../support/png.ts";
import { startTarget, type Target } from "../../support/target.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
const ada = { email: "ada@example.test", password: "a long walk by the sea" };

describe.skipIf(chromiumMissing !== undefined)(
  `the mails of a developer's machine in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-mails-"));
    let target: Target;
    let client: Client;
    let tab: Bun.WebView;
    let page: PageReader;
    beforeAll(async () => {
      const logo = join(folder, "logo.png");
      writeFileSync(logo, makePng(160, 80, [107, 33, 168]));
      const local = { APP_ENV: "local", AUTH_EMAIL_LOGIN_ENABLED: "true", LIGHTHOUSE_INSPECT_ENABLED: "false" };
      target = await startTarget({ env: { ...calm, ...local, APP_LOGO_PATH: logo } });
      client = createClient(target.url);
      await client.post(auth("register"), ada);
      await mails(1);
      await client.post(auth("email-login/request"), { login: ada.email });
      await mails(2);
      tab = openPlainTab({ width: 1280, height: 900 });
      await goTo(tab, "about:blank");
      page = readPage(tab);
    }, 120_000);
    afterAll(async () => {
      tab.close();
      Bun.WebView.closeAll();
      await target.stop();
      await rm(folder, { recursive: true });
    });

    /** Waits for that many mails, and returns their paths, the newest first. */
    async function mails(count: number): Promise<readonly string[]> {
      const paths = async () =>
        [...(await client.get("/mails")).text.matchAll(/href="(\/mails\/[\da-f-]{36})"/g)].map(([, path = ""]) => path);
      await eventually(`${count} mails`, async () => (await paths()).length === count);
      return paths();
    }

    async function open(path: string, width: number, scheme: "light" | "dark"): Promise<void> {
      await showOn(tab, width, scheme);
      await goTo(tab, `${target.url}${path}`);
      const isWhole = `(() => {
        const frame = document.querySelector("iframe");
        const mail = frame?.contentDocument?.querySelector(".product");
        return mail !== null && mail !== undefined || frame?.checkVisibility() === false;
      })()`;
      await page.until("the mail", async () => (await page.ask(isWhole)) === true);
      await page.until("the end of the load", async () => (await page.ask("document.readyState")) === "complete");
      if (pictures === undefined) return;
      const name = `mails${path === "/mails" ? "" : "-one"}-${width}-${scheme}`;
      await Bun.write(join(pictures, `${name}.png`), await tab.screenshot());
    }

    /** What is cut off: how far the page is wider than the screen, and the mail wider or higher than its frame. */
    const cutOff = (): Promise<unknown> =>
      page.ask(`(() => {
        const excess = (element) => element.scrollWidth - element.clientWidth;
        const frame = document.querySelector("iframe");
        const mail = frame.contentDocument.documentElement;
        return [excess(document.documentElement), excess(mail), mail.scrollHeight - frame.clientHeight];
      })()`);
    const isShown = (selector: string): Promise<unknown> =>
      page.ask(`document.querySelector(${JSON.stringify(selector)}).checkVisibility()`);

    test.each([
      [1280, "light"],
      [1280, "dark"],
      [390, "light"],
      [390, "dark"],
      [320, "light"],
    ] as const)("are shown whole at %d pixels, %s, and axe finds nothing", async (width, scheme) => {
      const [newest = ""] = await mails(2);
      await open(newest, width, scheme);
      await page.until("the frame's height", async () => String(await cutOff()) === "0,0,0");
      expect([await isShown(".mail"), await isShown(".list")]).toEqual([true, width > 960]);
      expect(await page.ask("document.querySelector('iframe').contentDocument.querySelector('img').naturalWidth")).toBe(
        160,
      );
      expect(await findBarriers(page)).toEqual([]);
      await open("/mails", width, scheme);
      expect([await isShown(".mail"), await isShown(".list")]).toEqual([width > 960, true]);
      expect(await page.ask("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
    });

    test("stay whole when the window changes its width", async () => {
      const [newest = ""] = await mails(2);
      await open(newest, 1280, "light");
      await showOn(tab, 390, "light");
      await page.until("the new height", async () => String(await cutOff()) === "0,0,0");
      await showOn(tab, 1280, "light");
      await page.until("the height of before", async () => String(await cutOff()) === "0,0,0");
    });

    test("give code, link and text to whoever wants to type or open them, by a press of a button", async () => {
      const origin = new URL(target.url).origin;
      await askBrowser(tab, "Browser.grantPermissions", {
        origin,
        permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"],
      });
      const [newest = ""] = await mails(2);
      await open(newest, 1280, "light");
      const copied: unknown[] = [];
      for (const label of ["Copy code", "Copy link", "Copy text"]) {
        const button = `[...document.querySelectorAll("button")].find((each) => each.textContent.startsWith(${JSON.stringify(label)}))`;
        await page.ask(`(() => { document.querySelector("#said").textContent = ""; ${button}.focus(); })()`);
        await tab.press("Enter");
        await page.until(
          "the word of it",
          async () => (await page.ask("document.querySelector('#said').textContent")) === "Copied",
        );
        copied.push(await page.ask("navigator.clipboard.readText()"));
      }
      const [code, link, text] = copied.map(String);
      expect(code).toMatch(/^\d{6}$/);
      expect(link).toMatch(/^http:\/\/localhost:\d+\/email-login\?token=[\w-]{43}$/);
      expect(text).toContain(`:\n${code}\n`);
      expect(text).toContain(`Sign in by a link:\n${link}\n`);
    });

    test("are reached by the keyboard alone, each control with a ring", async () => {
      const [newest = "", older = ""] = await mails(2);
      await open("/mails", 1280, "light");
      const focused = (): Promise<unknown> =>
        page.ask("document.activeElement.getAttribute('href') ?? document.activeElement.tagName");
      const reached: unknown[] = [];
      for (let step = 0; step < 6; step += 1) {
        await tab.press("Tab");
        reached.push(await focused());
        expect(await page.ask("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
      }
      expect(reached).toEqual(["#mail", "/", newest, older, "BUTTON", expect.stringContaining("/email-login?token=")]);
      await page.ask(`document.querySelector('a[href="${older}"]').focus()`);
      await tab.press("Enter");
      await page.until("the older mail", async () => (await page.ask("location.pathname")) === older);
      expect(await page.ask("document.querySelector('[aria-current]').getAttribute('href')")).toBe(older);
    });

    test("A-17 run no script, whatever is in them", async () => {
      const mailFolder = join(dirname(target.databasePath), "mails");
      mkdirSync(mailFolder, { recursive: true });
      const id = Bun.randomUUIDv7();
      const evil = `<!doctype html><html><head><title>x</title></head><body><p class="product">Evil</p>
        <script>top.ran = 1</script><img src="x" onerror="top.ran = 1"><a id="way" href="javascript:top.ran=1" target="_self">x</a>
        <iframe srcdoc="<script>top.ran = 1</script>"></iframe><form action="/logout" method="post"><button>x</button></form>`;
      const mail = {
        id,
        at: new Date().toISOString(),
        to: ada.email,
        subject: "<b>Evil</b>",
        text: "<b>x</b>",
        html: evil,
      };
      writeFileSync(join(mailFolder, `${id}.json`), JSON.stringify(mail));
      await open(`/mails/${id}`, 1280, "light");
      await page.ask("document.querySelector('iframe').contentDocument.querySelector('#way').click()");
      await page.until("its height", async () => String(await cutOff()) === "0,0,0");
      expect(await page.ask("[typeof ran, document.querySelector('b') === null, location.pathname].join()")).toBe(
        `undefined,true,/mails/${id}`,
      );
      await goTo(tab, `${target.url}/mails/${id}/html`);
      expect(await page.ask("typeof ran")).toBe("undefined");
    });
  },
);
