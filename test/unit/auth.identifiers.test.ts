import { expect, test } from "bun:test";
import { emailKey } from "../../src/auth/user/identifiers.ts";

test.each([
  ["a full-width @ in the local part", "ada\uff20home@example.test"],
  ["a local part that becomes a space", "ada\u00a8x@example.test"],
  ["a local part that becomes dots", "ada\u2025x@example.test"],
  ["a local part that becomes a colon", "ada\uff1ax@example.test"],
  ["a local part longer than it looks", `${"\ufdfa".repeat(10)}@example.test`],
  ["a character that shows nothing", "ada\ufe0f@example.test"],
  ["a path after the domain", "ada@example.test/x"],
  ["a query after the domain", "ada@example.test?x"],
  ["a fragment after the domain", "ada@example.test#x"],
  ["a domain with percent-encoding", "ada@ex%61mple.test"],
])("X-08 an address with %s has no canonical form", (_, email) => {
  expect(emailKey(email)).toBeUndefined();
});

test("X-08 the canonical form is its own canonical form, whatever character is in it", () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const key = emailKey(`a${String.fromCharCode(code)}b@example.test`);
    if (key !== undefined) expect(emailKey(key)).toBe(key);
  }
});
