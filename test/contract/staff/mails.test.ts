import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { notices } from "../../../src/auth/mail/notices.ts";
import { chromiumMissing, showOn } from "../../support/chromium.ts";
import { sharedFolder } from "../../support/folder.ts";
import { stage } from "../../support/stage.ts";
import { createStaff, textOf } from "../../support/staff.ts";
import type { Visitor } from "../../support/visitor.ts";
import { visitAsStaff } from "./visitor.fixture.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
const folder = sharedFolder();
const words = join(folder, "words");
mkdirSync(words);
const own = '"Klicka" & välj';
writeFileSync(
  join(words, "is.json"),
  JSON.stringify({
    "mails.letters.reset_link.button": own,
    "mails.letters.reset_link.subject": "Nýtt lykilorð fyrir {product}",
  }),
);
const { target, rows } = await stage({ app: "admin", env: { WORDS_PATH: words, APP_DISPLAY_NAME: "Skútan" } });
const staff = createStaff(target.url, rows);
const path = "/mail-previews";

describe("the pages of mails", () => {
  test("list every mail that is sent, in each language, and show it as text and in a frame", async () => {
    const { visitor } = await staff.add("grace", "auditor");
    const list = await visitor.get(`${path}?language=is`);
    expect(list.status).toBe(200);
    for (const name of [...notices, "reset_link", "email_login_link", "organization_from_link", "first_totp_added"])
      expect(list.text).toContain(`href="${path}/${name}?language=is"`);
    expect(textOf(list)).toContain("Nýtt lykilorð fyrir Skútan");
    expect(textOf(list)).toContain("Your password for Skútan was changed");
    for (const language of ["English", "German", "Icelandic"]) expect(textOf(list)).toContain(language);
    const names = [...list.text.matchAll(/mail-previews\/(\w+)\?/g)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(35);
    for (const name of names) {
      const page = await visitor.get(`${path}/${name}?language=is`);
      expect([name, page.status]).toEqual([name, 200]);
      expect(page.text).toContain(
        `<iframe class="card mail" title="The mail as HTML" src="${path}/${name}/html?language=is" sandbox=""`,
      );
      expect(page.text).not.toMatch(/\{\w+\}/);
    }
  });

  test("J-06 the frame runs, loads and leads to nothing, and only pages of this app may have it", async () => {
    const { visitor } = await staff.add("grace", "auditor");
    const frame = await visitor.get(`${path}/reset_link/html?language=is`);
    expect([frame.status, frame.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const policy = frame.headers.get("content-security-policy")?.split("; ") ?? [];
    expect(policy).toEqual([
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      "sandbox",
    ]);
    expect(frame.headers.get("cache-control")).toBe("no-store");
    expect(frame.text).toContain(Bun.escapeHTML(own));
    expect(frame.text).toContain("reset-password?token=SAMPLE");
  });

  test("know no other names and languages", async () => {
    const { visitor } = await staff.add("grace", "admin");
    for (const name of ["constructor", "__proto__", "reset_links"])
      for (const more of ["", "/html"]) expect((await visitor.get(`${path}/${name}${more}`)).status).toBe(404);
    const other = await visitor.get(`${path}/reset_link?language=constructor`);
    expect([other.status, textOf(other).includes("Reset your password for Skútan")]).toEqual([200, true]);
  });
});

describe.skipIf(chromiumMissing !== undefined)(
  `the pages of mails in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let visitor: Visitor;
    beforeAll(async () => {
      const { email, password } = await staff.add("grace", "admin");
      visitor = await visitAsStaff(target.url, { email, password });
    }, 120_000);
    afterAll(() => {
      visitor.tab.close();
      Bun.WebView.closeAll();
    });

    async function look(name: string): Promise<void> {
      await visitor.expectNoBarriers(name);
      if (pictures !== undefined)
        for (const width of [1280, 390]) {
          await showOn(visitor.tab, width, width === 390 ? "dark" : "light");
          await Bun.write(join(pictures, `${name}-${width}.png`), await visitor.tab.screenshot());
        }
      await showOn(visitor.tab, 1280, "light");
    }

    test("one is found by its subject and shown as people get it, without a complaint of the browser", async () => {
      await visitor.open(`${target.url}/`, "Dashboard");
      await visitor.press("Mails");
      await visitor.shows("Mails");
      await visitor.press("Icelandic");
      await visitor.says("Nýtt lykilorð fyrir Skútan");
      await look("mails");
      await visitor.press("Nýtt lykilorð fyrir Skútan");
      await visitor.shows("Nýtt lykilorð fyrir Skútan");
      await visitor.says(own);
      await look("mail");
      // A frame without an origin of its own tells the page around it nothing, so that its height stands for its having been shown.
      const frame = "document.querySelector('iframe')";
      expect(await visitor.ask(`${frame}.contentDocument === null && ${frame}.clientHeight > 300`)).toBe(true);
      expect(visitor.takeRequests().some((url) => url.endsWith("/mail-previews/reset_link/html?language=is"))).toBe(
        true,
      );
      expect(visitor.takeComplaints()).toEqual([]);
    });
  },
);
