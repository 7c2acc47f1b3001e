import { expect, test } from "bun:test";
import { createLetters } from "../../src/auth/mail/letters.ts";
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
