import { expect, test } from "bun:test";
import { createMailedCodes } from "../../src/auth/grant/mailed.codes.ts";

const codes = createMailedCodes({ secret: "the secret of today", previousSecrets: ["the secret of yesterday"] });

test("a mailed code is six digits, and is found as people type it", () => {
  const made = Array.from({ length: 1_000 }, (_, request) => codes.codeOf(`request ${request}`));
  for (const code of made) expect(code).toMatch(/^\d{6}$/);
  expect(new Set(made).size).toBeGreaterThan(980);
  expect(codes.codeOf("request 7")).toBe(made[7] ?? "");
  const hash = codes.hash("a grant", "012345");
  for (const typed of ["012345", "012 345", " 012-345\n"]) expect(codes.matches(typed, "a grant", hash)).toBe(true);
  for (const typed of ["12345", "012346", "", "0123450"]) expect(codes.matches(typed, "a grant", hash)).toBe(false);
});

test("M-45 the hash of a mailed code is worth nothing for another grant, or without the key", () => {
  const hash = codes.hash("a grant", "012345");
  expect(hash).not.toContain("012345");
  expect(codes.matches("012345", "another grant", hash)).toBe(false);
  const elsewhere = createMailedCodes({ secret: "another secret", previousSecrets: [] });
  expect(elsewhere.matches("012345", "a grant", hash)).toBe(false);
});

test("a code that was mailed before the key was changed works on", () => {
  const before = createMailedCodes({ secret: "the secret of yesterday", previousSecrets: [] });
  expect(codes.matches("012345", "a grant", before.hash("a grant", "012345"))).toBe(true);
});
