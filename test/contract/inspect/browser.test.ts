import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { inWords } from "../../../src/inspect/pages/reasons.ts";
import { openRows } from "../../support/rows.ts";
import { askBrowser, chromiumMissing, goTo, openPlainTab, type PageReader, readPage } from "../../support/chromium.ts";
import type { Target } from "../../support/target.ts";
import { lighthouseSecret, startRecording, type Operator } from "./lighthouse.fixture.ts";
import { everyReason, provoker, type Provoke } from "./reasons.fixture.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];

describe.skipIf(chromiumMissing !== undefined)(
  `Lighthouse in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let target: Target;
    let operator: Operator;
    let provoke: Provoke;
    let tab: Bun.WebView;
    let ask: PageReader["ask"];
    let until: PageReader["until"];
    let bodyText: PageReader["text"];
    beforeAll(async () => {
      ({ target, operator } = await startRecording({ env: { APP_DEBUG: "true" } }));
      provoke = provoker(target);
      tab = openPlainTab({ width: 1200, height: 900 });
      ({ ask, until, text: bodyText } = readPage(tab));
    }, 120_000);
    afterAll(async () => {
      tab.close();
      Bun.WebView.closeAll();
      await target.stop();
    });

    /** Opens a page, and waits until the browser has drawn it. */
    async function go(path: string): Promise<void> {
      await goTo(tab, `${target.url}${path}`);
      const there = `location.pathname + location.search === ${JSON.stringify(path)} && document.readyState === "complete"`;
      await until(path, async () => !tab.loading && (await ask(there)) === true);
    }
    async function picture(name: string): Promise<void> {
      if (pictures !== undefined) await Bun.write(join(pictures, `${name}.png`), await tab.screenshot());
    }
    const overflow = (): Promise<unknown> =>
      ask("document.documentElement.scrollWidth - document.documentElement.clientWidth");

    test("an operator signs in with the keyboard alone", async () => {
      await goTo(tab, `${target.url}/lighthouse`);
      await until("the form", async () => (await ask("document.activeElement?.name")) === "secret");
      await picture("sign-in");
      await tab.type(lighthouseSecret);
      await tab.press("Enter");
      await until("the list", async () => (await ask("document.querySelector('h1')?.textContent")) === "Inspects");
      await until("the whole page", async () => (await ask("document.readyState")) === "complete");
      expect(await ask("document.cookie")).toBe("");
      await tab.press("Tab");
      expect(await ask("document.activeElement.textContent.trim()")).toBe("Skip to the content");
    });

    const pages = new Map<string, { readonly path: string; readonly agent: string }>();

    test("the list shows refused requests as they come, with the reason in plain words", async () => {
      for (const reason of everyReason) {
        const { agent } = await provoke(reason);
        const { id } = await operator.find(`text=${encodeURIComponent(agent)}`);
        pages.set(reason, { path: `/lighthouse/inspects/${id}`, agent });
      }
      for (const [reason, { path }] of pages) {
        const link = `document.querySelector('a[href="${path}"]')`;
        // The list reloads itself.
        await until(`the row of ${reason}`, async () => (await ask(`${link} !== null`)) === true);
        const row = String(await ask(`${link}.closest("tr").innerText`));
        expect(row).toContain(reason);
        expect(row).toContain(inWords(reason) ?? "?");
      }
      await picture("list");
    });

    test.each(everyReason)("the page of a request refused for %s says why", async (reason) => {
      const { path, agent } = pages.get(reason) ?? { path: "", agent: "" };
      await go(path);
      const text = await bodyText();
      expect(text).toContain(inWords(reason) ?? "?");
      expect(text).toContain("request_auth_failed");
      expect(text).toContain(agent);
      await picture(reason);
    });

    test("a list that can't be brought up to date says so", async () => {
      await go("/lighthouse");
      const state = "document.querySelector('label.live').innerText.trim()";
      expect(await ask(state)).toBe("Live");
      await ask("void (window.asked = window.fetch, window.fetch = () => Promise.reject(new Error('gone')))");
      await until("the notice", async () => (await ask(state)) === "Live: no answer");
      await ask("void (window.fetch = window.asked)");
      await until("its end", async () => (await ask(state)) === "Live");
    });

    test("filters keep what is asked for", async () => {
      await go("/lighthouse");
      await tab.click("input[name=text]");
      await tab.type("session_idle_expired");
      await tab.press("Enter");
      const rows = "document.querySelectorAll('.records tbody tr').length";
      const filtered = `location.search.includes("text=session_idle_expired") && ${rows}`;
      await until("the filtered list", async () => (await ask(filtered)) === 1);
      await until("the whole page", async () => (await ask("document.readyState")) === "complete");
      await picture("filtered");
    });

    test("nothing on the pages breaks their own policy", async () => {
      for (const page of ["/lighthouse", "/lighthouse/runtime"]) {
        await go(page);
        // The style sheet has been loaded, and the script has run.
        expect(await ask("getComputedStyle(document.querySelector('header')).display")).toBe("flex");
        const loaded = await ask("JSON.stringify(performance.getEntriesByType('resource').map(({ name }) => name))");
        expect(String(loaded).replaceAll(target.url, "")).not.toContain("http");
      }
      await picture("runtime");
    });

    test("the bars of a waterfall stand where the time went", async () => {
      const register = await operator.find("name=register");
      await go(`/lighthouse/inspects/${register.id}`);
      const bars = await ask("document.querySelectorAll('.bar .span').length");
      expect(bars).toBe(register.events.length);
      const widths = String(
        await ask(
          "JSON.stringify([...document.querySelectorAll('.bar .span')].map((bar) => bar.getBoundingClientRect().width))",
        ),
      );
      expect(JSON.parse(widths)).not.toContain(0);
      await picture("waterfall");
    });

    test("on a phone nothing has to be scrolled sideways, in the dark neither", async () => {
      const inspect = await operator.find("name=register");
      await tab.resize(390, 844);
      for (const scheme of ["light", "dark"]) {
        await askBrowser(tab, "Emulation.setEmulatedMedia", {
          features: [{ name: "prefers-color-scheme", value: scheme }],
        });
        for (const [name, page] of [
          ["list", "/lighthouse"],
          ["one", `/lighthouse/inspects/${inspect.id}`],
          ["runtime", "/lighthouse/runtime"],
        ] as const) {
          await go(page);
          expect([page, await overflow()]).toEqual([page, 0]);
          await picture(`phone-${scheme}-${name}`);
        }
      }
      const rows = openRows(target.databasePath);
      rows.run(
        `insert into jobs (id, queue, name, payload, state, attempts, max_attempts, available_at, created_at, finished_at, last_error)
         values ('0197a000-0000-7000-8000-000000000001', 'default', 'auth:send-notice', '{}', 'dead', 8, 8, 1, 1, 1, ?)`,
        `the letter was lost: ${"x".repeat(200)}`,
      );
      rows.close();
      await go("/lighthouse/runtime");
      const button = "document.querySelector('button[aria-label^=Retry]').getBoundingClientRect().right";
      expect(await ask(`${button} > 0 && ${button} <= innerWidth`)).toBe(true);
      await picture("phone-failed-job");
      const background = await ask("getComputedStyle(document.body).backgroundColor");
      expect(background).toBe("rgb(18, 20, 19)");
    });
  },
);
