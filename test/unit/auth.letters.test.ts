import { expect, test } from "bun:test";
import { defaultAccent, readAccent } from "../../src/core/text/accent.ts";
import { createLetters } from "../../src/auth/mail/letters.ts";
import { ourWords } from "../support/words.ts";

test("G-05 mail links keep the path of APP_URL", () => {
  for (const appUrl of ["https://example.test/accounts", "https://example.test/accounts/"]) {
    const letters = createLetters({
      appUrl: new URL(appUrl),
      product: "Gatehouse",
      accent: readAccent(defaultAccent),
      words: ourWords,
    });
    const ada = { to: "ada@example.test", isOwn: true, user: undefined };
    expect(letters.passwordReset(ada, { at: 0 }, { token: "t0ken", expiresAt: 0 }).text).toContain(
      "https://example.test/accounts/reset-password?token=t0ken\n",
    );
  }
});
