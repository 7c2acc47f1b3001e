import { describe, expect, test } from "bun:test";
import { losesCookies } from "../../../src/http/request/csrf.ts";

const asks = (appUrl: string, headers: Readonly<Record<string, string>>): boolean =>
  losesCookies(new Request("http://127.0.0.1/", { method: "POST", headers }), new URL(appUrl));

describe("X-89 whether a browser keeps the cookies of an answer", () => {
  test("is what it says itself, but for a navigation", () => {
    const https = "https://auth.example.test";
    const origin = "https://app.other.test";
    expect(asks(https, { origin, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" })).toBe(true);
    expect(asks(https, { origin, "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" })).toBe(false);
    expect(asks(https, { origin, "sec-fetch-site": "same-origin" })).toBe(false);
    expect(asks(https, { origin, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" })).toBe(false);
    // Browsers name the site to every host with TLS: who does not is no browser of these years.
    expect(asks(https, { origin, host: "auth.example.test" })).toBe(false);
    expect(asks(https, {})).toBe(false);
  });

  // To a host with plain HTTP that is not this machine, browsers say only what the origin of the page is.
  test.each([
    ["http://auth.example.test:3000", "auth.example.test:3000", "http://app.other.test:5173", true],
    ["http://auth.example.test:3000", "auth.example.test:3000", "https://app.example.test", true],
    ["http://auth.example.test:3000", "auth.example.test:3000", "http://app.example.test:5173", false],
    ["http://auth.example.test:3000", "auth.example.test:3000", "http://example.test", false],
    ["http://auth.example.test:3000", "auth.example.test:3000", "null", false],
    ["http://192.168.1.5:3000", "192.168.1.5:3000", "http://192.168.1.7:5173", true],
    ["http://192.168.1.5:3000", "192.168.1.5:3000", "http://192.168.1.5:5173", false],
    // A proxy of the page's own site may be in between, and has written Host itself.
    ["http://auth.example.test:3000", "127.0.0.1:3000", "http://app.other.test:5173", false],
    // To this machine browsers name the site.
    ["http://localhost:3000", "localhost:3000", "http://127.0.0.1:5173", false],
    ["http://127.0.0.1:3000", "127.0.0.1:3000", "http://localhost:5173", false],
  ])("at %s, asked as %s from %s: %p", (appUrl, host, origin, loses) => {
    expect(asks(appUrl, { host, origin })).toBe(loses);
  });
});
