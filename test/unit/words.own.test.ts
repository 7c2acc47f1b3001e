import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWords } from "../../src/words/index.ts";
import { judgeWords } from "../../src/words/own/judge.ts";
import { readOwnWords } from "../../src/words/own/read.ts";
import { complaintsAbout } from "../../src/words/own/rules.ts";
import { slotsOf } from "../../src/words/own/slots.ts";
import { ourLanguages } from "../../src/words/tables.ts";
import { folderOfEachTest } from "../support/folder.ts";

const folder = folderOfEachTest();
const write = (name: string, content: string | Uint8Array): void => writeFileSync(join(folder(), name), content);
const problems = (): readonly string[] => readOwnWords(folder()).problems;
const listed = (language: string): string =>
  JSON.stringify(Object.fromEntries([...slotsOf(language)].map(([key, { ours }]) => [key, ours])), undefined, 2);

const foreign = ["sv", "lt", "ar", "ja", "de-AT", "en-GB", "pt-PT", "zh-Hant", "fa"];

test("what is listed of a language is taken as it is, with every plural that the language has", () => {
  for (const language of [...ourLanguages, ...foreign]) write(`${language}.json`, listed(language));
  expect(problems()).toEqual([]);
  const plurals = [...slotsOf("lt").keys()].filter((key) => key.startsWith("pages.time.hours."));
  expect(plurals).toEqual(["one", "few", "many", "other"].map((each) => `pages.time.hours.${each}`));
  expect([...slotsOf("ja").keys()].filter((key) => key.startsWith("pages.time.hours."))).toEqual([
    "pages.time.hours.other",
  ]);
});

describe("J-01 a file is refused", () => {
  test("by its name, its size and its form", () => {
    write("de.json", "{}");
    write("pt_br.json", "{}");
    write("DE.json", "{}");
    write("xx.json", "{}");
    write("gr.json", "{}");
    write("README.md", "");
    write(".hidden", "not looked at");
    write("constructor.json", "{}");
    mkdirSync(join(folder(), "sv.json"));
    symlinkSync(join(folder(), "nowhere"), join(folder(), "fi.json"));
    write("da.json", "x".repeat(1024 * 1024));
    write("nb.json", "");
    write("it.json", new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]));
    write("es.json", new Uint8Array([0x7b, 0x0a, 0x22, 0xc3, 0x28, 0x22, 0x7d]));
    expect(problems()).toEqual([
      '"DE.json" is not named by a language, is de.json meant?',
      '"README.md" is not named by a language, such as de.json or pt-BR.json',
      '"constructor.json" is not named by a language, such as de.json or pt-BR.json',
      "da.json has 1048576 bytes, and at most 256 KiB are read",
      "es.json line 2: is not UTF-8",
      "fi.json can't be read (ENOENT)",
      '"gr.json" is not named by a language, such as de.json or pt-BR.json',
      "it.json line 1: begins with a byte order mark: save it as UTF-8 without one",
      "nb.json is empty: {} has no words of your own",
      '"pt_br.json" is not named by a language, is pt-BR.json meant?',
      "sv.json is no file",
      '"xx.json" is not named by a language, such as de.json or pt-BR.json',
    ]);
  });

  test("as JSON, from the line on in which it breaks, with all that is wrong before", () => {
    const of = (text: string): readonly string[] =>
      judgeWords("de", text).complaints.map(({ line, says }) => `${line} ${says}`);
    expect(of('{\n"pages.loading": "<",\n"pages.slow": "a\n"}')).toEqual([
      "2 pages.loading has < or >: words are plain text, not HTML",
      '3 this is no JSON: the text of "pages.slow" does not end on its line',
    ]);
    for (const [text, line, why] of [
      ["[]", 1, "the file has to begin with {"],
      ["{", 1, "a key has to stand here, in quotes"],
      ['{"a":"b",}', 1, "a key has to stand here, in quotes"],
      ['{\n// a comment\n"a":"b"}', 2, "a key has to stand here, in quotes"],
      ["{\n'a':'b'}", 2, "a key has to stand here, in quotes"],
      ['{"a"\n\n"b"}', 3, "a colon has to follow the key"],
      ['{"a":"b"\n"c":"d"}', 2, "a comma or } has to follow the text"],
      ['{"pages.loading":"\\x"}', 1, 'the text of "pages.loading" has a control character, or a backslash'],
      ['{"pages.loading":"\u0000"}', 1, 'the text of "pages.loading" has a control character, or a backslash'],
      ['{"pages.loading":undefined}', 1, 'the text of "pages.loading" has to stand here, in quotes'],
      ["{}\n{}", 2, "nothing may follow the last }"],
      [`{"a":${"[".repeat(200_000)}`, 1, "the file ends within a value"],
    ] as const)
      expect(of(text).at(-1)).toStartWith(`${line} this is no JSON: ${why}`);
  });

  test("for every line that is wrong, with the key that is meant", () => {
    write(
      "lt.json",
      `{
  "pages.signIn.submitt": "x",
  "pages.signIn.provider": "Dalej",
  "pages.signIn.continueAs": "Dalej {label}",
  "pages.signIn.signedInAs": "{name} {name",
  "pages.time.hours": "x",
  "pages.time.hours.zero": "x",
  "pages.time.minutes.few": "{count}",
  "pages.loading": 7,
  "pages.slow": { "a": ["}", { "b": null }] },
  "pages.loading": "x",
  "mails.letters.reset_link.button": "${"x".repeat(200)}",
  "mails.letters.reset_link.subject": "Zmień\\nhasło {product}",
  "mails.letters.reset_link.lead": "https://evil.example {product}",
  "nothing.like.it": "x"
}`,
    );
    expect(problems()).toEqual([
      'lt.json line 2: "pages.signIn.submitt" is no key: is pages.signIn.submit meant?',
      "lt.json line 3: pages.signIn.provider must have {label}, as ours has",
      'lt.json line 4: pages.signIn.continueAs has "{label}", which stands for nothing here: of what is in braces, nothing does',
      "lt.json line 5: pages.signIn.signedInAs has a brace that belongs to no name such as {product}",
      "lt.json line 6: pages.time.hours has a text for each plural of lt: write pages.time.hours.one, pages.time.hours.few, pages.time.hours.many, pages.time.hours.other",
      "lt.json line 7: pages.time.hours.zero is no plural of lt, which has one, few, many, other",
      "lt.json line 8: pages.time.minutes.few needs pages.time.minutes.other beside it, for all other numbers",
      "lt.json line 9: pages.loading is no text in quotes",
      "lt.json line 10: pages.slow is no text in quotes",
      'lt.json line 11: "pages.loading" is there twice: it is in line 9 as well',
      "lt.json line 12: mails.letters.reset_link.button has 200 characters, and at most 102 fit there",
      "lt.json line 13: mails.letters.reset_link.subject has a line break: a text is one line",
      'lt.json line 14: mails.letters.reset_link.lead has "https://evil.example", of which programs could make a link: words lead nowhere',
      'lt.json line 15: "nothing.like.it" is no key: words:list prints all',
    ]);
  });

  test("with more than fifty others; a folder has to be one, and to hold words", () => {
    expect(problems()).toEqual(["names a folder without a file such as de.json"]);
    for (let index = 0; index < 51; index += 1) write(`x${index}.json`, "{}");
    expect(problems()).toEqual(["has 51 files, and at most 50 are read"]);
    expect(readOwnWords(join(folder(), "x0.json")).problems).toEqual([
      "must name a folder, with a file such as de.json",
    ]);
    rmSync(folder(), { recursive: true });
    expect(problems()).toEqual(["can't be read (ENOENT)"]);
    mkdirSync(folder());
  });

  test("without end: of a file of nothing but mistakes a bounded part is told, in bounded time", () => {
    const keys = Array.from({ length: 7_000 }, (_, index) => `"pages.signIn.submit${index}": "<"`);
    for (const language of ["de", "fr", "sv"]) write(`${language}.json`, `{${keys.join(",\n")}}`);
    const started = performance.now();
    const found = problems();
    expect(performance.now() - started).toBeLessThan(10_000);
    expect([found.length, found.at(-1)]).toEqual([201, "has more that is wrong"]);
  });
});

test("an address may stand where ours has the same one, and nowhere else", () => {
  const says = (key: string, text: string): number =>
    judgeWords("is", JSON.stringify({ [key]: text })).complaints.length;
  expect(says("pages.faults.invalid_email", "Det är ingen adress. En ser ut så här: ada@example.com.")).toBe(0);
  expect(says("pages.faults.invalid_email", "Det är ingen adress. En ser ut så här: ada@example.org.")).toBe(1);
  expect(says("pages.signIn.submit", "ada@example.com")).toBe(1);
  expect(says("account.profile.avatarHint", "Den börjar med https:// alltid.")).toBe(0);
  for (const evil of ["https://evil", "https://evil.example", "https://で", "https:// evil.example", "https://{name}"])
    expect([evil, says("account.profile.avatarHint", `Den börjar med ${evil}.`) > 0]).toEqual([evil, true]);
  for (const evil of [
    "xada@example.com",
    "ada@example.com.se",
    "ada@example.com.evil.se",
    "ada@example.community",
    "ada@example.com/evil",
  ])
    expect([evil, says("pages.faults.invalid_email", `En ser ut så här: ${evil}.`)]).toEqual([evil, 1]);
});

test("no sentence of a language that we speak is taken for something else, in its own words alone", () => {
  for (const language of ourLanguages)
    for (const [key, slot] of slotsOf(language)) {
      const changed = { ...slot, ours: slot.english };
      expect([language, key, complaintsAbout(slot.ours, changed)]).toEqual([language, key, []]);
    }
});

test("what a file lacks comes from the same language in another region, from ours, or from English", () => {
  const submit = "pages.signIn.submit";
  const hours = "pages.time.hours.one";
  const words = createWords(
    new Map([
      ["de", { "pages.signIn.forgot": "Vergessen?" }],
      ["de-AT", { [submit]: "Eintreten" }],
      ["en", { [hours]: "an hour" }],
      ["en-GB", { [submit]: "Come in" }],
      ["is", { [submit]: "Skrá inn" }],
      ["sr", { [submit]: "Пријави се" }],
      ["sr-Latn", { "pages.signIn.forgot": "Zaboravljena?" }],
    ]),
  );
  const signIn = (language: string) => words.say(language, "pages").signIn;
  expect([signIn("de-AT").submit, signIn("de-AT").forgot, signIn("de-AT").register]).toEqual([
    "Eintreten",
    "Vergessen?",
    "Konto anlegen",
  ]);
  expect(signIn("de").submit).toBe("Anmelden");
  expect([1, 2].map((count) => words.say("en-GB", "pages").time.hours({ count }))).toEqual(["an hour", "2 hours"]);
  expect([signIn("en-GB").submit, signIn("is").submit, signIn("is").register]).toEqual([
    "Come in",
    "Skrá inn",
    "Create one",
  ]);
  // Who reads a language in one script need not read it in another one.
  expect([signIn("sr-Latn").submit, signIn("sr-Latn").forgot]).toEqual(["Sign in", "Zaboravljena?"]);
  expect(words.pick(["de-AT"])).toBe("de-AT");
  expect(words.pick(["de-CH"])).toBe("de");
});
