import { describe, expect, test } from "bun:test";
import { loadConfig, variables } from "../../src/config/index.ts";
import { randomToken } from "../../src/core/crypto.ts";
import { definitions } from "../support/definitions.ts";

const secrets = () => ({ API_JWT_SECRET_KEY: randomToken(), APP_KEY: randomToken(), APP_DIAG_TOKEN: randomToken() });
const production = () => ({
  ...secrets(),
  APP_ENV: "production",
  APP_URL: "https://auth.example.test",
  DB_DRIVER: "sqlite",
  DB_DATABASE: "/var/lib/gatehouse/app.db",
  CACHE_DRIVER: "database",
  APP_MAINTENANCE_DRIVER: "cache",
  EVENTS_DRIVER: "inproc",
  STORAGE_DRIVER: "local",
  STORAGE_PATH: "/var/lib/gatehouse/storage",
  QUEUE_DRIVER: "database",
  MAIL_DRIVER: "log",
});

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  const loaded = loadConfig({ app: definitions.app, env });
  return loaded.ok ? [] : loaded.problems;
}

function configOf(env: Record<string, string | undefined>, app: "app" | "admin" = "app") {
  const loaded = loadConfig({ app: definitions[app], env });
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  return loaded.config;
}

describe("values", () => {
  test("the defaults are those of the contract", () => {
    const { app, http, auth } = configOf(secrets());
    expect(app).toMatchObject({
      env: "local",
      debug: 0,
      shutdownTimeoutMs: 30_000,
      drainDelayMs: 0,
      logFormat: "console",
    });
    expect(http).toMatchObject({ host: "127.0.0.1", port: 3000, reusePort: false, docsEnabled: true });
    expect(auth).toMatchObject({
      accessTtlMs: 900_000,
      sessionIdleTtlMs: 7_200_000,
      sessionTtlMs: 86_400_000,
      rememberSessionTtlMs: 2_592_000_000,
      lockout: { attempts: 5, durationMs: 900_000 },
      loginRateLimit: { attempts: 10, durationMs: 900_000 },
      ipRateLimit: { attempts: 100, durationMs: 900_000 },
    });
  });

  test("metrics are on, those of a worker and a scheduler on loopback ports that differ between the apps", () => {
    const fixed = { enabled: true, behindProxy: false, host: "127.0.0.1", httpPort: undefined };
    expect(configOf(secrets()).metrics).toEqual({ ...fixed, jobsPort: 10_002, schedulerPort: 10_001 });
    expect(configOf(secrets(), "admin").metrics).toEqual({ ...fixed, jobsPort: 10_012, schedulerPort: 10_011 });
  });

  test("the admin app listens on 3001, and its own variable wins in its binary only", () => {
    const env = { ...secrets(), ADMIN_API_HTTP_PORT: "4001", API_HTTP_HOST: "0.0.0.0" };
    expect(configOf(secrets(), "admin").http.port).toBe(3001);
    expect(configOf(env, "admin").http).toMatchObject({ port: 4001, host: "0.0.0.0" });
    expect(configOf(env).http.port).toBe(3000);
  });

  test("the configuration can't be changed after it was read", () => {
    const { auth } = configOf(secrets());
    expect(Object.isFrozen(auth.lockout)).toBe(true);
  });

  test.each([
    ["AUTH_ACCESS_TOKEN_TTL", "15"],
    ["AUTH_ACCESS_TOKEN_TTL", "0"],
    ["API_HTTP_PORT", "65536"],
    ["API_HTTP_PORT", "http"],
    ["APP_ENV", "prod"],
    ["APP_DEBUG", "4"],
    ["APP_URL", "auth.example.test"],
    ["AUTH_COOKIE_SECURE", "yes"],
    ["API_TRUSTED_PROXIES", "10.0.0.0/8, proxy"],
    ["AUTH_ALLOWED_ORIGINS", "https://app.example.test,*"],
    ["AUTH_PASSWORD_MIN_LENGTH", "7"],
    ["DB_DRIVER", "mysql"],
    ["MAIL_FROM", "nobody"],
    ["MAIL_FROM", "Gatehouse <nobody>"],
    ["API_TRUSTED_PROXIES", "10.0.0.0/33"],
    ["API_TRUSTED_PROXIES", "10.0.0/8"],
    ["API_TRUSTED_PROXIES", "fe80::/129"],
    ["API_TRUSTED_PROXIES", "::ffff:0:0/96"],
    ["APP_URL", "https://ada:hunter22@auth.example.test"],
    ["APP_URL", "https://auth.example.test/?next=x"],
    ["APP_URL", "javascript:alert(1)"],
    ["APP_SHUTDOWN_TIMEOUT", "720h"],
    ["AUTH_REMEMBER_SESSION_TTL", "99999999h"],
    ["AUTH_LOGIN_LOCKOUT_ATTEMPTS", "0"],
    ["QUEUE_CONCURRENCY", "1.5"],
    ["QUEUE_LEASE", "999ms"],
    ["QUEUE_LEASE", "61m"],
    ["APP_MAINTENANCE_DRIVER", "redis"],
    ["APP_MAINTENANCE_ENABLED", "on"],
    ["APP_MAINTENANCE_RETRY_AFTER", "500ms"],
  ])("%s=%s is refused by name, without the value", (name, value) => {
    const problems = problemsOf({ ...secrets(), ...production(), [name]: value });
    expect(problems.filter((problem) => problem.startsWith(`${name} `))).toHaveLength(1);
    expect(problems.join("\n")).not.toContain(`"${value}"`);
  });
});

describe("values that belong together", () => {
  test.each([
    [{ AUTH_SESSION_IDLE_TTL: "3h", AUTH_SESSION_TTL: "2h" }, "AUTH_SESSION_IDLE_TTL must not exceed AUTH_SESSION_TTL"],
    [{ AUTH_ACCESS_TOKEN_TTL: "3h", AUTH_SESSION_TTL: "2h" }, "AUTH_ACCESS_TOKEN_TTL must not exceed AUTH_SESSION_TTL"],
    [{ AUTH_SESSION_TTL: "721h" }, "AUTH_SESSION_TTL must not exceed AUTH_REMEMBER_SESSION_TTL"],
    [{ AUTH_BOOTSTRAP_USERNAME: "ada" }, "AUTH_BOOTSTRAP_USERNAME and AUTH_BOOTSTRAP_EMAIL"],
    [
      { AUTH_BOOTSTRAP_USERNAME: "ada", AUTH_BOOTSTRAP_EMAIL: "ada@example.test" },
      "AUTH_BOOTSTRAP_PASSWORD is required",
    ],
    [{ AUTH_BOOTSTRAP_PASSWORD: "short" }, "AUTH_BOOTSTRAP_PASSWORD must have at least 8"],
    [{ MAIL_DRIVER: "smtp" }, "MAIL_SMTP_HOST is required"],
    [{ MAIL_SMTP_USERNAME: "ada" }, "MAIL_SMTP_USERNAME and MAIL_SMTP_PASSWORD"],
  ])("%p is refused", (env, problem) => {
    expect(problemsOf({ ...secrets(), ...env })).toEqual([expect.stringContaining(problem)]);
  });

  test("maintenance is kept in a cache that there is", () => {
    for (const env of ["local", "production"]) {
      for (const name of ["operations", "constructor", "__proto__", "Default"]) {
        const given = { ...production(), APP_ENV: env, CACHE_SHARED_DRIVER: "database", APP_MAINTENANCE_STORE: name };
        expect(problemsOf(given)).toEqual(["APP_MAINTENANCE_STORE must be the name of a cache: default, shared"]);
      }
    }
    const shared = configOf({ ...secrets(), CACHE_SHARED_DRIVER: "database", APP_MAINTENANCE_STORE: "shared" });
    expect(shared.maintenance).toEqual({
      driver: "memory",
      store: "shared",
      enabled: false,
      staleMs: 300_000,
      retryAfterMs: 60_000,
    });
  });

  test("a session shorter than the default idle time is no contradiction", () => {
    expect(problemsOf({ ...secrets(), AUTH_SESSION_TTL: "10m" })).toEqual([]);
  });

  test("no variable with an app's name in front is another variable's name", () => {
    const names: ReadonlySet<string> = new Set(variables.map(({ name }) => name));
    expect([...names].filter((name) => names.has(`APP_${name}`) || names.has(`ADMIN_${name}`))).toEqual([]);
  });

  test("variables that are not Gatehouse's, and empty ones, are as good as absent", () => {
    const env = {
      ...secrets(),
      APP_ENVIRONMENT: "prod",
      LIGHTHOUSE_SECRET: "x",
      API_HTTP_PORT: "",
      ADMIN_API_HTTP_PORT: "x",
    };
    expect(configOf(env).http.port).toBe(3000);
  });

  test.each([
    ["true", 1],
    ["false", 0],
    ["0", 0],
    ["3", 3],
  ])("APP_DEBUG=%s is level %p", (value, level) => {
    expect(configOf({ ...secrets(), APP_DEBUG: value }).app.debug).toBe(level);
  });
});

describe("production", () => {
  test("a complete environment is accepted", () => {
    expect(problemsOf(production())).toEqual([]);
  });

  test("every problem is named at once", () => {
    const problems = problemsOf({ APP_ENV: "production", AUTH_SESSION_TTL: "soon", QUEUE_DRIVER: "sync" }).join("\n");
    for (const name of [
      "API_JWT_SECRET_KEY",
      "APP_KEY",
      "APP_DIAG_TOKEN",
      "APP_URL",
      "AUTH_SESSION_TTL",
      "DB_DRIVER",
      "MAIL_DRIVER",
      "QUEUE_DRIVER=sync",
      "DB_DATABASE",
    ]) {
      expect(problems).toContain(name);
    }
  });

  test.each(["AUTH_BOOTSTRAP_USERNAME", "AUTH_BOOTSTRAP_EMAIL", "AUTH_BOOTSTRAP_PASSWORD"])(
    "L-14 %s is refused",
    (name) => {
      for (const env of ["staging", "production"]) {
        const problems = problemsOf({ ...production(), APP_ENV: env, [name]: "ada@example.test" });
        expect(problems).toEqual([expect.stringContaining(`${name} is for local development only`)]);
      }
    },
  );

  test("a placeholder is refused wherever it stands", () => {
    const smtp = {
      MAIL_DRIVER: "smtp",
      MAIL_FROM: "Gatehouse <no-reply@example.test>",
      MAIL_SMTP_USERNAME: "gatehouse",
    };
    const problems = problemsOf({
      ...production(),
      ...smtp,
      MAIL_SMTP_HOST: "<SMTP_HOST>",
      MAIL_SMTP_PASSWORD: "changeme",
    });
    expect(problems).toEqual([
      "MAIL_SMTP_HOST still holds its placeholder",
      "MAIL_SMTP_PASSWORD still holds its placeholder",
    ]);
  });

  test("what starts all the same is warned of", () => {
    const loaded = loadConfig({
      app: definitions.app,
      env: {
        ...production(),
        APP_URL: "http://auth.example.test",
        AUTH_COOKIE_SECURE: "false",
        API_TRUSTED_PROXIES: "0.0.0.0/0",
      },
    });
    const warnings = loaded.ok ? loaded.warnings.join() : "";
    for (const name of ["APP_URL", "AUTH_COOKIE_SECURE", "API_TRUSTED_PROXIES", "MAIL_DRIVER"])
      expect(warnings).toContain(name);
  });

  test.each([
    "short",
    randomToken().slice(0, 31),
    "a".repeat(64),
    "abcd".repeat(16),
    "0123456789abcdef0123456789abcdef",
    "abcdefghijklmnopqrstuvwxyz0123456789",
    "<JWT_SECRET>",
    "changeme",
    "your-256-bit-secret-your-256-bit",
    "a-string-secret-at-least-256-bits-long",
    "your-super-secret-jwt-token-with-at-least-32-characters-long",
  ])("T-09 the signing key %s is refused, and not repeated", (key) => {
    for (const env of ["staging", "production"]) {
      const problems = problemsOf({ ...production(), APP_ENV: env, API_JWT_SECRET_KEY: key }).join("\n");
      expect(problems).toContain("API_JWT_SECRET_KEY");
      expect(problems).not.toContain(key);
      expect(problemsOf({ ...production(), API_JWT_PREVIOUS_SECRET_KEYS: key }).join()).toContain(
        "PREVIOUS_SECRET_KEYS",
      );
    }
  });

  test.each(["AUTH_PASSWORD_RESET_RETURN_TOKEN", "AUTH_EMAIL_VERIFICATION_RETURN_TOKEN"])("%s is refused", (name) => {
    for (const env of ["staging", "production"]) {
      expect(problemsOf({ ...production(), APP_ENV: env, [name]: "true" }).join()).toContain(name);
    }
  });

  test("X-15 a driver that was not chosen and a relative path are refused", () => {
    const { DB_DRIVER: _, ...rest } = production();
    expect(problemsOf(rest).join()).toContain("DB_DRIVER");
    expect(problemsOf({ ...production(), DB_DATABASE: "data/app.db" }).join()).toContain("DB_DATABASE");
  });

  test("X-15 maintenance that other processes would not see is refused", () => {
    const { APP_MAINTENANCE_DRIVER: _, ...rest } = production();
    expect(problemsOf(rest)).toEqual(["APP_MAINTENANCE_DRIVER must be chosen explicitly in production"]);
    expect(problemsOf({ ...rest, APP_MAINTENANCE_DRIVER: "memory" })).toEqual([
      expect.stringContaining("APP_MAINTENANCE_DRIVER=memory"),
    ]);
    const named = { ...production(), CACHE_OPERATIONS_DRIVER: "memory", APP_MAINTENANCE_STORE: "operations" };
    expect(problemsOf(named)).toEqual([expect.stringContaining("CACHE_OPERATIONS_DRIVER=memory")]);
    expect(problemsOf({ ...named, CACHE_OPERATIONS_DRIVER: "database" })).toEqual([]);
    expect(problemsOf({ ...production(), APP_ENV: "staging", APP_MAINTENANCE_DRIVER: "memory" })).toEqual([]);
  });

  test("SMTP without a host is refused", () => {
    expect(problemsOf({ ...production(), MAIL_DRIVER: "smtp" }).join()).toContain("MAIL_SMTP_HOST");
  });
});

test("the admin app looks at the app's inspects where the app keeps them, and at no file twice", () => {
  const pathOf = (env: Record<string, string>, app: "app" | "admin" = "admin") =>
    configOf({ ...secrets(), DB_DATABASE: "/data/app.db", ...env }, app).lighthouse.pathOfApp;
  expect(pathOf({})).toBe("/data/lighthouse-app.db");
  expect(pathOf({}, "app")).toBeUndefined();
  const moved = { LIGHTHOUSE_INSPECT_PATH: "/inspects/app.db" };
  expect(pathOf(moved)).toBeUndefined();
  expect(pathOf({ ...moved, ADMIN_LIGHTHOUSE_INSPECT_PATH: "/inspects/admin.db" })).toBe("/inspects/app.db");
});
