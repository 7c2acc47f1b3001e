import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWords } from "../../src/app/words/open.ts";
import { openMailPreviews } from "../../src/app/words/previews.ts";
import { loadConfig } from "../../src/config/index.ts";
import { fill } from "../../src/words/message.ts";
import { readFlatJson } from "../../src/words/own/flat.json.ts";
import { judgeWords } from "../../src/words/own/judge.ts";
import { complaintsAbout } from "../../src/words/own/rules.ts";
import { slotsOf } from "../../src/words/own/slots.ts";
import { definitions } from "../support/definitions.ts";
import { testEnvironment } from "../support/environment.ts";
import { createRecordingLog } from "../support/log.ts";
import { hostileMarkup } from "../support/hostile.words.ts";
import { hostileNames, plainWords as plain } from "../support/hostile.words.names.ts";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-hostile-"));
afterAll(() => rmSync(folder, { recursive: true }));
const loaded = loadConfig({
  app: definitions.app,
  env: { ...testEnvironment(folder), API_JWT_SECRET_KEY: "s".repeat(40), APP_KEY: "k".repeat(40), WORDS_PATH: folder },
});
if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
const { config } = loaded;

const texts = Object.values({ ...hostileMarkup, ...hostileNames }).flat();
const letter = "mails.letters.reset_link";
/** The places that a text is tried in: a subject, which has to name the product, a sentence, a button, and a page. */
const places = (text: string): Readonly<Record<string, string>> => ({
  [`${letter}.subject`]: `${text} {product}`,
  [`${letter}.otherwise`]: text,
  [`${letter}.button`]: text,
  "service.absent.title": text,
});
const fileOf = (table: Readonly<Record<string, string>>): string => JSON.stringify(table, undefined, 2);

test("there are two hundred hostile texts and more, each of them once", () => {
  expect(texts.length).toBeGreaterThanOrEqual(200);
  expect(new Set(texts).size).toBe(texts.length);
});

describe("J-02 of hostile texts", () => {
  test("all but plain ones are refused as a sentence, and what is refused is named by its key and line in every place", () => {
    const taken: string[] = [];
    const unnamed: unknown[] = [];
    for (const text of texts) {
      const { complaints, table } = judgeWords("en", fileOf(places(text)));
      for (const [index, key] of Object.keys(places(text)).entries()) {
        const own = complaints.filter(({ line }) => line === index + 2);
        const isNamed = own.length > 0 && own.every(({ says }) => says.startsWith(`${key} `));
        // A text is taken or refused, and never both or neither.
        if (Object.hasOwn(table, key) ? own.length > 0 : !isNamed) unnamed.push({ text, key, own });
      }
      if (Object.hasOwn(table, `${letter}.otherwise`)) taken.push(text);
    }
    expect(unnamed).toEqual([]);
    expect(taken.toSorted()).toEqual(plain.toSorted());
  });

  test("no complaint repeats what a terminal or a log would obey, nor much of the text", () => {
    const wrong = texts.flatMap((text) =>
      judgeWords("en", fileOf(places(text))).complaints.filter(
        ({ says }) => /[\p{C}\p{Zl}\p{Zp}]/u.test(says) || says.length > 320,
      ),
    );
    expect(wrong).toEqual([]);
  });

  test("none takes long to read and to judge, however long", () => {
    const longest = [...slotsOf("en").values()].toSorted((one, other) => other.english.length - one.english.length)[0];
    if (longest === undefined) throw new Error("there are no words");
    const slow = texts.filter((text) => {
      const started = performance.now();
      readFlatJson(fileOf({ key: text.padEnd(60_000, text || " ") }));
      complaintsAbout(text.padEnd(2 * longest.english.length, text || " "), longest);
      return performance.now() - started > 500;
    });
    expect(slow).toEqual([]);
  });
});

/** Resolves to the elements of a page in their order, with their attributes, and to what it says. */
async function readPage(html: string): Promise<{ readonly elements: readonly string[]; readonly said: string }> {
  const elements: string[] = [];
  let said = "";
  await new HTMLRewriter()
    .on("*", {
      element({ tagName, attributes }) {
        const named = [...attributes].map(([name, value]) => `${name}=${value}`);
        elements.push([tagName, ...named].join(" "));
      },
      text({ text }) {
        said += text;
      },
    })
    .transform(new Response(html))
    .text();
  return { elements, said };
}

describe("J-03 what is taken", () => {
  async function mailWith(table: Readonly<Record<string, string>>) {
    writeFileSync(join(folder, "en.json"), fileOf(table));
    const log = createRecordingLog();
    const previews = await openMailPreviews(config, log);
    expect(log.lines).toEqual([]);
    const mail = previews.show("reset_link", "en");
    if (mail === undefined) throw new Error("there is no such mail");
    return mail;
  }

  test("is plain text in the subject, the text and the HTML of a mail, which keeps its link and its other parts", async () => {
    const bare = await mailWith({});
    const { elements } = await readPage(bare.html);
    const linkOf = (text: string): string => /\nhttp\S+\/reset-password\?token=SAMPLE\n/.exec(text)?.[0] ?? "";
    expect(linkOf(bare.text)).not.toBe("");
    for (const text of plain) {
      const {
        subject,
        text: written,
        html,
      } = await mailWith({ ...places(text), "service.absent.title": "There is nothing here" });
      expect(subject).toBe(`${text} Gatehouse`);
      expect(written).toContain(`\n\n${text}\n\n`);
      expect(written).toContain(`\n\n${text}:${linkOf(bare.text)}`);
      const page = await readPage(html);
      expect(page.elements).toEqual(elements);
      expect(html.split(Bun.escapeHTML(text)).length).toBeGreaterThan(3);
    }
  });

  test("is plain text on a page", async () => {
    for (const text of plain) {
      writeFileSync(join(folder, "en.json"), fileOf({ "service.absent.title": text }));
      const words = await openWords(config.app, createRecordingLog());
      expect(words.say("en", "service").absent.title).toBe(text);
    }
  });
});

describe("J-04 no key or name of a file reaches what objects have of their own", () => {
  test("neither as a key", async () => {
    const keys = [
      "__proto__",
      "constructor",
      "prototype",
      "toString",
      "pages.__proto__",
      "pages.constructor.name",
      "__proto__.polluted",
    ];
    const { complaints, table } = judgeWords("en", `{${keys.map((key) => `\n"${key}": "polluted"`).join(",")}}`);
    expect(complaints.map(({ line }) => line)).toEqual(keys.map((_, index) => index + 2));
    expect(Object.keys(table)).toEqual([]);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    writeFileSync(join(folder, "en.json"), '{"__proto__": {"polluted": "yes"}}');
    const log = createRecordingLog();
    await openWords(config.app, log);
    expect(log.lines.map(({ level }) => level)).toEqual(["error"]);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test("nor as a name in braces", () => {
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"])
      expect(fill(`{${name}}`, { product: "Acme" }, "en")).toBe(`{${name}}`);
  });
});
