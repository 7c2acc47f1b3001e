import { expect, test } from "bun:test";
import { createLetters } from "../../src/auth/mail/letters.ts";
import { mailOf } from "../../src/auth/mail/frame.ts";
import { mailLookOf } from "../../src/http/pages/brand/mail.look.ts";
import { ownPalette } from "../../src/http/pages/brand/palette.ts";
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

test("G-05 mail links keep the path of APP_URL", () => {
  for (const appUrl of ["https://example.test/accounts", "https://example.test/accounts/"]) {
    const letters = createLetters({
      appUrl: new URL(appUrl),
      product: "Gatehouse",
      look,
      words: ourWords,
    });
    const ada = { to: "ada@example.test", isOwn: true, user: undefined };
    expect(letters.passwordReset(ada, { at: 0 }, { token: "t0ken", expiresAt: 0 }).text).toContain(
      "https://example.test/accounts/reset-password?token=t0ken\n",
    );
  }
});

test("a code stands above what else a mail says of its occasion, in the text as in the HTML", () => {
  const letters = createLetters({ appUrl: new URL("https://example.test"), product: "Shop", look, words: ourWords });
  const ada = { to: "ada@example.test", isOwn: true, user: undefined };
  const mailed = { token: "t0ken", code: "012345", expiresAt: 0 };
  const { text, html } = letters.emailLogin(ada, { at: 0, address: "203.0.113.7" }, mailed);
  for (const part of [text, html.slice(html.indexOf("<body"))]) {
    const places = ["012345", "203.0.113.7", "token=t0ken"].map((each) => part.indexOf(each));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
  }
});

test("a mail in a language that is written from the right is mirrored, but for addresses", () => {
  const url = "https://example.test/reset-password?token=t0ken";
  const letter = {
    subject: "Subject",
    product: "Shop",
    look: {
      ...look,
      logo: {
        shown: {
          image: { cid: "logo@x", name: "logo.png", type: "image/png", body: new Uint8Array() },
          width: 40,
          height: 40,
        },
        dark: undefined,
        hasName: false,
      },
    },
    greeting: "Hello,",
    lead: "Lead.",
    details: [{ label: "When", lines: ["now"] }],
    wasAskedFor: true,
    button: { label: "Go", url, copy: "Copy:" },
    otherwise: "Else.",
    footer: "Footer.",
    home: "https://example.test",
  };
  for (const [language, dir, start, end] of [
    ["ar", "rtl", "right", "left"],
    ["en", "ltr", "left", "right"],
  ] as const) {
    const { html } = mailOf("ada@example.test", { ...letter, language });
    for (const part of [
      `<html lang="${language}" dir="${dir}">`,
      `line-height:1.55" dir="${dir}">`,
      `padding-${end}:16px;font-weight:400;text-align:${start};`,
      `padding-${start}:12px`,
      ` dir="ltr">${url}</a>`,
    ])
      expect(html).toContain(part);
    expect(html).not.toContain(`text-align:${end}`);
  }
});
