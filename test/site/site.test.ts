import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { variables } from "../../src/config/index.ts";
import { commands } from "../../src/cli/table.ts";
import { errors } from "../../src/core/errors.ts";
import { topics } from "../../src/core/topics.ts";
import { families } from "../../src/observe/metrics/families.ts";
import { findBarriers } from "../support/axe.ts";
import { askBrowser, chromiumMissing, goTo, openPlainTab, readPage, showOn } from "../support/chromium.ts";
import { buildLimitMs, serveManual } from "./site.fixture.ts";

let site: Awaited<ReturnType<typeof serveManual>>;
beforeAll(async () => {
  site = await serveManual();
}, buildLimitMs);
afterAll(() => site?.stop());

const read = (page: string): Promise<string> => Bun.file(join(site.folder, page)).text();
const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(([, value = ""]) => value.replaceAll("&amp;", "&"));

describe("the site of the manual", () => {
  test("every link inside leads to a page that is there, and to a place on it", async () => {
    expect(site.pages.length).toBeGreaterThan(40);
    const texts = new Map(await Promise.all(site.pages.map(async (page) => [page, await read(page)] as const)));
    const astray: string[] = [];
    for (const [page, html] of texts) {
      for (const target of attributes(html, "href")) {
        if (/^[a-z]+:/.test(target)) continue;
        const { pathname, hash } = new URL(target, `http://site/docs/${page}`);
        const name = pathname.replace(/^\/docs\//, "");
        const file = name === "" || name.endsWith("/") ? `${name}index.html` : name;
        const anchor = decodeURIComponent(hash.slice(1));
        const isThere = pathname.startsWith("/docs/") && existsSync(join(site.folder, file));
        if (!isThere || (anchor !== "" && !(texts.get(file) ?? "").includes(` id="${anchor}"`)))
          astray.push(`${page}: ${target}`);
      }
    }
    expect(astray).toEqual([]);
  });

  test("nothing is loaded from another host", async () => {
    const outside: string[] = [];
    for (const page of site.pages) {
      const html = await read(page);
      const loaded = [...html.matchAll(/<(?:script|img|link|iframe|source)\b[^>]*\s(?:src|href)="([^"]+)"/g)];
      outside.push(...loaded.map(([, target = ""]) => target).filter((target) => /^(?:[a-z]+:)?\/\//.test(target)));
    }
    for (const path of new Bun.Glob("**/*.{css,js}").scanSync({ cwd: site.folder })) {
      const text = await read(path);
      const named = [...text.matchAll(/(?:url\(|import\s*\(?\s*|fetch\()["'`]?(https?:\/\/[^"'`)]+)/g)];
      outside.push(...named.map(([, target = ""]) => target));
    }
    expect(outside).toEqual([]);
  });

  test("the reference has everything that the code has", async () => {
    const has = async (page: string, names: readonly string[]) => {
      const html = (await read(join(page, "index.html"))).replaceAll("&#x3C;", "<").replaceAll("&lt;", "<");
      return names.filter((name) => !html.includes(name.replaceAll(">", "&gt;")) && !html.includes(name));
    };
    expect(
      await has(
        "reference/variables",
        variables.map(({ name }) => name),
      ),
    ).toEqual([]);
    expect(await has("code/commands", [...commands.keys()])).toEqual([]);
    expect(await has("code/refusals", Object.keys(errors))).toEqual([]);
    expect(await has("code/events", Object.keys(topics))).toEqual([]);
    expect(await has("code/metrics", Object.keys(families))).toEqual([]);
    expect(
      await has("code/routes", ["POST /api/v1/auth/login", "GET /api/v1/auth/verify", "invalid_credentials"]),
    ).toEqual([]);
  });
});

describe.skipIf(chromiumMissing !== undefined)(
  `the site in a browser${chromiumMissing === undefined ? "" : ` (needs chromium: ${chromiumMissing})`}`,
  () => {
    test(
      "no page has a barrier, light and dark, on a desk and on a phone, and the scripts in pages are permitted",
      async () => {
        const tab = openPlainTab({ width: 1280, height: 900 });
        const page = readPage(tab);
        const found: unknown[] = [];
        // One page of every folder, and the longest with code.
        const folders = new Map(site.pages.map((path) => [path.split("/")[0], path]));
        for (const path of new Set([...folders.values(), "apps/proxies/index.html"])) {
          await goTo(tab, `${site.url}/docs/${path.replace(/index\.html$/, "")}`);
          for (const [width, scheme, rules] of [
            [1280, "light", "all"],
            [390, "light", "all"],
            [390, "dark", "colours"],
            [1280, "dark", "colours"],
          ] as const) {
            await showOn(tab, width, scheme);
            // The page follows the scheme by a script that stands in it.
            const theme = () => page.ask("document.documentElement.dataset.theme");
            await page.until("the scheme", async () => (await theme()) === scheme);
            const barriers = await findBarriers(page, rules);
            found.push(...barriers.map((barrier) => `${path} ${width} ${scheme}: ${String(barrier)}`));
            const wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
            if ((await page.ask(wide)) === true) found.push(`${path} ${width}: wider than the screen`);
          }
        }
        expect(found).toEqual([]);
        tab.close();
      },
      buildLimitMs,
    );

    test("the search opens by its key, finds while one types, and leads to the section", async () => {
      const tab = openPlainTab({ width: 1280, height: 900 });
      const page = readPage(tab);
      await goTo(tab, `${site.url}/docs/`);
      await page.until(
        "the search",
        async () => (await page.ask("customElements.get('site-search') !== undefined")) === true,
      );
      await page.ask("dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))");
      expect(await page.ask("document.querySelector('site-search dialog').open")).toBe(true);
      await askBrowser(tab, "Input.insertText", { text: "passkeys" });
      await page.until(
        "a result",
        async () => Number(await page.ask("document.querySelectorAll('site-search li').length")) > 0,
      );
      expect(await findBarriers(page)).toEqual([]);
      expect(String(await page.ask("document.querySelector('site-search li a').innerText"))).toStartWith("Passkeys");
      await page.ask("document.querySelector('site-search form').requestSubmit()");
      await page.until("the section", async () =>
        String(await page.ask("location.href")).endsWith("/docs/people/factors/#passkeys"),
      );
      tab.close();
    }, 60_000);
  },
);
