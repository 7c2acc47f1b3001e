import { expect, test } from "bun:test";
import { createMailPreviews } from "../../src/auth/mail/previews.ts";
import { greetableName } from "../../src/auth/mail/greetable.name.ts";
import { mailLookOf } from "../../src/http/pages/brand/mail.look.ts";
import { ownPalette } from "../../src/http/pages/brand/palette.ts";
import { english } from "../../src/words/english/index.ts";
import { ourWords } from "../support/words.ts";

const look = mailLookOf({
  palette: ownPalette(),
  theme: "auto",
  radius: 8,
  logo: undefined,
  dark: undefined,
  hasName: false,
  host: "example.test",
});
const previews = createMailPreviews({
  appUrl: new URL("https://example.test"),
  product: "Acme",
  look,
  words: ourWords,
});

test("every mail that there are words for is shown, in every language", () => {
  expect(previews.names.toSorted()).toEqual(Object.keys(english.mails.letters).toSorted());
  for (const name of previews.names)
    for (const language of previews.languages) {
      const mail = previews.show(name, language);
      expect(mail?.html).toStartWith(`<!doctype html>\n<html lang="${language}"`);
      expect(`${mail?.subject} ${mail?.text}`).not.toMatch(/\{\w+\}/);
    }
});

test("every value that a mail names has a sample, and each sentence is there whole", () => {
  for (const [name, letter] of Object.entries<Readonly<Record<string, string>>>(english.mails.letters)) {
    const mail = previews.show(name, "en");
    for (const part of ["subject", "lead", "code", "button", "validity", "otherwise", "reject", "footer"]) {
      const sentence = letter[part];
      if (sentence === undefined) continue;
      // A value is a text without blanks at its ends, so that none is empty.
      const whole = new RegExp(
        `^${sentence
          .split(/\{\w+\}/)
          .map(RegExp.escape)
          .join("\\S(?:.*\\S)?")}`,
        "m",
      );
      expect([name, part, part === "subject" ? mail?.subject : mail?.text]).toEqual([
        name,
        part,
        expect.stringMatching(whole),
      ]);
    }
  }
});

test("a name that could end a word as a domain is no name in a mail", () => {
  expect([".com", ".example", "Ada .com", "\uff0ecom", "Ada"].map(greetableName)).toEqual([
    undefined,
    undefined,
    "Ada .com",
    undefined,
    "Ada",
  ]);
});
