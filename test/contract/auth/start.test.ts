import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { sharedFolder } from "../../support/folder.ts";

const cwd = sharedFolder();

const production = {
  APP_ENV: "production",
  APP_URL: "https://id.example.com",
  APP_KEY: "f2c1b0e59d7a48c6a3e1d2b4c5f60718",
  APP_DIAG_TOKEN: "90e1c2d3b4a5968778695a4b3c2d1e0f",
  API_JWT_SECRET_KEY: "7d0b6b3f6c0e4a1f9b8d2c5e7a914c3b8f",
  DB_DRIVER: "sqlite",
  DB_DATABASE: "/var/lib/gatehouse/app.db",
  QUEUE_DRIVER: "database",
  MAIL_DRIVER: "smtp",
  MAIL_FROM: "no-reply@example.com",
  MAIL_SMTP_HOST: "127.0.0.1",
  API_TRUSTED_PROXIES: "127.0.0.1",
  CACHE_DRIVER: "database",
  APP_MAINTENANCE_DRIVER: "cache",
  EVENTS_DRIVER: "inproc",
  STORAGE_DRIVER: "local",
  STORAGE_PATH: "/var/lib/gatehouse/storage",
};
const check = (env: Record<string, string>): Promise<CommandResult> =>
  runGatehouse(["env:check"], { cwd, env: { ...production, ...env } });
async function expectRefused(env: Record<string, string>, ...names: string[]): Promise<void> {
  const { code, stdout, stderr } = await check(env);
  expect({ env, code, stdout }).toEqual({ env, code: 2, stdout: "" });
  for (const name of names) expect(stderr).toContain(name);
  for (const [name, value] of Object.entries(env)) {
    if (/KEY|PASSWORD|TOKEN$/.test(name) && value.length > 5) expect(stderr).not.toContain(value);
  }
}

describe("what stops a start", () => {
  test("a sound production environment does not", async () => {
    const { code, stderr } = await check({});
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("L-14 bootstrap variables outside local", async () => {
    const bootstrap = {
      AUTH_BOOTSTRAP_USERNAME: "admin",
      AUTH_BOOTSTRAP_EMAIL: "admin@example.com",
      AUTH_BOOTSTRAP_PASSWORD: "a long walk by the sea",
    };
    await expectRefused(bootstrap, ...Object.keys(bootstrap));
    await expectRefused({ ...bootstrap, APP_ENV: "staging" }, ...Object.keys(bootstrap));
    for (const [name, value] of Object.entries(bootstrap)) await expectRefused({ [name]: value }, name);
    const start = await runGatehouse(["api"], { cwd, env: { ...production, ...bootstrap, API_HTTP_PORT: "0" } });
    expect(start.code).toBe(2);
  });

  test("L-14 a signing key that was generated for local use", async () => {
    const local = { APP_ENV: "local", DB_DATABASE: join(cwd, "local.db") };
    const { code, stderr } = await runGatehouse(["env:check"], { cwd, env: { ...local, API_HTTP_PORT: "0" } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const written = await Bun.file(join(cwd, ".env.local"))
      .text()
      .catch(() => "");
    const generated = /^API_JWT_SECRET_KEY=["']?([^"'\n]+)/m.exec(written)?.[1];
    if (generated !== undefined) await expectRefused({ API_JWT_SECRET_KEY: generated }, "API_JWT_SECRET_KEY");
    await expectRefused({ API_JWT_SECRET_KEY: "" }, "API_JWT_SECRET_KEY");
  });

  test("T-09 a signing key of fewer than 256 bits, or one that anybody could guess", async () => {
    const weak = [
      "short",
      "0123456789abcdef0123456789abcde",
      "changeme-changeme-changeme-changeme",
      "your-secret-key-your-secret-key-1",
      "secretsecretsecretsecretsecretsecret",
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "<API_JWT_SECRET_KEY_OF_32_BYTES_OR_MORE>",
    ];
    for (const APP_ENV of ["production", "staging"]) {
      for (const API_JWT_SECRET_KEY of weak) await expectRefused({ APP_ENV, API_JWT_SECRET_KEY }, "API_JWT_SECRET_KEY");
    }
    await expectRefused({ API_JWT_PREVIOUS_SECRET_KEYS: "short" }, "API_JWT_PREVIOUS_SECRET_KEYS");
  }, 120_000);

  test("G-11 returned tokens outside local and testing", async () => {
    for (const APP_ENV of ["production", "staging"]) {
      for (const name of ["AUTH_PASSWORD_RESET_RETURN_TOKEN", "AUTH_EMAIL_VERIFICATION_RETURN_TOKEN"]) {
        await expectRefused({ APP_ENV, [name]: "true" }, name);
      }
    }
  });

  test("P-01 a minimum length below 8", async () => {
    await expectRefused({ AUTH_PASSWORD_MIN_LENGTH: "7" }, "AUTH_PASSWORD_MIN_LENGTH");
    expect((await check({ AUTH_PASSWORD_MIN_LENGTH: "15" })).code).toBe(0);
  });

  test("L-03 a lockout after more than 100 failures", async () => {
    await expectRefused({ AUTH_LOGIN_LOCKOUT_ATTEMPTS: "101" }, "AUTH_LOGIN_LOCKOUT_ATTEMPTS");
    await expectRefused({ AUTH_LOGIN_LOCKOUT_ATTEMPTS: "0" }, "AUTH_LOGIN_LOCKOUT_ATTEMPTS");
  });

  test("C-02 production over plain HTTP starts only with a warning", async () => {
    const { code, stdout, stderr } = await check({ APP_URL: "http://id.example.com" });
    expect([0, 2]).toContain(code);
    expect(`${stdout}${stderr}`).toContain("APP_URL is not https");
  });

  test("L-26 a proxy that must be there and is trusted by nobody is warned of", async () => {
    const { code, stdout, stderr } = await check({ API_TRUSTED_PROXIES: "" });
    expect(code).toBe(0);
    expect(`${stdout}${stderr}`).toContain("API_TRUSTED_PROXIES names none");
  });

  test("everything that is wrong is named at once", async () => {
    const env = {
      AUTH_PASSWORD_MIN_LENGTH: "7",
      AUTH_PASSWORD_RESET_RETURN_TOKEN: "true",
      API_JWT_SECRET_KEY: "short",
      AUTH_ACCESS_TOKEN_TTL: "soon",
    };
    await expectRefused(env, ...Object.keys(env));
  });
});
