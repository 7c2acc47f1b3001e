import { expect, test } from "bun:test";
import { loadConfig } from "../../src/config/index.ts";
import { randomToken } from "../../src/core/crypto.ts";
import { definitions } from "../support/definitions.ts";

const local = { API_JWT_SECRET_KEY: randomToken(), APP_KEY: randomToken(), APP_DIAG_TOKEN: randomToken() };
function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  const loaded = loadConfig({ app: definitions.app, env: { ...local, ...env } });
  return loaded.ok ? [] : loaded.problems;
}

test.each([
  "example",
  "*.example.test",
  "https://example.test",
  "ada@example.test",
  "127.0.0.1",
  "example.test,a b",
  ",",
  " ,\n",
])("a start with AUTH_REGISTRATION_DOMAINS=%s is refused, since no address would have that domain", (domains) => {
  expect(problemsOf({ AUTH_REGISTRATION_DOMAINS: domains })).toEqual([
    expect.stringContaining("AUTH_REGISTRATION_DOMAINS must be domains such as example.com"),
  ]);
});

test("domains are read in the form in which addresses are compared, each once", () => {
  const loaded = loadConfig({
    app: definitions.app,
    env: { ...local, AUTH_REGISTRATION_DOMAINS: "Example.test, bücher.test,example.TEST" },
  });
  expect(loaded.ok && loaded.config.auth.registrationDomains).toEqual(["example.test", "xn--bcher-kva.test"]);
});

test("terms have a place and a version that a program can send back", () => {
  const url = "https://example.test/terms";
  expect(problemsOf({ APP_TERMS_URL: url, APP_TERMS_VERSION: "2026-11" })).toEqual([]);
  expect(problemsOf({ APP_TERMS_URL: url })).toEqual([]);
  expect(problemsOf({ APP_PRIVACY_URL: "https://example.test/privacy" })).toEqual([]);
  expect(problemsOf({ APP_TERMS_VERSION: "2026-11" })).toEqual([
    "APP_TERMS_VERSION needs APP_TERMS_URL, where people read what they accept",
  ]);
  for (const version of ["two words", "<b>", "x".repeat(65)])
    expect(problemsOf({ APP_TERMS_URL: url, APP_TERMS_VERSION: version })).toHaveLength(1);
  expect(problemsOf({ APP_TERMS_URL: "javascript:alert(1)" })).toHaveLength(1);
});
