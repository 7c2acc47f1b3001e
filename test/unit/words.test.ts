import { describe, expect, test } from "bun:test";
import { english } from "../../src/words/english/index.ts";
import { staff } from "../../src/words/english/staff/index.ts";
import { pickLanguage, regionalTag } from "../../src/words/language.ts";
import { createWords } from "../../src/words/index.ts";
import { around, fill, placeholdersOf, speak } from "../../src/words/message.ts";
import { staffLanguageFor, staffLanguages, staffTable, staffWordsIn } from "../../src/words/staff.ts";
import { englishTable, flatten, ourLanguages, ourTable, type Table } from "../../src/words/tables.ts";
import { ourWords } from "../support/words.ts";

const category = /\.(?:zero|one|two|few|many|other)$/;

/** What English says of the messages of other languages. */
function judgedBy(table: Table) {
  /** Keys of messages that have a text for each plural category. */
  const counted = new Set(
    Object.keys(table)
      .filter((key) => key.endsWith(".other") && table[key.replace(/other$/, "one")] !== undefined)
      .map((key) => key.replace(category, "")),
  );
  const baseOf = (key: string): string => (counted.has(key.replace(category, "")) ? key.replace(category, "") : key);
  return { table, baseOf, textOf: (key: string): string => table[key] ?? table[`${baseOf(key)}.other`] ?? "" };
}

const forPeople = judgedBy(englishTable());
const forStaff = judgedBy(flatten(staff, "staff"));
const isOther = (language: string): boolean => language !== "en";

describe.each([
  ...ourLanguages.filter(isOther).map((language) => [language, ourTable(language), forPeople] as const),
  ...staffLanguages
    .filter(isOther)
    .map((language) => [`${language} for staff`, staffTable(language), forStaff] as const),
])("the words in %s", (name, table, { table: english, baseOf, textOf }) => {
  const [language = ""] = name.split(" ");

  test("are all there, each plural with every category of the language, and no others", () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const wanted = Object.keys(english).flatMap((key) => {
      const base = baseOf(key);
      if (base === key) return [key];
      return key.endsWith(".other") ? categories.map((each) => `${base}.${each}`) : [];
    });
    expect(Object.keys(table).toSorted()).toEqual(wanted.toSorted());
  });

  test("have the values that English has; a plural may leave out the number", () => {
    const wrong = Object.entries(table).filter(([key, text]) => {
      const [own, there] = [placeholdersOf(text), placeholdersOf(textOf(key))];
      const isFull = baseOf(key) === key || key.endsWith(".other");
      const missing = there.filter((name) => !own.includes(name) && (isFull || name !== "count"));
      return missing.length > 0 || own.some((name) => !there.includes(name));
    });
    expect(wrong).toEqual([]);
  });

  test("are texts of one line without spaces at their ends", () => {
    expect(Object.values(table).filter((text) => text.trim() !== text || /[\n\r<>]/.test(text) || text === "")).toEqual(
      [],
    );
  });
});

test("no language says please, oops or session, and only scripts have to do with tokens", () => {
  const tables = [englishTable(), ...ourLanguages.map(ourTable)];
  const wrong = tables.flatMap((table) => {
    return Object.entries(table).filter(
      ([key, text]) =>
        /!$|\b(?:please|bitte|oops|ups|session)\b/i.test(text) ||
        (/\btoken\b/i.test(text) && !/tokens|personal_token|^ways\./.test(key)),
    );
  });
  expect(wrong).toEqual([]);
});

test("staff read English, or the first of their languages that the pages for them speak", () => {
  expect(staffLanguages).toEqual(["en", "de"]);
  expect([staffLanguageFor(["fr", "de-AT"]), staffLanguageFor(["fr", "en"])]).toEqual(["de", "en"]);
  expect([staffWordsIn("de").frame.signOut, staffWordsIn("en").frame.signOut]).toEqual(["Abmelden", "Sign out"]);
});

test("the first language that the pages speak is taken, whatever its region", () => {
  const languages = ["en", "de", "pt-BR"];
  expect(pickLanguage(["fr-CA", "de-AT", "en"], languages)).toBe("de");
  expect(pickLanguage(["fr"], languages)).toBe("en");
  expect(pickLanguage(["constructor", "DE"], languages)).toBe("de");
  expect(pickLanguage(["pt"], languages)).toBe("pt-BR");
  expect(regionalTag("en", ["de-DE", "en-GB", "en-US"])).toBe("en-GB");
  expect(regionalTag("de", ["en-GB"])).toBe("de");
});

test("U-39 what is no tag of a language is passed over: times could not be written by it", () => {
  for (const tag of ["en-@@", "en-", "en--", "en-x", "en-\u00e9", "EN-a-b-c", `en-${"a".repeat(400)}`]) {
    expect([tag, regionalTag("en", [tag])]).toEqual([tag, "en"]);
    expect([tag, regionalTag("en", [tag, "en-GB"])]).toEqual([tag, "en-GB"]);
  }
});

describe("a message", () => {
  test("takes its values, writes numbers as the language does, and leaves what it does not know", () => {
    expect(fill("{name}: {count} of {rest}", { name: "Ada {count}", count: 12_345 }, "de")).toBe(
      "Ada {count}: 12.345 of {rest}",
    );
  });

  test("chooses the text of the number's category, and falls back to the last one", () => {
    const polish = speak({ files: { one: "{count} plik", few: "{count} pliki", other: "{count} plików" } }, "pl");
    expect([1, 3, 5].map((count) => polish.files({ count }))).toEqual(["1 plik", "3 pliki", "5 plików"]);
  });

  test("keeps a value that is written the other way from turning the words around it", () => {
    expect(fill("{name} left", { name: "لوفليس" }, "en")).toBe("\u2068لوفليس\u2069 left");
    expect(fill("{name} left", { name: "Ada" }, "en")).toBe("Ada left");
    expect(fill("غادر {name}", { name: "Ada" }, "ar")).toBe("غادر \u2068Ada\u2069");
    expect(fill("{code}", { code: "123456" }, "ar")).toBe("123456");
  });

  test("keeps the marks in a value from turning the words around it", () => {
    expect(fill("{name} left", { name: "\u202eAda" }, "en")).toBe("\u2068\u202eAda\u2069 left");
    expect(fill("{name} left", { name: "\u2069\u2067Ada" }, "en")).toBe("\u2068\u2067Ada\u2069\u2069 left");
    expect(fill("غادر {name}", { name: "Ada\u2069" }, "ar")).toBe("غادر \u2068Ada\u2069");
    expect(fill("{name} left", { name: "\u2068Ada\u2069 \u2068Eve\u2069" }, "en")).toBe(
      "\u2068\u2068Ada\u2069 \u2068Eve\u2069\u2069 left",
    );
  });

  test("is split where values are no texts", () => {
    const { accept } = ourWords.say("en", "pages").terms;
    expect(around(accept, { terms: 7 })).toEqual(["I accept the ", 7, "."]);
  });
});

test("an operator's message comes before ours, and what is missing in a language of their own is English", () => {
  const words = createWords(
    new Map([
      ["de", { "pages.signIn.submit": "Hinein" }],
      ["sv", { "pages.signIn.submit": "Logga in" }],
    ]),
  );
  expect(words.say("de", "pages").signIn.submit).toBe("Hinein");
  expect(words.say("de", "pages").signIn.register).toBe("Konto anlegen");
  expect([words.say("sv", "pages").signIn.submit, words.say("sv", "pages").signIn.register]).toEqual([
    "Logga in",
    english.pages.signIn.register,
  ]);
  expect(words.pick(["sv-SE"])).toBe("sv");
});
