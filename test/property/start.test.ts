import { afterAll, beforeAll, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createSupervisor } from "../../src/app/roles/supervisor.ts";
import { createApp } from "../../src/app/index.ts";
import { startRoles } from "../../src/app/roles/roles.ts";
import { build } from "../../src/cli/build.info.ts";
import { ConfigurationError } from "../../src/cli/app/configuration.error.ts";
import { readStart } from "../../src/cli/app/start.ts";
import { randomToken } from "../../src/core/crypto.ts";
import { definitions } from "../support/definitions.ts";

// Environments are put together from values that are right, wrong, and right only beside others. What env:check accepts must
// start, down to the account of a local start and both listeners; what it refuses must not.
const runs = Number(process.env["GATEHOUSE_START_RUNS"] ?? 100);
const seed = Number(process.env["GATEHOUSE_START_SEED"] ?? Date.now() % 1_000_000);
const before = process.cwd();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-starts-"));
  // Relative paths lead to this folder, where no file of a developer's own says anything.
  process.chdir(folder);
});
afterAll(async () => {
  process.chdir(before);
  await rm(folder, { recursive: true });
});

const hosts = ["127.0.0.1", "localhost", "0.0.0.0", "300.1.1.1", "127.0.0.1:80", "no such host", "http://127.0.0.1"];
const times = ["1ms", "10m", "24h", "25h", "8760h", "87601h", "0s", "soon", "-1h"];
const urls = ["https://auth.example.test", "https://auth.example.test/id/", "http://127.0.0.1:9", "auth.example.test"];
const flags = ["true", "false", "1", "yes"];
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const appleKey = privateKey.export({ type: "pkcs8", format: "pem" });

const choices: Readonly<Record<string, readonly string[]>> = {
  APP_ENV: ["local", "testing", "staging", "production", "prod"],
  APP_URL: [...urls, "http://localhost:3000", "https://ada:secret@auth.example.test", "https://auth.example.test?x"],
  APP_DEBUG: ["0", "3", "4", "true"],
  APP_LOG_FORMAT: ["json", "console", "xml"],
  APP_SHUTDOWN_TIMEOUT: ["0s", "1h", "2h"],
  API_JWT_SECRET_KEY: [randomToken(), "short", "changeme"],
  APP_KEY: [randomToken(), "changeme"],
  API_JWT_PREVIOUS_SECRET_KEYS: [randomToken(), `${randomToken()},short`],
  API_HTTP_HOST: hosts,
  METRICS_HOST: hosts,
  METRICS_HTTP_PORT: ["0", "65536", "x"],
  METRICS_ENABLED: flags,
  API_HTTP_REUSE_PORT: flags,
  API_DOCS_ENABLED: flags,
  API_TRUSTED_PROXIES: ["127.0.0.1", "::ffff:0:0/96", "::ffff:127.0.0.1", "0.0.0.0/1,128.0.0.0/1", "10.0.0.0/33", "x"],
  AUTH_ALLOWED_ORIGINS: ["https://app.example.test", "http://localhost:5173", "https://*.example.test", "null"],
  AUTH_COOKIE_DOMAIN: ["example.test", "auth.example.test", "test", "localhost", "127.0.0.1", "example.org"],
  AUTH_ACCESS_TOKEN_TTL: times,
  AUTH_SESSION_TTL: times,
  AUTH_SESSION_IDLE_TTL: times,
  AUTH_REMEMBER_SESSION_TTL: times,
  AUTH_PASSWORD_RESET_TTL: times,
  AUTH_EMAIL_VERIFICATION_TTL: times,
  AUTH_OAUTH_STATE_TTL: times,
  AUDIT_RETENTION: times,
  AUTH_PASSWORD_MIN_LENGTH: ["8", "20", "7", "129"],
  AUTH_PASSWORD_REQUIRE_UPPER: flags,
  AUTH_PASSWORD_REQUIRE_SYMBOL: flags,
  AUTH_PASSWORD_RESET_RETURN_TOKEN: flags,
  AUTH_BOOTSTRAP_USERNAME: ["ada", "ada lovelace", "ada@example.test", "grace@example.test", "@", "-", "a".repeat(300)],
  AUTH_BOOTSTRAP_EMAIL: ["ada@example.test", "ada@b", "a..da@example.test", "ada@exa_mple.test", "ada"],
  AUTH_BOOTSTRAP_PASSWORD: [
    "a walk by the sea",
    "password123",
    "ada@example.test",
    "short",
    "x".repeat(300),
    "Aa1!Aa1!Aa1!",
  ],
  AUTH_OAUTH_GITHUB_CLIENT_ID: ["an id"],
  AUTH_OAUTH_GITHUB_CLIENT_SECRET: ["a secret", "changeme"],
  AUTH_OAUTH_GITHUB_TOKEN_URL: urls,
  AUTH_OAUTH_APPLE_CLIENT_ID: ["an id"],
  AUTH_OAUTH_APPLE_TEAM_ID: ["a team"],
  AUTH_OAUTH_APPLE_KEY_ID: ["a key"],
  AUTH_OAUTH_APPLE_PRIVATE_KEY: [appleKey, appleKey.replaceAll("\n", "\\n"), "no key"],
  CACHE_DRIVER: ["memory", "database", "redis"],
  CACHE_PROFILES_DRIVER: ["memory", "database", "x"],
  EVENTS_DRIVER: ["inproc", "redis"],
  EVENTS_OTHERS_DRIVER: ["inproc"],
  QUEUE_DRIVER: ["database", "sync", "x"],
  QUEUE_REPORTS_DRIVER: ["database", "sync"],
  QUEUE_LEASE: ["1s", "1h", "0s"],
  STORAGE_UPLOADS_DRIVER: ["local", "s3"],
  STORAGE_UPLOADS_PATH: ["/nowhere/at/all", "uploads"],
  BACKUP_DISK: ["default", "uploads", "nowhere"],
  APP_MAINTENANCE_DRIVER: ["memory", "cache"],
  APP_MAINTENANCE_STORE: ["default", "profiles", "nowhere"],
  APP_MAINTENANCE_ENABLED: flags,
  MAIL_DRIVER: ["log", "smtp"],
  MAIL_FROM: ["no-reply@example.test", "Gatehouse <no-reply@example.test>", "nobody", "a@b, c@d", "Ada <x>"],
  MAIL_SMTP_HOST: ["127.0.0.1", "relay.example.test"],
  MAIL_SMTP_USERNAME: ["gatehouse"],
  MAIL_SMTP_PASSWORD: ["a password", "changeme"],
  MAIL_SMTP_TLS: ["auto", "implicit", "off", "x"],
  LIGHTHOUSE_SECRET: [randomToken(), "short"],
  LIGHTHOUSE_INSPECT_ENABLED: flags,
  LIGHTHOUSE_INSPECT_SAMPLE_RATE: ["0", "0.5", "2"],
  LIGHTHOUSE_INSPECT_MAX_BYTES: ["1048576", "1"],
  INVOCATION_ID: ["0123456789abcdef"],
  APP_EVN: ["production"],
};

/** The settings of a complete production start, so that more of the environments are near to one that starts. */
const complete: Readonly<Record<string, string>> = {
  APP_ENV: "production",
  APP_URL: "https://auth.example.test",
  API_JWT_SECRET_KEY: randomToken(),
  APP_KEY: randomToken(),
  APP_DIAG_TOKEN: randomToken(),
  DB_DRIVER: "sqlite",
  CACHE_DRIVER: "database",
  EVENTS_DRIVER: "inproc",
  STORAGE_DRIVER: "local",
  QUEUE_DRIVER: "database",
  MAIL_DRIVER: "log",
  APP_MAINTENANCE_DRIVER: "cache",
};

const base = fc.constantFrom(
  { APP_ENV: "local" },
  { APP_ENV: "testing" },
  { ...complete, APP_ENV: "staging" },
  complete,
  {},
);
const changes = fc.uniqueArray(
  fc
    .constantFrom(...Object.entries(choices))
    .chain(([name, values]) => fc.constantFrom(...values).map((value) => [name, value] as const)),
  { maxLength: 5, selector: ([name]) => name },
);
const environments = fc
  .tuple(base, changes)
  .map(([from, changed]): Readonly<Record<string, string>> => ({ ...from, ...Object.fromEntries(changed) }));

let starts = 0;
const inFolder = (env: Readonly<Record<string, string>>): Record<string, string> => {
  const own = join(folder, String((starts += 1)));
  return {
    API_HTTP_PORT: "0",
    APP_DRAIN_DELAY: "0",
    DB_DATABASE: join(own, "app.db"),
    STORAGE_PATH: join(own, "storage"),
    ...env,
  };
};

const terminalWith = (env: Readonly<Record<string, string>>, lines: string[]) => ({
  env,
  readSecret: async () => "",
  out: (line: string) => void lines.push(line),
  err: (line: string) => void lines.push(line),
});

/** Environments that env:check used to accept and a start refused. */
const knownToDiffer: readonly Readonly<Record<string, string>>[] = [
  { APP_ENV: "testing", API_HTTP_HOST: "300.1.1.1" },
  { APP_ENV: "testing", API_HTTP_PORT: "39217", METRICS_HTTP_PORT: "39217" },
  { APP_ENV: "local", AUTH_BOOTSTRAP_PASSWORD: "password123" },
  { APP_ENV: "local", AUTH_BOOTSTRAP_PASSWORD: "a walk by the sea", AUTH_PASSWORD_REQUIRE_UPPER: "true" },
  { APP_ENV: "local", AUTH_BOOTSTRAP_USERNAME: "grace@example.test", AUTH_BOOTSTRAP_EMAIL: "ada@example.test" },
  { APP_ENV: "local", AUTH_BOOTSTRAP_USERNAME: "ada", AUTH_BOOTSTRAP_EMAIL: "a..da@example.test" },
];

/** Resolves to the problems that env:check finds. */
async function check(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const terminal = terminalWith(env, []);
  try {
    await readStart(definitions.app, terminal, { onlyLooks: true });
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return [error.message];
    throw error;
  }
}

/** Does what a start does, without the signals, and ends at once. Resolves to why the start was refused. */
async function start(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const lines: string[] = [];
  const terminal = terminalWith(env, lines);
  try {
    const { config, log } = await readStart(definitions.app, terminal, { onlyLooks: true });
    const app = await createApp({ definition: definitions.app, config, build, log });
    try {
      await app.migrator.up();
      const supervisor = createSupervisor({}, log);
      const roles = ["http", "worker", "scheduler"] as const;
      const { scrapes, giveUpWaiting } = await startRoles(app, {
        definition: definitions.app,
        config,
        build,
        log,
        roles,
        supervisor,
        program: process.execPath,
        announce: terminal.err,
      });
      supervisor.close();
      await giveUpWaiting();
      await Promise.all([app.worker.stop(0), app.scheduler.stop(0), app.http.stop(0)]);
      await scrapes?.stop();
    } finally {
      await app.close();
    }
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error), ...lines];
  }
}

test("X-32 what env:check accepts starts, and what it refuses does not (property)", async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(environments, async (generated) => {
      const env = inFolder(generated);
      const checked = await check(env);
      const started = await start(env);
      if (checked.length === 0) accepted += 1;
      expect({ generated, refused: started.length > 0, started }).toEqual({
        generated,
        refused: checked.length > 0,
        started,
      });
    }),
    { numRuns: runs, seed, examples: knownToDiffer.map((env): [typeof env] => [env]) },
  );
  // Some environments are accepted and some are refused: otherwise the property would say nothing.
  expect(accepted).toBeGreaterThan(runs / 10);
  expect(accepted).toBeLessThan(runs);
}, 120_000);
