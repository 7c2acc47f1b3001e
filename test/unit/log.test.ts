import { describe, expect, test } from "bun:test";
import { randomToken, tokenHash } from "../../src/core/crypto.ts";
import { createLog } from "../../src/observe/log.ts";

function logTo(format: "console" | "json", secrets: readonly string[] = []) {
  const lines: string[] = [];
  const log = createLog({ format, level: "info", clock: { now: () => 0 }, secrets, write: (line) => lines.push(line) });
  return { log, lines, text: () => lines.join("\n") };
}

const id = "019a0000-0000-7000-8000-000000000001";
const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLXNpZ25hdHVyZQ";
const refresh = `${id}.3.${randomToken()}.${randomToken()}`;
const salt = "c2FsdHNhbHQ";
const phcHash = "aGFz/GhhcXM+oYXNo";
const token = randomToken();

// Each entry has a name for a secret, a text in which it turns up, and the part that must not come out.
const corpus: readonly (readonly [string, string, string])[] = [
  ["a JWT", `token was ${jwt}`, jwt],
  ["a refresh token", `got ${refresh} from a client`, refresh],
  ["a 256-bit token", `value ${token} seen`, token],
  ["the hash of a token", `row ${tokenHash(token)} is old`, tokenHash(token)],
  ["a mailed token", "https://x.test/reset-password?token=abc123def", "abc123def"],
  ["a token at the start", "token=abc123def", "abc123def"],
  ["a prefixed token", "form: reset_token=abc123def&x=1", "abc123def"],
  ["an OAuth code", "GET /callback?code=abc123def&state=xyz", "abc123def"],
  ["an OAuth state", "GET /callback?code=abc&state=xyz123def", "xyz123def"],
  ["a form password", "login=ada&password=hunter22", "hunter22"],
  ["a JSON password", '{"login":"ada","new_password": "hunter22"}', "hunter22"],
  ["a bearer header", "sent Bearer s3cr3t-v4lue", "s3cr3t-v4lue"],
  ["an authorization header", "Authorization: Digest s3cr3t-v4lue", "s3cr3t-v4lue"],
  ["basic credentials", "sent Basic YWRhOmh1bnRlcjIy", "YWRhOmh1bnRlcjIy"],
  ["a cookie header", "cookie: theme=dark; auth_refresh=s3cr3t-v4lue", "s3cr3t-v4lue"],
  ["a session cookie", "jar has auth_access=s3cr3t-v4lue; Path=/", "s3cr3t-v4lue"],
  ["the salt of an Argon2 hash", `row $argon2id$v=19$m=19456,t=2,p=1$${salt}$${phcHash} is old`, salt],
  ["an Argon2 hash", `row $argon2id$v=19$m=19456,t=2,p=1$${salt}$${phcHash} is old`, phcHash],
  ["a bcrypt hash", "row $2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy", "N9qo8uLOickgx2ZMRZoMye"],
  ["credentials in a URL", "can't reach smtp://mailer:hunter22@mail.test:587", "hunter22"],
  ["a private key", "-----BEGIN PRIVATE KEY-----\nMIGTAgEAMBMG\n-----END PRIVATE KEY-----", "MIGTAgEAMBMG"],
];

describe.each(["console", "json"] as const)("the %s log", (format) => {
  test.each(corpus)("X-11 masks %s in a message, a value and an error", (_, text, secret) => {
    const { log, text: written } = logTo(format);
    log.info(text);
    log.info("field", { note: text, list: [text], inner: { note: text }, map: new Map([["note", text]]) });
    log.error("failed", { error: new Error(text, { cause: new AggregateError([new Error(text)], text) }) });
    expect(written()).not.toContain(secret);
    expect(written()).toContain("[redacted]");
  });

  test.each([
    "password",
    "new_password",
    "passwd",
    "apiKey",
    "API_KEY",
    "auth_refresh",
    "auth_access",
    "refresh",
    "Set-Cookie",
    "authorization",
    "secretHash",
    "secret_hash",
    "diagToken",
    "jwt",
    "client_secret",
    "privateKey",
    "otp",
  ])("masks whatever stands under the key %s", (key) => {
    const { log, text } = logTo(format);
    log.info("keyed", { [key]: "plainly-visible", inner: { [key]: ["plainly-visible"] } });
    log.info("paired", { headers: new Headers({ authorization: "plainly-visible" }), raw: [[key, "plainly-visible"]] });
    expect(text()).not.toContain("plainly-visible");
  });

  test("V-11 masks the secret of a service, whatever characters it happens to have", () => {
    const secret = `gh_${"a1b2-".repeat(8)}xyz`;
    const { log, text: written } = logTo(format);
    log.info(`asked with ${secret}`, { note: secret, query: `q=${secret}&x=1` });
    log.error("failed", { error: new Error(`no ${secret}`) });
    expect(written()).not.toContain(secret.slice(0, 12));
  });

  test("leaves alone what only resembles a secret", () => {
    const { log, text } = logTo(format);
    const facts = {
      request_id: id,
      reason: "missing_refresh_cookie",
      route: "/api/v1/auth/refresh",
      refresh_rotated_at: "2026-01-02T03:04:05.000Z",
      access_ttl: "15m",
      deleted_tokens: 7,
      path: "/var/lib/gatehouse/app.db",
      migration: "0001_accounts_and_sessions_with_a_rather_long_name",
    };
    log.info("Basic checks passed, exit code=1", facts);
    expect(text()).not.toContain("[redacted]");
    for (const fact of Object.values(facts)) expect(text()).toContain(String(fact));
  });

  test("masks a configured secret wherever it turns up, encoded too", () => {
    const { log, text } = logTo(format, ["correct horse battery"]);
    log.warn("see correct horse battery", {
      note: "q=correct%20horse%20battery",
      error: new Error("correct horse battery"),
    });
    log.warn("key", { "correct horse battery": 1 });
    expect(text()).not.toMatch(/correct.{1,3}horse/);
  });

  test("a secret that stands where a long value is cut does not come out in part", () => {
    for (let before = 3_900; before <= 4_100; before += 1) {
      const { log, text } = logTo(format);
      log.info("long", { note: `${"- ".repeat(before / 2)}${refresh} ${"- ".repeat(2_000)}` });
      expect(text()).not.toContain(refresh.slice(0, 45));
    }
    const { log, text } = logTo(format);
    log.info("shrunk", { note: `${"cookie: ".padEnd(4_500, "x")}\n${"- ".repeat(225)}${token} ${"- ".repeat(2_000)}` });
    expect(text()).not.toContain(token.slice(0, 20));
  });

  test("X-07 an entry is one line, whatever is in it", () => {
    const { log, lines } = logTo(format);
    const hostile = "a\r\nERROR forged\u0000\u001b[31m\u009b\u2028\u202e";
    log.info(hostile, { [hostile]: hostile, error: new Error(hostile) });
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
  });

  test("a value that can't be read, or never ends, does not break the caller", () => {
    const { log, lines, text } = logTo(format);
    const loop: { self?: object } = {};
    loop.self = loop;
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    log.info("odd", {
      loop,
      big: 10n,
      nothing: undefined,
      call: () => 1,
      sign: Symbol("s"),
      proxy: revoked.proxy,
      when: new Date(Number.NaN),
      bytes: new Uint8Array(32),
      kept: "still here",
      get bad() {
        throw new Error("no");
      },
    });
    log.info("long", { text: "x".repeat(1_000_000) });
    const row = Array.from({ length: 1_000 }).fill("y".repeat(5_000));
    const wide = Array.from({ length: 1_000 }).fill(row);
    log.info("wide", { wide });
    expect(lines).toHaveLength(3);
    expect(text()).toContain("still here");
    expect(text()).toContain("32 bytes");
    expect(text().length).toBeLessThan(80_000);
  });

  test("text made to be slow to search is not", () => {
    const { log } = logTo(format, ["correct horse battery"]);
    const started = performance.now();
    for (const bait of ["eyJ", "a_", "-----BEGIN PRIVATE KEY-----", "a.", "$argon2id$", "cookie ", "://", '"token']) {
      log.info("bait", { text: bait.repeat(100_000) });
    }
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test("a field can't pass itself off as the entry's level", () => {
    const { log, lines } = logTo(format);
    log.error("broken", { level: "debug", message: "fine", time: "never" });
    expect(lines[0]).toContain(format === "json" ? '"level":"error","message":"broken"' : "ERROR broken");
    expect(lines[0]).toContain("field_level");
  });

  test("an error keeps its code and its causes", () => {
    const { log, text } = logTo(format);
    const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED", value: { body: "of-the-client" } });
    log.error("failed", { error: new Error("no mail", { cause: refused }) });
    expect(text()).toContain("no mail");
    expect(text()).toContain("ECONNREFUSED");
    expect(text()).not.toContain("of-the-client");
  });

  test("lines below the level are dropped unread, and context is kept", () => {
    const { log, lines, text } = logTo(format);
    log.debug("quiet", {
      get costly(): string {
        throw new Error("was read");
      },
    });
    log.with({ request_id: "r-1", status: 100 }).info("loud", { status: 200 });
    expect(lines).toHaveLength(1);
    expect(text()).toContain("r-1");
    expect(text()).not.toContain("100");
  });
});

test("a log whose target is gone does not break the caller", () => {
  const log = createLog({
    format: "json",
    level: "info",
    clock: { now: () => 0 },
    write: () => {
      throw new Error("EPIPE");
    },
  });
  expect(() => log.error("last words")).not.toThrow();
});
