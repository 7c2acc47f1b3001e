import { describe, expect, test } from "bun:test";
import { makeFilter } from "../../src/build/breached.ts";
import { readFilter } from "../../src/auth/password/breached.filter.ts";
import { loadBreachedPasswords } from "../../src/auth/password/breached.passwords.ts";

const numbered = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix} number ${index}`);

describe("the filter of breached passwords", () => {
  test("finds every password that it was made of, however it is written, and says how many", () => {
    const passwords = [...numbered(5_000, "password"), "café am meer"];
    const filter = readFilter(makeFilter(passwords));
    expect(filter.size).toBe(5_001);
    expect(passwords.filter((password) => !filter.has(password))).toEqual([]);
    expect(passwords.filter((password) => !filter.has(password.toUpperCase()))).toEqual([]);
    expect(filter.has("Café am Meer".normalize("NFD"))).toBe(true);
  });

  test.each([1, 2, 3, 100])("can be made of %d passwords", (count) => {
    const passwords = numbered(count, "password");
    const filter = readFilter(makeFilter(passwords));
    expect(passwords.every((password) => filter.has(password))).toBe(true);
  });

  test("is not read where it is damaged, and not made where a password comes twice", () => {
    const file = makeFilter(numbered(100, "password"));
    for (const damaged of [new Uint8Array(), file.subarray(0, 19), file.subarray(1), file.subarray(0, -1)])
      expect(() => readFilter(damaged)).toThrow("the file of breached passwords");
    expect(() => makeFilter(["twice the same", "twice the same"])).toThrow("fit into no filter");
  });

  test("P-07 the binary's has a million passwords and more, and takes hardly any other for one of them", async () => {
    const filter = await loadBreachedPasswords();
    expect(filter.size).toBeGreaterThanOrEqual(1_000_000);
    for (const known of ["iloveyou123", "Monkey12345", "TRUSTNO1!", "qwertz123", "schatzilein"])
      expect({ known, found: filter.has(known) }).toEqual({ known, found: true });
    const others = numbered(30_000, "a long walk by the sea,");
    expect(others.filter((password) => filter.has(password)).length).toBeLessThanOrEqual(3);
  });
});
