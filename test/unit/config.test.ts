import { afterEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig, resolveEnvironment, variables } from "../../src/config/index.ts";
import { randomToken } from "../../src/core/crypto.ts";

const secrets = () => ({ API_JWT_SECRET_KEY: randomToken(), APP_KEY: randomToken(), APP_DIAG_TOKEN: randomToken() });
const production = () => ({
  ...secrets(),
  APP_ENV: "production",
  APP_URL: "https://auth.example.test",
  DB_DRIVER: "sqlite",
  DB_DATABASE: "/var/lib/gatehouse/app.db",
  QUEUE_DRIVER: "database",
  MAIL_DRIVER: "log",
});

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  const loaded = loadConfig({ app: "app", env });
  return loaded.ok ? [] : loaded.problems;
}

function configOf(env: Record<string, string | undefined>, app: "app" | "admin" = "app") {
  const loaded = loadConfig({ app, env });
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  return loaded.config;
}

const folders: string[] = [];
async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-config-"));
  folders.push(folder);
  return folder;
}
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

describe("values", () => {
  test("the defaults are those of the contract", () => {
    const { app, http, auth } = configOf(secrets());
    expect(app).toMatchObject({ env: "local", debug: 0, shutdownTimeoutMs: 30_000, drainDelayMs: 0, logFormat: "console" });
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
    ["AUTH_PASSWORD_MIN_LENGTH", "7"],
    ["DB_DRIVER", "mysql"],
    ["MAIL_FROM", "nobody"],
  ])("%s=%s is refused by name, without the value", (name, value) => {
    const problems = problemsOf({ ...secrets(), ...production(), [name]: value });
    expect(problems.filter((problem) => problem.startsWith(`${name} `))).toHaveLength(1);
    expect(problems.join("\n")).not.toContain(`"${value}"`);
  });
});

describe("production", () => {
  test("a complete environment is accepted", () => {
    expect(problemsOf(production())).toEqual([]);
  });

  test("every problem is named at once", () => {
    const problems = problemsOf({ APP_ENV: "production", AUTH_SESSION_TTL: "soon", QUEUE_DRIVER: "sync" }).join("\n");
    for (const name of [
      "API_JWT_SECRET_KEY", "APP_KEY", "APP_DIAG_TOKEN", "APP_URL", "AUTH_SESSION_TTL",
      "DB_DRIVER", "MAIL_DRIVER", "QUEUE_DRIVER=sync", "DB_DATABASE",
    ]) {
      expect(problems).toContain(name);
    }
  });

  test("L-14 bootstrap variables are refused", () => {
    expect(problemsOf({ ...production(), AUTH_BOOTSTRAP_PASSWORD: "something" }).join()).toContain("AUTH_BOOTSTRAP_PASSWORD");
  });

  test.each(["short", "a".repeat(64), "abcd".repeat(16), "<JWT_SECRET>", "changeme"])(
    "T-09 the signing key %s is refused, and not repeated",
    (key) => {
      const problems = problemsOf({ ...production(), API_JWT_SECRET_KEY: key }).join("\n");
      expect(problems).toContain("API_JWT_SECRET_KEY");
      expect(problems).not.toContain(key);
    },
  );

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

  test("SMTP without a host is refused", () => {
    expect(problemsOf({ ...production(), MAIL_DRIVER: "smtp" }).join()).toContain("MAIL_SMTP_HOST");
  });
});

describe("files", () => {
  test("local needs nothing set: secrets are generated once, for their owner alone to read", async () => {
    const folder = await emptyFolder();
    const first = resolveEnvironment({}, folder);
    const second = resolveEnvironment({}, folder);
    expect(first.created).toBe(join(folder, ".env.local"));
    expect(second.created).toBeUndefined();
    expect(second.env).toEqual(first.env);
    expect((await stat(join(folder, ".env.local"))).mode & 0o777).toBe(0o600);
    expect(configOf(first.env).auth.bootstrap).toMatchObject({ username: "admin", email: "admin@example.test" });
  });

  test("the process environment wins over .env.local, and that over .env", async () => {
    const folder = await emptyFolder();
    await Bun.write(join(folder, ".env"), "APP_KEY=from-env-file\nAPP_DEBUG=2\nAPP_DIAG_TOKEN=from-env-file\n");
    await Bun.write(join(folder, ".env.local"), "APP_KEY=from-local-file\nAPP_DIAG_TOKEN=from-local-file\n");
    const { env } = resolveEnvironment({ APP_DIAG_TOKEN: "from-process" }, folder);
    expect(env).toMatchObject({ APP_DEBUG: "2", APP_KEY: "from-local-file", APP_DIAG_TOKEN: "from-process" });
  });

  test("outside local no file is read or written", async () => {
    const folder = await emptyFolder();
    await Bun.write(join(folder, ".env"), "APP_DEBUG=3\n");
    for (const mode of ["testing", "staging", "production"]) {
      const { env, created } = resolveEnvironment({ APP_ENV: mode }, folder);
      expect(env["APP_DEBUG"]).toBeUndefined();
      expect(created).toBeUndefined();
    }
    expect(await Bun.file(join(folder, ".env.local")).exists()).toBe(false);
  });

  test("processes that start first together agree on the secrets", async () => {
    const folder = await emptyFolder();
    const script = `import { resolveEnvironment } from ${JSON.stringify(join(import.meta.dir, "../../src/config/index.ts"))};
      console.log(resolveEnvironment({}, ${JSON.stringify(folder)}).env.APP_KEY);`;
    const starts = Array.from({ length: 4 }, () => Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" }));
    const keys = await Promise.all(starts.map((start) => new Response(start.stdout).text()));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]?.trim().length).toBe(43);
  });
});

test("every variable is in .env.example, with its default, and nothing else is", async () => {
  const example = await Bun.file(join(import.meta.dir, "../../.env.example")).text();
  const listed = [...example.matchAll(/^# ([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => `${name}=${value}`);
  expect(listed).toEqual(variables.map(({ name, fallback }) => `${name}=${fallback ?? ""}`));
});
