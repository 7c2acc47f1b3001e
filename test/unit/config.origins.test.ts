import { describe, expect, test } from "bun:test";
import { loadConfig } from "../../src/config/index.ts";
import { randomToken } from "../../src/core/crypto.ts";
import { definitions } from "../support/definitions.ts";

const staging: Readonly<Record<string, string>> = {
  APP_ENV: "staging",
  APP_URL: "https://auth.example.test",
  API_JWT_SECRET_KEY: randomToken(),
  APP_KEY: randomToken(),
  APP_DIAG_TOKEN: randomToken(),
};
const load = (env: Readonly<Record<string, string>>) =>
  loadConfig({ app: definitions.app, env: { ...staging, ...env } });

function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  const loaded = load(env);
  return loaded.ok ? [] : loaded.problems;
}

describe("X-78 an origin that is not exact stops the start", () => {
  const exact = "AUTH_ALLOWED_ORIGINS must be a list of exact origins such as https://app.example.com:";

  test.each([
    ["*", "number 1 has a wildcard"],
    ["https://app.example.test, https://*.example.test", "number 2 has a wildcard"],
    ["null", "number 1 is no http or https origin"],
    ["app.example.test", "number 1 is no http or https origin"],
    ["ftp://app.example.test", "number 1 is no http or https origin"],
    ["https:app.example.test", "number 1 is no http or https origin"],
    ["https:///app.example.test", "number 1 has more than scheme, host and port"],
    ["https://app.example.test/", "number 1 has more than scheme, host and port"],
    ["https://app.example.test/app", "number 1 has more than scheme, host and port"],
    ["https://app.example.test?x", "number 1 has more than scheme, host and port"],
    ["https://app.example.test#x", "number 1 has more than scheme, host and port"],
    ["https://app.example.test\\", "number 1 has more than scheme, host and port"],
    ["https://ada:secret@app.example.test", "number 1 has more than scheme, host and port"],
    ["https://app.example.test.", "number 1 has a dot at the end of its host"],
    ["https://app.example.test:65536", "number 1 is no http or https origin"],
    ["https://app example.test", "number 1 is no http or https origin"],
    ["https://app..example.test", "number 1 has no name of a host"],
    ["https://-app.example.test", "number 1 has no name of a host"],
  ])("%s: %s", (AUTH_ALLOWED_ORIGINS, flaw) => {
    expect(problemsOf({ AUTH_ALLOWED_ORIGINS })).toEqual([`${exact} ${flaw}`]);
  });

  test("and outside local and testing one without https", () => {
    const env = { AUTH_ALLOWED_ORIGINS: "https://app.example.test,http://app.example.test" };
    expect(problemsOf(env)).toEqual(["AUTH_ALLOWED_ORIGINS must be https outside local and testing"]);
    expect(problemsOf({ ...env, APP_ENV: "testing" })).toEqual([]);
  });

  test("exact ones are kept as browsers write them", () => {
    const written =
      " HTTPS://App.Example.test:443 ,https://bücher.example.test,https://[2001:DB8::1]:8443, https://app.example.test";
    const loaded = load({ AUTH_ALLOWED_ORIGINS: written });
    expect(loaded.ok && loaded.config.http.allowedOrigins).toEqual([
      "https://app.example.test",
      "https://xn--bcher-kva.example.test",
      "https://[2001:db8::1]:8443",
    ]);
  });
});
