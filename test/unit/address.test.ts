import { expect, test } from "bun:test";
import { addressBucket, createBlockMatcher, isBlock, normaliseAddress } from "../../src/core/address/address.ts";

test("an address has one spelling", () => {
  const cases = [
    ["127.0.0.1", "127.0.0.1"],
    ["::ffff:127.0.0.1", "127.0.0.1"],
    ["::ffff:7f00:1", "127.0.0.1"],
    ["::", "::"],
    ["::1", "::1"],
    ["1::", "1::"],
    ["2001:0DB8:0000:0000:0001:0000:0000:0001", "2001:db8::1:0:0:1"],
    ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["fe80::1%eth0", "fe80::1"],
    ["fe80::1%eth0.1", "fe80::1"],
    ["::1.2.3.4", "::102:304"],
    ["64:ff9b::1.2.3.4", "64:ff9b::102:304"],
    ["1:0:0:2:0:0:3:4", "1::2:0:0:3:4"],
    [" [::1]:80 ", "::1"],
    ["1.2.3.4:80", "1.2.3.4"],
  ] as const;
  for (const [given, expected] of cases) expect(normaliseAddress(given)).toBe(expected);
});

test("what is no address is none", () => {
  for (const text of [
    "",
    "unknown",
    "256.1.1.1",
    "1.2.3",
    "1:2:3",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:8::",
    "g::1",
    "1.2.3.4%eth0",
    // Readers disagree about these forms: 010.0.0.1 is 10.0.0.1 to some and 8.0.0.1 to others.
    "010.0.0.1",
    "::ffff:010.0.0.1",
    "0x7f.0.0.1",
    "2130706433",
    "127.1",
    "x".repeat(100),
  ]) {
    expect(normaliseAddress(text)).toBeUndefined();
  }
});

test("L-07 limits count an IPv6 customer by /64 and IPv4 by address", () => {
  expect(addressBucket("2001:db8:1:2:3:4:5:6")).toBe(addressBucket("2001:db8:1:2:ffff::1"));
  expect(addressBucket("2001:db8:1:2::1")).not.toBe(addressBucket("2001:db8:1:3::1"));
  expect(addressBucket("203.0.113.9")).toBe("203.0.113.9");
  expect(addressBucket("unknown")).toBe("unknown");
});

test("trusted proxies are CIDR blocks, and a mistake in one stops the start", () => {
  const isTrusted = createBlockMatcher(["10.0.0.0/8", "192.0.2.1", "fd00::/8"]);
  for (const address of ["10.255.0.1", "192.0.2.1", "fd12::1", "::ffff:10.0.0.1"])
    expect(isTrusted(address)).toBe(true);
  for (const address of ["11.0.0.1", "192.0.2.2", "fe80::1", "unknown"]) expect(isTrusted(address)).toBe(false);
  for (const block of ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x", "localhost", "::/129", "::ffff:0:0/96", ""]) {
    expect(() => createBlockMatcher([block])).toThrow("not a CIDR block");
    expect(isBlock(block)).toBe(false);
  }
  for (const block of ["10.0.0.0/8/8", " 10.0.0.0/8", "[::1]", "10.0.0.1:80", "fe80::1%eth0/64", "010.0.0.0/8"])
    expect(isBlock(block)).toBe(false);
});

test("no block trusts nobody, and an IPv6 block of every address has those of IPv4 in it", () => {
  expect(createBlockMatcher([])("127.0.0.1")).toBe(false);
  expect(createBlockMatcher(["::/0"])("203.0.113.9")).toBe(true);
  expect(createBlockMatcher(["2000::/3"])("203.0.113.9")).toBe(false);
  expect(createBlockMatcher(["0.0.0.0/0"])("::1")).toBe(false);
});
