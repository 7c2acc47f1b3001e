import { expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { createApp, tokensIn } from "../../support/native.ts";
import { stage } from "../../support/stage.ts";
import { exchange } from "../../unit/http/site.ts";

// Requests of a page, a sibling host or a careless app go over the wire as they are: a client would mend some of them.

const listed = "https://app.example.test";
const { target, people } = await stage({
  env: {
    APP_URL: "https://auth.example.test",
    AUTH_ALLOWED_ORIGINS: listed,
    AUTH_COOKIE_DOMAIN: "example.test",
    AUTH_OAUTH_GITHUB_CLIENT_ID: "an id",
    AUTH_OAUTH_GITHUB_CLIENT_SECRET: "a secret",
    LIGHTHOUSE_SECRET: "the secret of the operators of this test",
  },
});

const ada = await people.register("ada");
const tokens = tokensIn(await createApp(target.url).login(ada.email, ada.password));
const cookie = `Cookie: auth_access=${ada.client.cookie("auth_access")}; auth_refresh=${ada.client.cookie("auth_refresh")}`;
const login = { login: ada.email, password: ada.password };

const json = "Content-Type: application/json";
const origin = `Origin: ${listed}`;
const evil = "Origin: https://evil.test";
const asking = "Access-Control-Request-Method: POST";

interface Hostile {
  readonly what: string;
  readonly line: string;
  readonly headers: readonly string[];
  readonly body?: string;
  /** Status, code, the origin that may read the answer, and the number of cookies that it sets. */
  readonly answer: readonly [number, string | undefined, string | undefined, number];
}

const post = (route: string): string => `POST ${auth(route)}`;
const refused = [403, "cross_site_request", undefined, 0] as const;
const noTokens = [403, "cookies_only", undefined, 0] as const;

const requests: readonly Hostile[] = [
  { what: "a foreign page", line: post("logout"), headers: [evil, cookie, json], answer: refused },
  { what: "a sandboxed page", line: post("logout"), headers: ["Origin: null", cookie, json], answer: refused },
  { what: "two origins", line: post("logout"), headers: [origin, evil, cookie, json], answer: refused },
  {
    what: "a listed one behind another",
    line: post("logout"),
    headers: [`Origin: https://evil.test ${listed}`, cookie, json],
    answer: refused,
  },
  {
    what: "an origin in other case",
    line: post("logout"),
    headers: ["Origin: https://APP.example.test", cookie, json],
    answer: refused,
  },
  { what: "an origin with a dot", line: post("logout"), headers: [`${origin}.`, cookie, json], answer: refused },
  {
    what: "an origin without TLS",
    line: post("logout"),
    headers: ["Origin: http://app.example.test", cookie, json],
    answer: refused,
  },
  {
    what: "a sibling that says nothing of its origin",
    line: post("logout"),
    headers: ["Sec-Fetch-Site: same-site", cookie, json],
    answer: refused,
  },
  {
    what: "a foreign page behind a forged host",
    line: post("logout"),
    headers: [evil, "X-Forwarded-Host: evil.test", cookie, json],
    answer: refused,
  },
  {
    what: "a form of a listed page",
    line: post("login"),
    headers: [origin, "Content-Type: application/x-www-form-urlencoded"],
    body: "login=ada",
    answer: [403, "cross_site_request", listed, 0],
  },
  {
    what: "text of a listed page",
    line: post("login"),
    headers: [origin, "Content-Type: text/plain"],
    body: JSON.stringify(login),
    answer: [403, "cross_site_request", listed, 0],
  },
  {
    what: "nothing of a listed page",
    line: post("logout"),
    headers: [origin, cookie],
    answer: [403, "cross_site_request", listed, 0],
  },
  {
    what: "a preflight of a foreign page",
    line: `OPTIONS ${auth("login")}`,
    headers: [evil, asking],
    answer: [405, "method_not_allowed", undefined, 0],
  },
  {
    what: "a preflight for a path without routes",
    line: "OPTIONS /api/v1/nowhere",
    headers: [origin, asking],
    answer: [404, "not_found", listed, 0],
  },
  {
    what: "a preflight for a sign-in by a provider",
    line: `OPTIONS ${auth("oauth/github/start")}`,
    headers: [origin, asking],
    answer: [405, "method_not_allowed", undefined, 0],
  },
  {
    what: "a preflight for Lighthouse",
    line: "OPTIONS /lighthouse/api/inspects",
    headers: [origin, asking],
    answer: [405, "method_not_allowed", undefined, 0],
  },
  {
    what: "Lighthouse behind a path of the API",
    line: "GET /api/../lighthouse/api/inspects",
    headers: [origin],
    answer: [401, "unauthorized", undefined, 0],
  },
  {
    what: "the callback as JSON",
    line: post("oauth/github/callback"),
    headers: [origin, json],
    body: '{"state":"x","code":"x"}',
    answer: refused,
  },
  {
    what: "tokens for a page of this host",
    line: post("login"),
    headers: ["Origin: https://auth.example.test", json],
    body: JSON.stringify({ ...login, delivery: "body" }),
    answer: noTokens,
  },
  {
    what: "tokens for a listed page",
    line: post("login"),
    headers: [origin, json],
    body: JSON.stringify({ ...login, delivery: "body" }),
    answer: [403, "cookies_only", listed, 0],
  },
  {
    what: "tokens for a browser that hides its origin",
    line: post("login"),
    headers: ["Sec-Fetch-Site: none", json],
    body: JSON.stringify({ ...login, delivery: "body" }),
    answer: noTokens,
  },
  {
    what: "tokens beside the cookies of a session",
    line: post("login"),
    headers: [cookie, json],
    body: JSON.stringify({ ...login, delivery: "body" }),
    answer: noTokens,
  },
  {
    what: "a refresh token beside the cookie",
    line: post("refresh"),
    headers: [cookie, json],
    body: JSON.stringify({ refresh_token: tokens.refresh }),
    answer: noTokens,
  },
  {
    what: "a refresh token of a page",
    line: post("refresh"),
    headers: [origin, json],
    body: JSON.stringify({ refresh_token: tokens.refresh }),
    answer: [403, "cookies_only", listed, 0],
  },
  {
    what: "an access token for a refresh token",
    line: post("refresh"),
    headers: [json],
    body: JSON.stringify({ refresh_token: tokens.access }),
    answer: [401, "unauthorized", undefined, 0],
  },
  {
    what: "a refresh token as bearer",
    line: `GET ${auth("me")}`,
    headers: [`Authorization: Bearer ${tokens.refresh}`],
    answer: [401, "unauthorized", undefined, 0],
  },
  {
    what: "a bad bearer beside good cookies",
    line: `GET ${auth("me")}`,
    headers: ["Authorization: Bearer x", cookie],
    answer: [401, "unauthorized", undefined, 0],
  },
  {
    what: "another delivery",
    line: post("login"),
    headers: [json],
    body: JSON.stringify({ ...login, delivery: "header" }),
    answer: [400, "invalid_payload", undefined, 0],
  },
  {
    what: "cookies of nobody beside those of a session",
    line: `GET ${auth("me")}`,
    headers: [`${cookie}; auth_access=x; auth_refresh=y`],
    answer: [200, undefined, undefined, 0],
  },
];

test("X-75 X-76 X-77 X-83 hostile requests get these answers, and end no session", async () => {
  expect(requests.length).toBeGreaterThanOrEqual(25);
  const answers = await Promise.all(
    requests.map(async ({ line, headers, body = "" }) => {
      const head = [
        `${line} HTTP/1.1`,
        "Host: auth.example.test",
        "Connection: close",
        `Content-Length: ${body.length}`,
      ];
      const received = await exchange(target.port, [...head, ...headers, "", body].join("\r\n"));
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(received) ?? [];
      const [, code] = /"code":"(\w+)"/.exec(received) ?? [];
      const [, reader] = /^access-control-allow-origin: (.*)\r$/im.exec(received) ?? [];
      return [Number(status), code, reader, received.match(/^set-cookie:/gim)?.length ?? 0];
    }),
  );
  expect(requests.map(({ what }, index) => [what, answers[index]])).toEqual(
    requests.map(({ what, answer }) => [what, [...answer]]),
  );
  expect((await ada.client.get(auth("me"))).status).toBe(200);
  expect((await createApp(target.url).refresh(tokens)).status).toBe(200);
});
