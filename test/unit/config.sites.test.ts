import { describe, expect, test } from "bun:test";
import { ConfigurationError } from "../../src/cli/app/configuration.error.ts";
import { readStart } from "../../src/cli/app/start.ts";
import { randomToken } from "../../src/core/crypto.ts";
import { definitions } from "../support/definitions.ts";
import { testEnvironment } from "../support/environment.ts";

/** Resolves to the warnings of a deployed start about these settings. */
async function warningsOf(
  env: Readonly<Record<string, string>>,
  about = "AUTH_ALLOWED_ORIGINS",
  app: "app" | "admin" = "app",
): Promise<readonly string[]> {
  const terminal = { env: { ...staging, ...env }, out() {}, err() {}, readSecret: () => Promise.resolve("") };
  const { warnings } = await readStart(definitions[app], terminal, { onlyLooks: true });
  return warnings.filter((warning) => warning.startsWith(about));
}

/** Resolves to what a start says about these settings: nothing, or why it is refused. */
async function refusalOf(env: Readonly<Record<string, string>>, app: "app" | "admin" = "app"): Promise<string> {
  const terminal = {
    env: { ...testEnvironment("/nowhere"), ...env },
    out() {},
    err() {},
    readSecret: () => Promise.resolve(""),
  };
  try {
    await readStart(definitions[app], terminal, { onlyLooks: true });
    return "";
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

const staging: Readonly<Record<string, string>> = {
  APP_ENV: "staging",
  API_JWT_SECRET_KEY: randomToken(),
  APP_KEY: randomToken(),
  APP_DIAG_TOKEN: randomToken(),
};
const elsewhere = "AUTH_COOKIE_DOMAIN must be the host of APP_URL or a parent of it";
const suffix = "AUTH_COOKIE_DOMAIN is a public suffix or a name without a dot: browsers refuse cookies for it";
const noDomain = "AUTH_COOKIE_DOMAIN must be a domain such as example.com, no address and no URL";

describe("M-49 AUTH_WEBAUTHN_ORIGINS are at the domain of the passkeys, below it, or of another domain that browsers look up", () => {
  const complaint = "is not at AUTH_WEBAUTHN_RP_ID or below it, and browsers take another one only with https";
  test.each([
    [{ AUTH_WEBAUTHN_RP_ID: "example.com" }, "https://app.example.com, https://example.com:8443", ""],
    [{}, "https://app.auth.example.com", ""],
    [{}, "https://app.example.com, https://shop.example.org:8443", ""],
    [{}, "http://app.example.org", `http://app.example.org ${complaint}`],
    [{}, "https://192.0.2.1", `https://192.0.2.1 ${complaint}`],
    [{}, "https://co.uk", `https://co.uk ${complaint}`],
    [{}, "https://*.auth.example.com", "AUTH_WEBAUTHN_ORIGINS must be a list of exact origins"],
  ])("with %p: %p", async (env, AUTH_WEBAUTHN_ORIGINS, refusal) => {
    const said = await refusalOf({ APP_URL: "https://auth.example.com", ...env, AUTH_WEBAUTHN_ORIGINS });
    if (refusal === "") expect(said).toBe("");
    else expect(said).toContain(refusal);
  });

  test("with TLS outside local and testing; the admin app, which may have another domain, takes no offence", async () => {
    const env = { APP_URL: "https://auth.example.com", AUTH_WEBAUTHN_ORIGINS: "http://app.auth.example.com" };
    expect(await refusalOf(env)).toBe("");
    expect(await refusalOf({ ...staging, ...env })).toContain(
      "AUTH_WEBAUTHN_ORIGINS must be https outside local and testing",
    );
    expect(await refusalOf({ ...env, ADMIN_APP_URL: "https://staff.example.org" }, "admin")).toBe("");
  });

  test("and more names than browsers look at are told of", async () => {
    const tops = ["com", "net", "co.uk"];
    const about = (names: readonly string[]) =>
      warningsOf(
        {
          APP_URL: "https://auth.example.com",
          AUTH_WEBAUTHN_ORIGINS: names.flatMap((name) => tops.map((top) => `https://www.${name}.${top}`)).join(),
        },
        "AUTH_WEBAUTHN_ORIGINS",
      );
    expect(await about(["one", "two", "three", "four", "five"])).toEqual([]);
    expect(await about(["one", "two", "three", "four", "five", "six"])).toEqual([
      "AUTH_WEBAUTHN_ORIGINS has 6 names besides AUTH_WEBAUTHN_RP_ID: browsers need look at the first 5 alone",
    ]);
  });
});

describe("M-37 AUTH_WEBAUTHN_RP_ID is the host of APP_URL or a parent of it that browsers take", () => {
  test.each([
    ["https://auth.example.com", "auth.example.com", ""],
    ["https://auth.example.com", "EXAMPLE.com", ""],
    ["http://localhost:3000", "localhost", ""],
    ["https://intranet", "intranet", ""],
    ["https://auth.example.com", "example.org", "must be the host of APP_URL or a parent of it"],
    ["https://auth.example.com", "www.auth.example.com", "must be the host of APP_URL or a parent of it"],
    ["https://auth.example.com", "ample.com", "must be the host of APP_URL or a parent of it"],
    ["https://auth.example.co.uk", "co.uk", "is a public suffix: browsers make no passkeys for it"],
    ["https://192.0.2.1", "192.0.2.1", "must be a domain such as example.com, no address and no URL"],
    ["https://auth.example.com", "https://example.com", "must be a domain such as example.com, no address and no URL"],
  ])("%s with %s", async (APP_URL, AUTH_WEBAUTHN_RP_ID, complaint) => {
    const refusal = await refusalOf({ APP_URL, AUTH_WEBAUTHN_RP_ID });
    if (complaint === "") expect(refusal).toBe("");
    else expect(refusal).toContain(`AUTH_WEBAUTHN_RP_ID ${complaint}`);
  });

  test("the admin app is asked about its own host", async () => {
    const env = { APP_URL: "https://auth.example.com", ADMIN_APP_URL: "https://admin.example.net" };
    expect(await refusalOf({ ...env, AUTH_WEBAUTHN_RP_ID: "example.com" })).toBe("");
    expect(await refusalOf({ ...env, AUTH_WEBAUTHN_RP_ID: "example.com" }, "admin")).toContain(
      "must be the host of APP_URL",
    );
    expect(
      await refusalOf(
        { ...env, AUTH_WEBAUTHN_RP_ID: "example.com", ADMIN_AUTH_WEBAUTHN_RP_ID: "example.net" },
        "admin",
      ),
    ).toBe("");
  });
});

describe("X-79 AUTH_COOKIE_DOMAIN is the host of APP_URL or a parent of it that browsers take", () => {
  test.each([
    ["https://auth.example.com", "example.com"],
    ["https://auth.example.com", "auth.example.com"],
    ["https://auth.example.com/id/", "EXAMPLE.com"],
    ["https://auth.example.co.uk", "example.co.uk"],
    ["https://auth.ada.github.io", "ada.github.io"],
    ["https://auth.bücher.example", "bücher.example"],
    ["https://auth.corp.internal", "corp.internal"],
    ["http://auth.dev.localhost:3000", "dev.localhost"],
  ])("%s takes %s", async (APP_URL, AUTH_COOKIE_DOMAIN) => {
    expect(await refusalOf({ APP_URL, AUTH_COOKIE_DOMAIN })).toBe("");
  });

  test.each([
    ["https://auth.example.com", "example.org", elsewhere],
    ["https://auth.example.com", "ample.com", elsewhere],
    ["https://auth.example.com", "www.auth.example.com", elsewhere],
    ["https://example.com", "auth.example.com", elsewhere],
    ["https://192.0.2.1", "example.com", elsewhere],
    ["https://auth.example.com", "com", suffix],
    ["https://auth.example.co.uk", "co.uk", suffix],
    ["https://ada.github.io", "github.io", suffix],
    ["https://a.b.kobe.jp", "b.kobe.jp", suffix],
    ["https://foo.xn--55qx5d.cn", "公司.cn", suffix],
    ["http://localhost:3000", "localhost", suffix],
    ["http://auth.localhost", "localhost", suffix],
    ["https://intranet", "intranet", suffix],
    ["https://192.0.2.1", "192.0.2.1", noDomain],
    ["https://192.0.2.1", "0xc0000201", noDomain],
    ["https://[2001:db8::1]", "[2001:db8::1]", noDomain],
    ["https://auth.example.com", ".example.com", noDomain],
    ["https://auth.example.com", "example.com.", noDomain],
    ["https://auth.example.com", "https://example.com", noDomain],
    ["https://auth.example.com", "example.com:443", noDomain],
    ["https://auth.example.com", "example.com/id", noDomain],
    ["https://auth.example.com", "*.example.com", noDomain],
    ["https://auth.example.com", "example.com; Secure", noDomain],
  ])("%s does not take %s", async (APP_URL, AUTH_COOKIE_DOMAIN, refusal) => {
    expect(await refusalOf({ APP_URL, AUTH_COOKIE_DOMAIN })).toContain(refusal);
  });

  test("the admin app, whose cookies never carry it, starts on any host", async () => {
    expect(await refusalOf({ APP_URL: "http://localhost:3001", AUTH_COOKIE_DOMAIN: "example.com" }, "admin")).toBe("");
  });
});

describe("X-75 an origin whose pages can't send the cookies gets a warning", () => {
  test.each([
    ["https://auth.example.com", "https://app.example.com,https://example.com:8443"],
    ["https://auth.example.co.uk", "https://app.example.co.uk"],
    ["https://auth.corp.internal", "https://app.corp.internal"],
    ["https://192.0.2.1", "https://192.0.2.1:8443"],
  ])("none where %s lists %s", async (APP_URL, AUTH_ALLOWED_ORIGINS) => {
    expect(await warningsOf({ APP_URL, AUTH_ALLOWED_ORIGINS })).toEqual([]);
  });

  test.each([
    ["https://auth.example.com", "https://app.example.org"],
    ["https://auth.example.co.uk", "https://app.other.co.uk"],
    ["https://ada.github.io", "https://grace.github.io"],
    ["http://auth.example.com", "https://app.example.com"],
    ["https://192.0.2.1", "https://192.0.2.2"],
  ])("one where %s lists %s", async (APP_URL, AUTH_ALLOWED_ORIGINS) => {
    expect(
      await warningsOf({
        APP_URL,
        AUTH_ALLOWED_ORIGINS: `${AUTH_ALLOWED_ORIGINS},${APP_URL.replace("http:", "https:")}`,
      }),
    ).toContain(
      `AUTH_ALLOWED_ORIGINS: ${AUTH_ALLOWED_ORIGINS} is another site than APP_URL: browsers send no cookies from its pages`,
    );
  });
});

describe("two apps that could take the same passkeys and don't get a warning", () => {
  const about = "AUTH_WEBAUTHN_RP_ID is not set";

  test.each([
    ["https://auth.example.com", "https://admin.example.com", "example.com"],
    ["https://auth.example.com", "https://admin.auth.example.com", "auth.example.com"],
    ["https://a.auth.example.co.uk", "https://b.auth.example.co.uk", "auth.example.co.uk"],
  ])("%s and %s share %s", async (APP_URL, ADMIN_APP_URL, domain) => {
    for (const app of ["app", "admin"] as const) {
      const [warning, ...others] = await warningsOf({ APP_URL, ADMIN_APP_URL }, about, app);
      expect(warning).toContain(`AUTH_WEBAUTHN_RP_ID=${domain} lets both apps take the same ones`);
      expect(others).toEqual([]);
    }
    expect(await warningsOf({ APP_URL, ADMIN_APP_URL, AUTH_WEBAUTHN_RP_ID: domain }, "AUTH_WEBAUTHN")).toEqual([]);
  });

  test.each([
    ["https://auth.example.com", "https://auth.example.com:8443"],
    ["https://auth.example.com", "https://admin.example.net"],
    ["https://auth.example.co.uk", "https://admin.other.co.uk"],
    ["https://ada.github.io", "https://grace.github.io"],
    ["https://192.0.2.1", "https://192.0.3.1"],
  ])("%s and %s share nothing", async (APP_URL, ADMIN_APP_URL) => {
    expect(await warningsOf({ APP_URL, ADMIN_APP_URL }, about)).toEqual([]);
  });
});
