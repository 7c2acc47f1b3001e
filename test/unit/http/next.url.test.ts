import { describe, expect, test } from "bun:test";
import { nextUrl } from "../../../src/core/address/next.url.ts";
import { hostileNexts, leaves } from "../../support/oauth/hostile.next.ts";

const origin = "https://auth.example.test";
const app = "https://app.example.test";
const local = "http://127.0.0.1:5173";
const destinations = { origin, allowed: { listed: [app, local], loopback: false } };
const to = (next: string) => nextUrl(next, destinations);

describe("V-04 where people are sent after a sign-in", () => {
  test.each([
    ["/account?tab=sessions#top", "/account?tab=sessions#top"],
    [`${origin}/account`, "/account"],
    [origin, "/"],
    [app, `${app}/`],
    [`${app}/`, `${app}/`],
    [`${app}/reports?from=https://evil.example/&q=a%20b#top`, `${app}/reports?from=https://evil.example/&q=a%20b#top`],
    [`${app}/a/../b`, `${app}/b`],
    [`${app}/straße`, `${app}/stra%C3%9Fe`],
    [`${app}/@evil.example`, `${app}/@evil.example`],
    [`${local}/`, `${local}/`],
  ])("%s is taken", (next, taken) => {
    expect(to(next)).toBe(taken);
  });

  test.each([
    "",
    "app.example.test",
    "//app.example.test/",
    "https://evil.example/",
    "http://app.example.test/",
    "HTTPS://app.example.test/",
    "https:app.example.test/",
    "https:/app.example.test/",
    "https://app.example.test:443/",
    "https://app.example.test:8443/",
    "https://app.example.test.evil.example/",
    "https://app.example.test@evil.example/",
    "https://app.example.test:@evil.example/",
    "https://app.example.test:443@evil.example/",
    "https://app.example.test\\@evil.example/",
    "https://app.example.test\\.evil.example/",
    "https://app.example.test%2eevil.example/",
    "https://app.example.test\t.evil.example/",
    "https://app.example.test?@evil.example/",
    "https://app.example.test#@evil.example/",
    "https://evil.example/https://app.example.test/",
    "https://ada@app.example.test/",
    " https://app.example.test/",
    "https://app.example.test//evil.example",
    "https://app.example.test/\\evil.example",
    "https://app.example.test/x\r\nSet-Cookie: a=b",
    "http://127.0.0.1/",
    "http://127.0.0.1:51730/",
    `javascript:alert("${app}/")`,
    `/${"x".repeat(2_048)}`,
  ])("%j is refused", (next) => {
    expect(to(next)).toBeUndefined();
  });

  test.each(["", origin])("%s of this service no start of a sign-in or linking is taken", (base) => {
    for (const path of [
      "/api/v1/auth/oauth/github/link/start",
      "/api/v1/auth/oauth/github/start?next=/account",
      "/api/v1/auth/oauth",
      "/API/v1/auth/OAuth/github/link/start",
      "/api/v1/auth/x/../oauth/github/link/start",
      "/api/v1/auth/%6fauth/github/link/start",
      "/api/v1/auth/%256fauth/github/link/start",
      "/gate/api/v1/auth/oauth/github/link/start",
    ])
      expect({ path, taken: to(`${base}${path}`) }).toEqual({ path, taken: undefined });
    expect(to(`${base}/api/v1/auth/oauthors`)).toBe("/api/v1/auth/oauthors");
    // An app of another origin may have anything at that path.
    expect(to(`${app}/api/v1/auth/oauth/github/start`)).toBe(`${app}/api/v1/auth/oauth/github/start`);
  });

  test("X-87 a page of this machine is taken locally at any port, and no address that nobody can open", () => {
    const locally = (next: string) => nextUrl(next, { origin, allowed: { listed: [], loopback: true } });
    for (const page of [
      "http://localhost/x",
      "http://localhost:65535/x",
      "http://127.9.9.9:5173/x",
      "http://[::1]:1/x",
    ])
      expect(locally(page)).toBe(page);
    for (const home of [
      "localhost:65536",
      "localhost:99999",
      "127.0.0.256",
      "127.999.0.1",
      "127.0.0.08:80",
      "localhost:80",
    ])
      expect({ home, taken: locally(`http://${home}/x`) }).toEqual({ home, taken: undefined });
  });

  test("of more than 10,000 hostile values none leads elsewhere, alone or behind an origin that is listed", () => {
    const corpus = hostileNexts();
    expect(corpus.length).toBeGreaterThan(10_000);
    const listed = new Set([origin, app, local]);
    for (const hostile of corpus)
      for (const next of [hostile, `${app}${hostile}`, `${origin}${hostile}`, `${app}/${hostile}`]) {
        const taken = to(next);
        if (taken === undefined) continue;
        const arrived = URL.parse(taken, origin)?.origin ?? "nowhere";
        expect({ next, taken, listed: listed.has(arrived) }).toEqual({ next, taken, listed: true });
        if (arrived === origin) expect({ next, leaves: leaves(taken, origin) }).toEqual({ next, leaves: false });
        expect(taken).toMatch(/^(?:https?:\/\/[\w.:-]+)?\/(?![/\\])[\x21-\x7e]*$/);
        expect(to(taken)).toBe(taken);
      }
  });
});
