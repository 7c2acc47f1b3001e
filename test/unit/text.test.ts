import { expect, test } from "bun:test";
import { password, text } from "../../src/core/text.ts";

test("text is trimmed and NFC, a password NFC alone", () => {
  expect(text("name", "\t Zoe\u0308\n")).toBe("Zoë");
  expect(password(" Zoe\u0308\t")).toBe(" Zoë\t");
});

test("a lone surrogate is refused: several would hash as one character", () => {
  expect(() => text("name", "a\ud800")).toThrow("invalid payload");
  expect(() => password("a\udc00")).toThrow("invalid payload");
});
