import { expect, test } from "bun:test";
import { passkeyUrl } from "../../src/core/address/url.parts.ts";

// A service that was started without settings lets its owner try passkeys, too.
test.each([
  ["http://127.0.0.1:3000/", "http://localhost:3000/"],
  ["http://[::1]:3000/id", "http://localhost:3000/id"],
  ["http://localhost:3000/", "http://localhost:3000/"],
  ["https://auth.example.com/", "https://auth.example.com/"],
  ["http://192.0.2.1/", "http://192.0.2.1/"],
])("the passkeys of %s are used at %s", (url, used) => {
  expect(passkeyUrl(new URL(url)).href).toBe(used);
});
