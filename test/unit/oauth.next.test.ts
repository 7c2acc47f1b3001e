import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { pathAfterSignIn } from "../../src/oauth/next.ts";
import { hostileNexts, leaves } from "../support/oauth/hostile.next.ts";

const origins = ["https://gatehouse.example.test", "http://127.0.0.1:3000"] as const;

/** Returns what a proxy that decodes too often would send on. */
const decodedOften = (path: string): string => {
  let decoded = path;
  for (let time = 0; time < 6; time += 1)
    decoded = decoded.replaceAll(/%[\da-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return decoded;
};

function expectLocal(next: string): void {
  for (const origin of origins) {
    const path = pathAfterSignIn(next, origin);
    if (path === undefined) continue;
    const [pathname = ""] = path.split(/[?#]/, 1);
    expect({ next, path, leaves: leaves(path, origin) }).toEqual({ next, path, leaves: false });
    expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
    expect({ next, path, leaves: leaves(decodedOften(pathname), origin) }).toEqual({ next, path, leaves: false });
    expect(pathAfterSignIn(path, origin)).toBe(path);
  }
}

describe("F-11 next", () => {
  test("of more than 10,000 hostile values none leaves the origin, raw or decoded again", () => {
    const corpus = hostileNexts();
    expect(corpus.length).toBeGreaterThan(10_000);
    for (const next of corpus) expectLocal(next);
  });

  test("most of them are refused, not repaired", () => {
    const corpus = hostileNexts();
    const taken = corpus.filter((next) => pathAfterSignIn(next, origins[0]) !== undefined);
    // The values that are taken are plain paths that happen to look like hosts, such as "/evil.example".
    expect(taken.every((next) => next.startsWith("/"))).toBe(true);
    expect(taken.length / corpus.length).toBeLessThan(0.1);
  });

  test.each([
    ["/", "/"],
    ["/account", "/account"],
    ["/account?tab=sessions&x=1#top", "/account?tab=sessions&x=1#top"],
    ["/search?q=https://evil.example//x", "/search?q=https://evil.example//x"],
    ["/a/../b", "/b"],
    ["/straße/ä?ö=ü", "/stra%C3%9Fe/%C3%A4?%C3%B6=%C3%BC"],
    ["/with%20space", "/with%20space"],
    ["/100%25", "/100%25"],
    ["/100%252525", "/100%252525"],
    ["/a@b:c", "/a@b:c"],
    ["/api/v1/hello", "/api/v1/hello"],
    ["https://gatehouse.example.test/account", "/account"],
  ])("the path %s is taken", (next, path) => {
    expect(pathAfterSignIn(next, origins[0])).toBe(path);
  });

  test.each([
    "//evil.example",
    "//evil.example/account",
    "//gatehouse.example.test/account",
    "//ada@gatehouse.example.test/account",
    "/\\evil.example",
    "/%2fevil.example",
    "/.//evil.example",
    "/a//b",
    "/%25252fevil.example",
    "/%2525252525252541",
    "account",
    "https://gatehouse.example.test:443/account",
    "https://gatehouse.example.test/api/v1/auth/oauth/google/start",
    "/api/v1/auth/oauth/google/link/start",
    "/api/v1/auth/oauth",
    "/id/api/v1/auth/oauth/google/link/start",
    "/api/v1/auth/%6fauth/google/start",
    "/api/v1/auth/x/../oauth/google/link/start",
    "/x\tY",
    `/${"a".repeat(2_048)}`,
  ])("%j is refused", (next) => expect(pathAfterSignIn(next, origins[0])).toBeUndefined());

  test("absent is absent", () => expect(pathAfterSignIn(undefined, origins[0])).toBeUndefined());

  test("no text whatever leaves the origin (property)", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "/",
        "\\",
        "//",
        "%2f",
        "%5c",
        "%252f",
        ".",
        "..",
        "%2e",
        "@",
        ":",
        "?",
        "#",
        "\t",
        "\n",
        "\r",
        "\u0000",
        "%00",
        "%09",
        ";",
        "evil.example",
        "https:",
        "javascript:",
        "gatehouse.example.test",
        "[",
        "]",
        "|",
        "^",
        " ",
      ),
      fc.string({ unit: "binary", maxLength: 3 }),
    );
    const hostile = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(
        fc.oneof(
          hostile,
          hostile.map((text) => `/${text}`),
        ),
        (next) => expectLocal(next),
      ),
      { numRuns: 20_000 },
    );
  });
});
