import { expect, test } from "bun:test";
import fc from "fast-check";
import { composed, password, text } from "../../src/core/text/text.ts";

test("text is trimmed and NFC, a password NFC alone", () => {
  expect(text("name", "\t Zoe\u0308\n")).toBe("Zoë");
  expect(password(" Zoe\u0308\t")).toBe(" Zoë\t");
});

test("a lone surrogate is refused: several would hash as one character", () => {
  expect(() => text("name", "a\ud800")).toThrow("invalid payload");
  expect(() => password("a\udc00")).toThrow("invalid payload");
});

const written = fc.array(
  fc.tuple(
    fc.constantFrom("a", "é", "Å", " ", "\u1100", "\u1161", "\u11a8", "\u09c7", "\u0344", "\u{1d15f}", "\u{16d67}"),
    fc.array(fc.constantFrom("\u0301", "\u0316", "\u0345", "\u05b0", "\u09be", "\u0338", "\u{1d165}"), {
      maxLength: 6,
    }),
  ),
  { minLength: 20, maxLength: 200 },
);

test("a text of any length is NFC, where no letter has more marks than any script puts on one", () => {
  fc.assert(
    fc.property(written, (letters) => {
      const long = letters.map(([letter, marks]) => letter + marks.join("")).join("");
      fc.pre(!/\p{M}{31}/u.test(long));
      expect(composed(long)).toBe(long.normalize("NFC"));
    }),
  );
});

test("X-09 a text of nothing but marks, which take seconds to be put in order all at once, takes none", () => {
  const began = performance.now();
  for (const marks of ["\u0316\u0301".repeat(16_000), "\u0301".repeat(16_000) + "\u0316".repeat(16_000)]) {
    expect(composed(marks)).toHaveLength(32_000);
    for (const read of [() => password(marks), () => text("name", marks)]) expect(read).toThrow("invalid payload");
  }
  expect(performance.now() - began).toBeLessThan(2_000);
});
