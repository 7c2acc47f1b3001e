import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect as connectHttp2, type ClientHttp2Session } from "node:http2";
import { createApp } from "../../../src/app/index.ts";
import { build } from "../../../src/cli/build.info.ts";
import { unopenedDatabase } from "../../../src/cli/app/unopened.database.ts";
import { loadConfig, type AppName } from "../../../src/config/index.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { createLog } from "../../../src/observe/log.ts";
import { definitions } from "../../support/definitions.ts";
import { exchangeOverTls, startNginxOfBoth, startProxy, whyNoProxy, type Proxy } from "../../support/proxy.ts";
import { insideOf, rawTargets, spellingCount } from "../../support/raw.targets.ts";
import { signingPair } from "../../support/signing.pair.ts";
import { startTarget, type Target } from "../../support/target.ts";
import { exchange } from "../../unit/http/site.ts";
import { lighthouseSecret, recording } from "../inspect/lighthouse.fixture.ts";

const limitMs = 10_000;
const { privatePem } = signingPair("EdDSA");

/** Resolves to the status and the body of the answer to one request over HTTP/2, which has the target in a field of its own. */
function askOverHttp2(session: ClientHttp2Session, path: string, authorization: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = "";
  const stream = session.request({ ":path": path, ":authority": "auth.example.com", authorization });
  const limit = setTimeout(() => stream.close(), limitMs);
  stream.on("response", (headers) => {
    received = `${headers[":status"] ?? ""} `;
  });
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    received += text;
  });
  // A target that the proxy does not accept ends the stream, which is as good as a refusal.
  stream.on("error", () => resolve(received));
  stream.on("close", () => {
    clearTimeout(limit);
    resolve(received);
  });
  stream.end();
  return promise;
}

const head = (method: string, target: string, lines: readonly string[] = [], host = "auth.example.com"): string =>
  `${[`${method} ${target} HTTP/1.1`, `Host: ${host}`, "Connection: close", ...lines].join("\r\n")}\r\n\r\n`;

const statusOf = (answer: string): string => answer.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length);

/** Returns every route of the app for strangers or staff, with a value for each parameter. */
async function publicRoutes(
  name: AppName = "app",
): Promise<readonly { readonly method: string; readonly path: string }[]> {
  const github = { AUTH_OAUTH_GITHUB_CLIENT_ID: "an id", AUTH_OAUTH_GITHUB_CLIENT_SECRET: "a secret" };
  const env = { APP_ENV: "testing", API_DOCS_ENABLED: "true", APP_URL: "https://auth.example.com", ...github };
  const secrets = {
    API_JWT_SECRET_KEY: "k".repeat(40),
    API_JWT_PRIVATE_KEY: privatePem,
    APP_KEY: "a key",
    APP_DIAG_TOKEN: "a token",
  };
  const loaded = loadConfig({ app: definitions[name], env: { ...env, ...secrets } });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const log = createLog({ format: "json", level: "error", clock: systemClock, secrets: [] });
  const database = unopenedDatabase("sqlite");
  const app = await createApp({ definition: definitions[name], config: loaded.config, build, log, database });
  const routes = app.routes();
  await app.close();
  return routes
    .filter(({ path }) => !/^\/(?:metrics|lighthouse|-\/maintenance)(?:\/|$)/.test(path))
    .map(({ method, path }) => ({
      method,
      path: path.replace(":provider", "github").replaceAll(/:\w+/g, "0197a000-0000-7000-8000-000000000001"),
    }));
}

/** Settings under which the app itself protects none of these paths, so that the tests judge the examples of proxies. */
const env = {
  ...recording,
  APP_URL: "https://auth.example.com",
  API_DOCS_ENABLED: "true",
  API_JWT_PRIVATE_KEY: privatePem,
  API_TRUSTED_PROXIES: "127.0.0.1/32",
  AUTH_OAUTH_GITHUB_CLIENT_ID: "an id",
  AUTH_OAUTH_GITHUB_CLIENT_SECRET: "a secret",
  METRICS_BEHIND_PROXY: "true",
  LIGHTHOUSE_BEHIND_PROXY: "true",
} as const;

let target: Target;
beforeAll(async () => {
  target = await startTarget({ roles: ["http"], env });
});
afterAll(() => target.stop());

describe.each(["nginx", "haproxy"] as const)("behind %s, as its example configures it", (name) => {
  const lack = whyNoProxy(name);
  const title = (sentence: string): string => (lack === undefined ? sentence : `${sentence} (needs ${lack})`);
  let proxy: Proxy;
  beforeAll(async () => {
    if (lack === undefined) proxy = await startProxy(name, target.port);
  });
  afterAll(() => proxy?.stop());

  test.skipIf(lack !== undefined)(
    `X-19 ${title("no spelling of a path reaches metrics, Lighthouse, the maintenance control or readiness in detail")}`,
    async () => {
      expect(spellingCount).toBeGreaterThanOrEqual(60);
      const tokens = [lighthouseSecret, target.env["APP_DIAG_TOKEN"]];
      const reached: string[] = [];
      for (const raw of rawTargets)
        for (const token of tokens) {
          const answer = await exchangeOverTls(proxy.port, head("GET", raw, [`Authorization: Bearer ${token}`]));
          for (const part of insideOf(answer)) reached.push(`${JSON.stringify(raw)} reaches ${part}`);
        }
      expect(reached).toEqual([]);
      // The form, on which anybody might try a secret, can't be reached either.
      for (const raw of ["/lighthouse/sign-in", "/x/../lighthouse/sign-in", "/-/maintenance/enable"]) {
        const answer = await exchangeOverTls(proxy.port, head("POST", raw, ["Content-Length: 0"]));
        expect({ raw, status: answer.slice(0, 13) }).toEqual({ raw, status: expect.stringMatching(/ 40[04] $/) });
      }
    },
    120_000,
  );

  test.skipIf(lack !== undefined)(
    `X-19 ${title("nor does one over HTTP/2")}`,
    async () => {
      function open(): ClientHttp2Session {
        const opened = connectHttp2(`https://127.0.0.1:${proxy.port}`, { rejectUnauthorized: false });
        opened.on("error", () => opened.destroy());
        return opened;
      }
      let session = open();
      const reached: string[] = [];
      let answered = 0;
      for (const raw of rawTargets)
        for (const token of [lighthouseSecret, target.env["APP_DIAG_TOKEN"]]) {
          if (session.closed || session.destroyed) session = open();
          const answer = await askOverHttp2(session, raw, `Bearer ${token}`);
          if (answer !== "") answered += 1;
          for (const part of insideOf(answer)) reached.push(`${JSON.stringify(raw)} reaches ${part}`);
        }
      session.destroy();
      expect(reached).toEqual([]);
      expect(answered).toBeGreaterThan(rawTargets.length);
    },
    120_000,
  );

  test.skipIf(lack !== undefined)(
    title("every public route answers as it does without the proxy"),
    async () => {
      const routes = await publicRoutes();
      expect(routes.length).toBeGreaterThan(20);
      for (const { method, path } of routes)
        for (const suffix of ["", "?a=../b%2e%2e&c=\\"]) {
          const lines = method === "POST" ? ["Content-Type: application/json", "Content-Length: 2"] : [];
          const request = `${head(method, `${path}${suffix}`, lines)}${method === "POST" ? "{}" : ""}`;
          const direct = statusOf(await exchange(target.port, request));
          const proxied = statusOf(await exchangeOverTls(proxy.port, request));
          expect({ method, path, suffix, status: proxied }).toEqual({ method, path, suffix, status: direct });
        }
    },
    60_000,
  );

  test.skipIf(lack !== undefined)(title("X-07 what a client says about its own address does not count"), async () => {
    const lines = ["X-Forwarded-For: 198.51.100.7", "X-Forwarded-Proto: http", "Content-Type: application/json"];
    const body = '{"login":"nobody","password":"a walk by another sea"}';
    await exchangeOverTls(
      proxy.port,
      `${head("POST", "/api/v1/auth/login", [...lines, `Content-Length: ${body.length}`])}${body}`,
    );
    expect(target.logs()).not.toContain("198.51.100.7");
  });

  test.skipIf(lack !== undefined)(title("plain http leads to https"), async () => {
    const answer = await exchange(proxy.plainPort, head("GET", "/api/v1/hello"));
    expect(answer).toMatch(/^HTTP\/1\.1 308 [^]*\r\nlocation: https:\/\/auth\.example\.com\/api\/v1\/hello\r\n/i);
  });
});

describe("the pages for staff behind nginx, as the example configures it", () => {
  const lack = whyNoProxy("nginx");
  const title = (sentence: string): string => (lack === undefined ? sentence : `${sentence} (needs ${lack})`);
  const host = "admin.auth.example.com";
  let admin: Target;
  let proxy: Proxy;
  beforeAll(async () => {
    if (lack !== undefined) return;
    admin = await startTarget({ app: "admin", roles: ["http"], env: { ...env, APP_URL: `https://${host}` } });
    proxy = await startNginxOfBoth(target.port, admin.port);
  });
  afterAll(async () => {
    await proxy?.stop();
    await admin?.stop();
  });
  const ask = (method: string, path: string, lines: readonly string[] = []): Promise<string> =>
    exchangeOverTls(proxy.port, head(method, path, lines, host), host);

  test.skipIf(lack !== undefined)(
    title("every page, and what it loads, answers as it does without the proxy"),
    async () => {
      const routes = (await publicRoutes("admin")).filter(({ path }) => !/^\/openapi(?:\/|$)/.test(path));
      expect(routes.length).toBeGreaterThan(40);
      for (const { method, path } of routes) {
        const lines = method === "POST" ? ["Content-Length: 0"] : [];
        const direct = statusOf(await exchange(admin.port, head(method, path, lines, host)));
        expect({ method, path, status: statusOf(await ask(method, path, lines)) }).toEqual({
          method,
          path,
          status: direct,
        });
      }
      expect(statusOf(await ask("POST", "/schedules/auth:cleanup/run", ["Content-Length: 0"]))).not.toBe("404");
    },
  );

  test.skipIf(lack !== undefined)(
    `X-19 ${title("no spelling of a path reaches metrics, Lighthouse, the maintenance control or readiness in detail of the admin app")}`,
    async () => {
      const reached: string[] = [];
      for (const raw of rawTargets)
        for (const token of [lighthouseSecret, admin.env["APP_DIAG_TOKEN"]])
          for (const part of insideOf(await ask("GET", raw, [`Authorization: Bearer ${token}`])))
            reached.push(`${JSON.stringify(raw)} reaches ${part}`);
      expect(reached).toEqual([]);
    },
    120_000,
  );
});
