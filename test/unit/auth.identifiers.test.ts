import { expect, test } from "bun:test";
import { emailKey } from "../../src/auth/user/identifiers.ts";
import { hostileAddresses } from "../support/hostile.addresses.ts";

test.each(hostileAddresses)("X-08 an address with %s has no canonical form", (_, email) => {
  expect(emailKey(email)).toBeUndefined();
});

test("X-08 the canonical form is its own canonical form, whatever character is in it", () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const key = emailKey(`a${String.fromCharCode(code)}b@example.test`);
    if (key !== undefined) expect(emailKey(key)).toBe(key);
  }
});
