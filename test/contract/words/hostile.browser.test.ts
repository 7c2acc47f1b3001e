import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chromiumMissing, openPlainTab } from "../../support/chromium.ts";
import { createClient } from "../../support/client.ts";
import { sharedFolder } from "../../support/folder.ts";
import { plainWords } from "../../support/hostile.words.names.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";

const words = join(sharedFolder(), "words");
mkdirSync(words);
/** Words that the page of sign-in shows in its elements and attributes, in both apps but the last ones. */
const keys = [
  "pages.titles.signIn",
  "pages.fields.login",
  "pages.fields.password",
  "pages.fields.remember",
  "pages.signIn.submit",
  "pages.signIn.forgot",
  "pages.signIn.newHere",
  "pages.password.show",
];
const languages = ["cs", "da", "et", "fi", "hr", "hu", "is", "lt", "lv", "nb", "ro", "sk"];
const spread = languages.map((language, index) => {
  const texts = plainWords.slice(index * keys.length, (index + 1) * keys.length);
  return { language, texts, table: Object.fromEntries(texts.map((text, at) => [keys[at] ?? "", text])) };
});
for (const { language, table } of spread) writeFileSync(join(words, `${language}.json`), JSON.stringify(table));

const { target } = await stage({ env: { WORDS_PATH: words } });

test("J-03 every text that is taken finds room in these languages", () => {
  expect(spread.flatMap(({ texts }) => texts)).toEqual([...plainWords]);
});

test("J-03 pages that the server writes have it as text alone", async () => {
  const admin = await startTarget({
    app: "admin",
    migrate: false,
    env: { DB_DATABASE: target.databasePath, WORDS_PATH: words },
  });
  const client = createClient(admin.url);
  for (const { language, table } of spread) {
    const { text } = await client.get("/login", { headers: { "accept-language": language } });
    for (const key of keys.slice(0, 6)) {
      const own = table[key];
      if (own !== undefined) expect(text).toContain(`>${Bun.escapeHTML(own)}<`);
    }
  }
  await admin.stop();
});

describe.skipIf(chromiumMissing !== undefined)(
  `hostile words in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let visitor: Visitor;
    beforeAll(async () => {
      visitor = await createVisitor(openPlainTab({ width: 1280, height: 900 }));
    }, 120_000);
    afterAll(() => {
      visitor.tab.close();
      Bun.WebView.closeAll();
    });

    test("J-03 stand on the page of sign-in as they were written, and nothing of them runs or leads anywhere", async () => {
      for (const { language, texts } of spread.filter((each) => each.texts.length > 0)) {
        await visitor.open(`${target.url}/login?ui_locales=${language}`, texts[0] ?? "");
        const said: unknown = await visitor.ask(
          "[...document.querySelectorAll('h1, label, button, a, p, span')].flatMap((each) => [each.textContent, each.textContent.trim(), ...[...each.childNodes].map((node) => node.textContent.trim())])",
        );
        expect(said).toEqual(expect.arrayContaining([...texts]));
        expect(await visitor.ask("document.querySelectorAll('[onmouseover], [onfocus], [onclick]').length")).toBe(0);
        expect(await visitor.ask("document.title")).toContain(texts[0] ?? "");
      }
      expect(visitor.takeComplaints()).toEqual([]);
      const strangers = visitor
        .takeRequests()
        .filter((url) => !url.startsWith(target.url) && !/^(?:data|about):/.test(url));
      expect(strangers).toEqual([]);
    }, 120_000);
  },
);
