import { describe, expect, test } from "bun:test";
import { randomToken } from "../../src/core/crypto.ts";
import { createLog } from "../../src/observe/log.ts";

function logTo(format: "console" | "json", secrets: readonly string[] = []) {
  const lines: string[] = [];
  const log = createLog({ format, level: "info", clock: { now: () => 0 }, secrets, write: (line) => lines.push(line) });
  return { log, lines, text: () => lines.join("\n") };
}

const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLXNpZ25hdHVyZQ";
const refresh = `019a0000-0000-7000-8000-000000000001.3.${randomToken()}.${randomToken()}`;
const phc = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNo";

describe.each(["console", "json"] as const)("the %s log", (format) => {
  test.each([
    ["a JWT", `token was ${jwt}`, jwt],
    ["a refresh token", `got ${refresh} from a client`, refresh],
    ["a mailed token", "https://x.test/reset-password?token=abc123def", "abc123def"],
    ["a bearer header", "Authorization: Bearer s3cr3t-v4lue", "s3cr3t-v4lue"],
    ["a password hash", `row ${phc} is old`, phc],
    ["a 256-bit token", `value ${"A".repeat(43)} seen`, "A".repeat(43)],
  ])("masks %s in a message, a value and an error", (_, text, secret) => {
    const { log, text: written } = logTo(format);
    log.info(text);
    log.info("field", { note: text, list: [text], inner: { note: text } });
    log.error("failed", { error: new Error(text, { cause: new Error(text) }) });
    expect(written()).not.toContain(secret);
    expect(written()).toContain("[redacted]");
  });

  test.each(["password", "new_password", "apiKey", "auth_refresh", "Set-Cookie", "authorization", "secretHash", "diagToken"])(
    "masks whatever stands under the key %s",
    (key) => {
      const { log, text } = logTo(format);
      log.info("keyed", { [key === "auth_refresh" ? "cookie" : key]: "plainly-visible", inner: { [key === "auth_refresh" ? "cookies" : key]: ["plainly-visible"] } });
      expect(text()).not.toContain("plainly-visible");
    },
  );

  test("masks a configured secret wherever it turns up", () => {
    const { log, text } = logTo(format, ["correct horse battery"]);
    log.warn("see correct horse battery", { note: "correct horse battery", error: new Error("correct horse battery") });
    expect(text()).not.toContain("correct horse");
  });

  test("X-07 an entry is one line, whatever is in it", () => {
    const { log, lines } = logTo(format);
    const hostile = "a\r\nERROR forged\u0000\u001b[31m\u2028\u202e";
    log.info(hostile, { [hostile]: hostile });
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
  });

  test("a value that can't be read, or never ends, does not break the caller", () => {
    const { log, lines } = logTo(format);
    const loop: { self?: object } = {};
    loop.self = loop;
    log.info("odd", { loop, big: 10n, nothing: undefined, call: () => 1, get bad() { throw new Error("no"); } });
    log.info("long", { text: "x".repeat(1_000_000) });
    expect(lines).toHaveLength(2);
    expect(lines.join("").length).toBeLessThan(20_000);
  });

  test("lines below the level are dropped, and context is kept", () => {
    const { log, lines, text } = logTo(format);
    log.debug("quiet");
    log.with({ request_id: "r-1" }).info("loud", { status: 200 });
    expect(lines).toHaveLength(1);
    expect(text()).toContain("r-1");
  });
});
