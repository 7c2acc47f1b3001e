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
  MAIL_DRIVER: "smtp",
  MAIL_SMTP_HOST: "relay.example.test",
  MAIL_FROM: "no-reply@example.test",
};
const load = (env: Readonly<Record<string, string>>) =>
  loadConfig({ app: definitions.app, env: { ...staging, ...env } });
function warningsOf(env: Readonly<Record<string, string>>): readonly string[] {
  const loaded = load(env);
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  return loaded.warnings;
}
function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  const loaded = load(env);
  return loaded.ok ? [] : loaded.problems;
}

const everyEighth = Array.from({ length: 256 }, (_, first) => `${first}.0.0.0/8`).join(",");

describe("X-33 trusting large parts of the internet as proxies gets a warning", () => {
  test.each([
    "0.0.0.0/0",
    "::/0",
    "0.0.0.0/1,128.0.0.0/1",
    "128.0.0.0/1,10.0.0.0/8,0.0.0.0/1",
    "0.0.0.0/1",
    "1.2.3.4/1",
    "0.0.0.0/2,64.0.0.0/2,128.0.0.0/2,192.0.0.0/2",
    everyEighth,
    "8.0.0.0/8",
    "8.0.0.0/9,8.128.0.0/9",
    "2000::/3",
    "2000::/4,3000::/4",
    "2a00::/11",
    "::/1",
    "::/64",
    "::/80",
  ])("%s", (API_TRUSTED_PROXIES) => {
    expect(warningsOf({ API_TRUSTED_PROXIES })).toEqual([
      "API_TRUSTED_PROXIES trusts large parts of the internet: clients there can choose the address that limits count",
    ]);
  });

  test.each([
    "127.0.0.1/32,::1/128",
    "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,127.0.0.0/8,169.254.0.0/16",
    "fc00::/7,fe80::/10,::1",
    "173.245.48.0/20,103.21.244.0/22,141.101.64.0/18,162.158.0.0/15,104.16.0.0/13,172.64.0.0/13,2606:4700::/32,2a06:98c0::/29",
    "203.0.113.0/24,203.0.113.0/24,203.0.113.7",
    "8.0.0.0/9",
    "::/90",
  ])("not %s", (API_TRUSTED_PROXIES) => expect(warningsOf({ API_TRUSTED_PROXIES })).toEqual([]));
});

test.each(["::ffff:0:0/96", "::ffff:0:0/0", "::ffff:10.0.0.0/104", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "x"])(
  "X-32 %s is no block, to env:check as to a start",
  (API_TRUSTED_PROXIES) => {
    expect(problemsOf({ API_TRUSTED_PROXIES })).toEqual(["API_TRUSTED_PROXIES must be a list of CIDR blocks"]);
  },
);

test("G-14 AUTH_FIRST_PASSWORD_TTL is from a minute to thirty days", () => {
  const name = "AUTH_FIRST_PASSWORD_TTL";
  for (const [value, problems] of [
    ["1m", []],
    ["720h", []],
    ["59s", [`${name} must be at least 60000ms`]],
    ["720h1ms", [`${name} must not exceed 720h`]],
    ["7d", [`${name} must be a duration such as 15m, 1h30m or 720h`]],
  ] as const)
    expect(problemsOf({ [name]: value })).toEqual([...problems]);
});

test.each(["AUTH_PASSWORD_RESET_TTL", "AUTH_EMAIL_VERIFICATION_TTL"])("G-14 %s is a day at most", (name) => {
  for (const [value, problems] of [
    ["24h", []],
    ["24h1ms", [`${name} must not exceed 24h`]],
    ["25h", [`${name} must not exceed 24h`]],
    ["8760h", [`${name} must not exceed 24h`]],
  ] as const)
    expect(problemsOf({ [name]: value })).toEqual([...problems]);
});
