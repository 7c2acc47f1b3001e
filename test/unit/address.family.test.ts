import { expect, test } from "bun:test";
import { isIP } from "node:net";
import fc from "fast-check";
import { addressFamily } from "../../src/core/address/address.family.ts";

const pieces = [
  "0",
  "1",
  "f",
  "F",
  "g",
  ":",
  "::",
  ".",
  "1.2.3.4",
  "255",
  "256",
  "01",
  "ffff",
  "10000",
  "%",
  "%eth0",
  "]",
  "/",
  " ",
  "\n",
];

test("the family of an address is what the runtime says it is, of whatever text", () => {
  const texts = fc.array(fc.constantFrom(...pieces, ":", ":", ":"), { maxLength: 16 }).map((all) => all.join(""));
  fc.assert(
    fc.property(fc.oneof(texts, fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
      expect(`${addressFamily(text)} ${text}`).toBe(`${isIP(text)} ${text}`);
    }),
    { numRuns: 20_000 },
  );
});
