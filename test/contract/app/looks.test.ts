import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStart } from "../../../src/cli/app/start.ts";
import { findBarriers } from "../../support/axe.ts";
import { chromiumMissing, goTo, openPlainTab, readPage, showOn, type PageReader } from "../../support/chromium.ts";
import { createClient } from "../../support/client.ts";
import { providerOn } from "../idp/idp.fixture.ts";
import { definitions } from "../../support/definitions.ts";
import { testEnvironment } from "../../support/environment.ts";
import { manual } from "../../support/manual.ts";
import { startTarget, type Target } from "../../support/target.ts";
import { makeFont, widthOfLetter } from "../../support/woff2.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];

const folder = mkdtempSync(join(tmpdir(), "gatehouse-looks-"));
afterAll(() => rm(folder, { recursive: true }));
const [font, sheet] = [join(folder, "font.woff2"), join(folder, "colours.css")];
writeFileSync(font, makeFont());
// The example of the manual, which has to be good for a start.
writeFileSync(sheet, /^```css\n(:root [^]*?|\/\*[^]*?)^```$/m.exec(manual)?.[1] ?? "");
const look = { APP_FONT_PATH: font, APP_TOKENS_PATH: sheet, APP_RADIUS: "20", APP_DISPLAY_NAME: "Ada's Shop" };
const pages = {
  ...look,
  ...providerOn,
  API_DOCS_ENABLED: "true",
  LIGHTHOUSE_SECRET: "a lighthouse of this test, long enough",
  LIGHTHOUSE_INSPECT_ENABLED: "true",
};
/** Every kind of page that strangers reach, each made by another room. */
const paths = ["/login", "/device", "/lighthouse/sign-in", "/openapi", "/nowhere"] as const;

const policyOf = (headers: Headers): string => headers.get("content-security-policy") ?? "";

describe("the looks that an operator has chosen", () => {
  test("A-15 the font is served for good at a path with its hash, from this host alone, and asked for at once", async () => {
    const target = await startTarget({ env: look });
    const client = createClient(target.url);
    const { text, headers } = await client.get("/login", { headers: { accept: "text/html" } });
    const [, path = ""] =
      /<link rel="preload" as="font" type="font\/woff2" href="([^"]+)" crossorigin="">/.exec(text) ?? [];
    expect(path).toMatch(/^\/brand\/font\.[\da-f]{16}\.woff2$/);
    expect(text).toContain(`src:url("${path}") format("woff2");font-weight:normal;font-display:swap`);
    expect(policyOf(headers)).toContain("font-src 'self'");
    const served = await fetch(`${target.url}${path}`);
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(makeFont());
    expect([served.headers.get("content-type"), served.headers.get("cache-control")]).toEqual([
      "font/woff2",
      "public, max-age=31536000, immutable",
    ]);
    const older = await client.get("/brand/font.0000000000000000.woff2");
    expect([older.status, older.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    expect((await client.get("/brand/logo.0000000000000000.svg")).status).toBe(404);
    await target.stop();
  });

  test("without them no page has a style of its own, nor may load a font", async () => {
    const target = await startTarget({ env: { API_DOCS_ENABLED: "true" } });
    for (const path of ["/login", "/nowhere", "/openapi"]) {
      const { text, headers } = await createClient(target.url).get(path, { headers: { accept: "text/html" } });
      expect([path, policyOf(headers).includes("font-src"), text.includes("@font-face")]).toEqual([path, false, false]);
    }
    expect((await createClient(target.url).get("/login")).text).not.toContain("<style>");
    await target.stop();
  });

  test("a page that stands alone carries a small font, and does without a large one", async () => {
    const large = join(folder, "large.woff2");
    writeFileSync(large, makeFont({ noise: 80 * 1024 }));
    for (const [path, holds] of [
      [font, true],
      [large, false],
    ] as const) {
      const target = await startTarget({ env: { ...look, APP_FONT_PATH: path, APP_MAINTENANCE_ENABLED: "true" } });
      const page = await createClient(target.url).get("/", { headers: { accept: "text/html" } });
      expect([page.status, page.text.includes('src:url("data:font/woff2;base64,')]).toEqual([503, holds]);
      expect(page.text).not.toContain('url("/');
      expect(policyOf(page.headers).includes("font-src data:")).toBe(holds);
      expect(page.text).toContain("--ground:#fdf6e3");
      expect(page.text).toContain("--control-corner:1.25rem");
      await target.stop();
    }
  });

  test("A-13 A-14 A-15 a start refuses what can't be used, by its variable, line and reason", async () => {
    const start = (env: Record<string, string>) => {
      const silent = () => undefined;
      const readSecret = () => Promise.resolve("");
      return readStart(definitions.app, {
        env: { ...testEnvironment(folder), ...env },
        out: silent,
        err: silent,
        readSecret,
      });
    };
    const bad = join(folder, "bad.css");
    writeFileSync(bad, ":root {\n  --text: #999;\n}\n");
    expect(start({ APP_TOKENS_PATH: bad })).rejects.toThrow(
      "APP_TOKENS_PATH line 2: on light pages --text #999999 has a contrast of 2.6:1 to --ground #f7f7f5, where 7:1 is needed; the nearest colour that has it is #",
    );
    expect(start({ APP_TOKENS_PATH: font })).rejects.toThrow("APP_TOKENS_PATH must be a style sheet in UTF-8");
    expect(start({ APP_TOKENS_PATH: sheet, APP_ACCENT_COLOR: "#0f6b4f" })).rejects.toThrow(
      "APP_TOKENS_PATH line 8: --accent and APP_ACCENT_COLOR are both given: keep one",
    );
    expect(start({ APP_FONT_PATH: sheet })).rejects.toThrow("APP_FONT_PATH must be a WOFF2 file");
    for (const radius of ["-1", "25", "8px", "none", "1.5"])
      expect(start({ APP_RADIUS: radius })).rejects.toThrow("APP_RADIUS must be a whole number from 0 to 24");
    expect(start({ APP_THEME: "sepia" })).rejects.toThrow("APP_THEME must be one of auto, light, dark");
    expect((await start(look)).config.app).toMatchObject({ theme: "auto", radius: 20, fontPath: font });
  });
});

describe.skipIf(chromiumMissing !== undefined)(
  `the looks in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    const targets = new Map<string, Target>();
    let tab: Bun.WebView;
    let page: PageReader;
    beforeAll(async () => {
      for (const theme of ["auto", "light", "dark"])
        targets.set(theme, await startTarget({ env: { ...pages, APP_THEME: theme } }));
      targets.set("staff", await startTarget({ app: "admin", env: { ...look, APP_THEME: "dark" } }));
      tab = openPlainTab({ width: 1280, height: 900 });
      await goTo(tab, "about:blank");
      page = readPage(tab);
    }, 120_000);
    afterAll(async () => {
      tab.close();
      Bun.WebView.closeAll();
      for (const target of targets.values()) await target.stop();
    });

    const ground = { light: "rgb(253, 246, 227)", dark: "rgb(11, 16, 32)" } as const;

    /** Opens a page on a device in that scheme, and returns what the browser has made of it. */
    async function seen(of: string, path: string, scheme: "light" | "dark", width = 1280): Promise<unknown> {
      await showOn(tab, width, scheme);
      await goTo(tab, `${targets.get(of)?.url}${path}`);
      await page.until("the text", async () => (await page.ask("document.querySelector('h1') !== null")) === true);
      await page.until("the font", async () => (await page.ask("document.fonts.status")) === "loaded");
      if (pictures !== undefined)
        await Bun.write(
          join(pictures, `${of}${path.replaceAll("/", "-")}-${scheme}-${width}.png`),
          await tab.screenshot(),
        );
      return page.ask(`(() => {
        const span = document.body.appendChild(document.createElement("span"));
        span.textContent = "abcde";
        span.style.fontSize = "10px";
        const letter = span.getBoundingClientRect().width / 50;
        span.remove();
        const style = getComputedStyle(document.body);
        const card = document.querySelector(".card");
        return {
          ground: style.backgroundColor,
          scheme: getComputedStyle(document.documentElement).colorScheme,
          letter,
          corner: card === null ? undefined : getComputedStyle(card).borderTopLeftRadius,
          excess: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        };
      })()`);
    }

    test.each(paths)("are those of %s, whatever the device is set to", async (path) => {
      for (const device of ["light", "dark"] as const)
        for (const theme of ["auto", "light", "dark"] as const) {
          const shown = theme === "auto" ? device : theme;
          const found = await seen(theme, path, device, device === "light" ? 1280 : 390);
          expect([theme, device, found]).toEqual([
            theme,
            device,
            expect.objectContaining({
              ground: ground[shown],
              scheme: theme === "auto" ? "light dark" : `only ${theme}`.replace(/^only (.*)$/, "$1 only"),
              letter: widthOfLetter,
            }),
          ]);
        }
    });

    test("are those of the pages for staff", async () => {
      const shown = { ground: ground.dark, letter: widthOfLetter, corner: "24px", excess: 0 };
      expect(await seen("staff", "/login", "light")).toMatchObject(shown);
      expect(await findBarriers(page)).toEqual([]);
    });

    test("leave axe nothing to find in either scheme, and fit a phone", async () => {
      for (const scheme of ["light", "dark"] as const) {
        expect(await seen("auto", "/login", scheme, 390)).toMatchObject({ corner: "24px", excess: 0 });
        expect(await findBarriers(page)).toEqual([]);
      }
    });
  },
);
