import { describe, expect, test } from "bun:test";
import { decodeJwt, decodeProtectedHeader, exportPKCS8, generateKeyPair, jwtVerify } from "jose";
import { loadConfig } from "../../src/config/index.ts";
import { randomToken } from "../../src/core/crypto.ts";
import { createAppleSecret } from "../../src/oauth/exchange/apple.secret.ts";
import { ExchangeFailure } from "../../src/oauth/exchange/failure.ts";
import { createOutbound } from "../../src/oauth/exchange/outbound.ts";
import { microsoftIssuer } from "../../src/oauth/exchange/profiles.ts";
import { startFront } from "../support/chromium.ts";
import { definitions } from "../support/definitions.ts";

const minute = 60_000;
const keyOf = async (algorithm: string): Promise<{ pem: string; publicKey: CryptoKey }> => {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  return { pem: await exportPKCS8(privateKey), publicKey };
};

describe("Apple's client secret", () => {
  test("is an ES256 JWT of the developer's key, used again until shortly before it expires", async () => {
    const { pem, publicKey } = await keyOf("ES256");
    let now = Date.parse("2026-01-01T00:00:00Z");
    const secret = createAppleSecret({
      clientId: "test.example.service",
      teamId: "TEAM123456",
      keyId: "KEY1234567",
      privateKey: pem,
      audience: "https://appleid.apple.com",
      clock: { now: () => now },
    });
    const first = await secret();
    const { payload } = await jwtVerify(first, publicKey, { currentDate: new Date(now) });
    expect(payload).toEqual({
      iss: "TEAM123456",
      sub: "test.example.service",
      aud: "https://appleid.apple.com",
      iat: now / 1000,
      exp: now / 1000 + 3600,
    });
    expect(decodeProtectedHeader(first)).toEqual({ alg: "ES256", kid: "KEY1234567" });
    now += 54 * minute;
    expect(await secret()).toBe(first);
    now += 2 * minute;
    const second = await secret();
    expect(second).not.toBe(first);
    expect(decodeJwt(second).exp).toBe(now / 1000 + 3600);
  });
});

describe("the tenants of Microsoft", () => {
  const issuer = "https://login.microsoftonline.com/{tenantid}/v2.0";
  const personal = "9188040d-6c67-4c5b-b112-36a304b66dad";
  const company = "11111111-2222-4333-8444-555555555555";
  const other = "99999999-8888-4777-8666-555555555555";
  const named = (tid: string): string => issuer.replace("{tenantid}", tid);

  test.each([
    ["common", [personal, company, other], []],
    ["organizations", [company, other], [personal]],
    ["consumers", [personal], [company, other]],
    [company, [company], [personal, other]],
  ] as const)("%s lets in whom it names", (tenant, welcome, refused) => {
    const rules = microsoftIssuer({ issuer, tenant });
    for (const tid of welcome) {
      expect(rules.issuerFor({ tid })).toBe(named(tid));
      expect(rules.isFrom(named(tid))).toBe(true);
    }
    for (const tid of refused) {
      expect(rules.issuerFor({ tid })).toBeUndefined();
      expect(rules.isFrom(named(tid))).toBe(false);
    }
    for (const tid of ["", "common", `${company}/x`, `${company}\n`, company.toUpperCase().replace("1", "G")]) {
      expect(rules.issuerFor({ tid })).toBeUndefined();
    }
    for (const foreign of [
      "https://evil.example/v2.0",
      `${named(company)}/`,
      "https://login.microsoftonline.com//v2.0",
    ]) {
      expect(rules.isFrom(foreign)).toBe(false);
    }
  });
});

describe("the way out", () => {
  const reasonOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "none",
      (error: unknown) => (error instanceof ExchangeFailure ? error.reason : String(error)),
    );

  test("F-16 is https alone where plain HTTP is not allowed, and nothing is sent", async () => {
    let asked = 0;
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => {
        asked += 1;
        return new Response("{}");
      },
    });
    const send = createOutbound({ plainHttp: false });
    for (const url of [server.url.href, "ftp://evil.example/", "file:///etc/passwd", "data:,x", "not a url"]) {
      expect(await reasonOf(send(url, { method: "GET" }))).toBe("provider_insecure_url");
    }
    expect(asked).toBe(0);
    expect(await createOutbound({ plainHttp: true })(server.url.href, { method: "GET" })).toEqual({
      status: 200,
      text: "{}",
    });
  });

  test.skipIf(Bun.which("openssl") === null)(
    "F-16 speaks to nobody whose certificate is not vouched for, whatever the environment says",
    async () => {
      using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("{}") });
      const front = await startFront("provider.example.test", server.port ?? 0);
      const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
      try {
        const url = `https://127.0.0.1:${front.port}/`;
        expect(await (await fetch(url, { keepalive: false })).text()).toBe("{}");
        expect(await reasonOf(createOutbound({ plainHttp: true })(url, { method: "GET" }))).toBe(
          "provider_unreachable",
        );
      } finally {
        if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
        else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
        await front.stop();
      }
    },
  );

  test("F-16 ends at its deadline, before the head and in the middle of the body", async () => {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) =>
        request.url.endsWith("/silent")
          ? new Promise<Response>(() => {})
          : new Response(
              new ReadableStream({
                start(controller) {
                  controller.enqueue(new TextEncoder().encode("{"));
                },
              }),
            ),
    });
    const send = createOutbound({ plainHttp: true, timeoutMs: 100 });
    for (const path of ["/silent", "/stalled"]) {
      const started = performance.now();
      expect(await reasonOf(send(new URL(path, server.url).href, { method: "GET" }))).toBe("provider_timeout");
      expect(performance.now() - started).toBeLessThan(2_000);
    }
  });

  test("F-16 stops reading at its limit, whatever is packed into the bytes", async () => {
    const packed = Bun.gzipSync(new Uint8Array(50 * 1024 * 1024));
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response(packed, { headers: { "content-encoding": "gzip" } }),
    });
    const send = createOutbound({ plainHttp: true });
    expect(await reasonOf(send(server.url.href, { method: "GET" }))).toBe("provider_response_too_large");
  });
});

describe("the configuration of providers", () => {
  const local = { API_JWT_SECRET_KEY: randomToken(), APP_KEY: randomToken(), APP_DIAG_TOKEN: randomToken() };
  const staging = { ...local, APP_ENV: "staging", APP_URL: "https://auth.example.test" };
  const problemsOf = (env: Record<string, string>): readonly string[] => {
    const loaded = loadConfig({ app: definitions.app, env });
    return loaded.ok ? [] : loaded.problems;
  };
  const github = { AUTH_OAUTH_GITHUB_CLIENT_ID: "an id", AUTH_OAUTH_GITHUB_CLIENT_SECRET: randomToken() };

  test("whole or not at all, and every gap is named at once", () => {
    expect(problemsOf({ ...local, ...github })).toEqual([]);
    expect(
      problemsOf({
        ...local,
        AUTH_OAUTH_GITHUB_CLIENT_ID: "an id",
        AUTH_OAUTH_GOOGLE_CLIENT_SECRET: "a secret",
        AUTH_OAUTH_MICROSOFT_TENANT: "common",
        AUTH_OAUTH_APPLE_KEY_ID: "KEY1234567",
      }),
    ).toEqual([
      "AUTH_OAUTH_GITHUB_CLIENT_SECRET is required with AUTH_OAUTH_GITHUB_CLIENT_ID",
      "AUTH_OAUTH_GOOGLE_CLIENT_ID is required with AUTH_OAUTH_GOOGLE_CLIENT_SECRET",
      "AUTH_OAUTH_MICROSOFT_CLIENT_ID is required with AUTH_OAUTH_MICROSOFT_TENANT",
      "AUTH_OAUTH_MICROSOFT_CLIENT_SECRET is required with AUTH_OAUTH_MICROSOFT_TENANT",
      "AUTH_OAUTH_APPLE_CLIENT_ID is required with AUTH_OAUTH_APPLE_KEY_ID",
      "AUTH_OAUTH_APPLE_TEAM_ID is required with AUTH_OAUTH_APPLE_KEY_ID",
      "AUTH_OAUTH_APPLE_PRIVATE_KEY is required with AUTH_OAUTH_APPLE_KEY_ID",
    ]);
  });

  test("Apple's key is a P-256 key in PEM form, on one line or several; no other is named in the message", async () => {
    const apple = { AUTH_OAUTH_APPLE_CLIENT_ID: "x", AUTH_OAUTH_APPLE_TEAM_ID: "x", AUTH_OAUTH_APPLE_KEY_ID: "x" };
    const problem = "AUTH_OAUTH_APPLE_PRIVATE_KEY must be a P-256 private key in PEM form (PKCS #8)";
    const { pem } = await keyOf("ES256");
    for (const key of [pem, pem.replaceAll("\n", "\\n")]) {
      expect(problemsOf({ ...local, ...apple, AUTH_OAUTH_APPLE_PRIVATE_KEY: key })).toEqual([]);
    }
    const [rsa, p384] = [await keyOf("RS256"), await keyOf("ES384")];
    for (const key of ["x", pem.slice(30), rsa.pem, p384.pem]) {
      expect(problemsOf({ ...local, ...apple, AUTH_OAUTH_APPLE_PRIVATE_KEY: key })).toEqual([problem]);
    }
  });

  test("outside local and testing everything is https", () => {
    expect(problemsOf({ ...staging, ...github })).toEqual([]);
    const plain = { AUTH_OAUTH_GITHUB_TOKEN_URL: "http://gateway.example.test/token" };
    expect(problemsOf({ ...staging, ...github, ...plain, APP_URL: "http://auth.example.test" })).toEqual([
      "AUTH_OAUTH_GITHUB_TOKEN_URL must be https outside local and testing",
      "APP_URL must be https for OAuth: providers send sign-ins back to it",
    ]);
    expect(problemsOf({ ...local, ...github, ...plain })).toEqual([]);
  });

  test("F-16 outside local and testing no provider is at a private address", () => {
    const at = (host: string) => ({ AUTH_OAUTH_GITHUB_USERINFO_URL: `https://${host}/api/v3/user` });
    const hosts = [
      ["127.0.0.1", "2130706433", "0x7f.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
      ["169.254.169.254", "100.64.0.1", "192.0.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "10.0.0.1."],
      ["[::1]", "[::]", "[fe80::1]", "[fd00::1]", "[::ffff:10.0.0.1]", "[64:ff9b::a00:1]", "[ff02::1]"],
      ["localhost", "LOCALHOST:8443", "localhost.", "github.localhost"],
    ].flat();
    for (const host of hosts) {
      const problems = problemsOf({ ...staging, ...github, ...at(host) });
      expect({ host, problems }).toEqual({
        host,
        problems: ["AUTH_OAUTH_GITHUB_USERINFO_URL must not be at a private address outside local and testing"],
      });
      expect(problemsOf({ ...local, ...github, ...at(host) })).toEqual([]);
    }
    for (const host of [
      "github.example.test",
      "8.8.8.8",
      // The next two stand for an IPv4 address, and are judged by it.
      "[::ffff:8.8.8.8]",
      "[64:ff9b::808:808]",
      "172.32.0.1",
      "11.0.0.1",
      "[2606:4700::1111]",
      "localhost.example.test",
    ])
      expect({ host, problems: problemsOf({ ...staging, ...github, ...at(host) }) }).toEqual({ host, problems: [] });
  });

  test("placeholders, odd tenants and long-lived states are refused", () => {
    expect(problemsOf({ ...staging, ...github, AUTH_OAUTH_GITHUB_CLIENT_SECRET: "<GITHUB_SECRET>" })).toEqual([
      "AUTH_OAUTH_GITHUB_CLIENT_SECRET still holds its placeholder",
    ]);
    const microsoft = { AUTH_OAUTH_MICROSOFT_CLIENT_ID: "x", AUTH_OAUTH_MICROSOFT_CLIENT_SECRET: "x" };
    expect(problemsOf({ ...local, ...microsoft, AUTH_OAUTH_MICROSOFT_TENANT: "../evil" })).toEqual([
      "AUTH_OAUTH_MICROSOFT_TENANT must be common, organizations, consumers or the id (UUID) of a tenant",
    ]);
    expect(problemsOf({ ...local, AUTH_OAUTH_STATE_TTL: "11m" })).toEqual(["AUTH_OAUTH_STATE_TTL must not exceed 10m"]);
  });
});
