import { describe, expect, test } from "bun:test";
import { loadConfig, type LoadOptions } from "../../src/config/index.ts";
import { randomToken } from "../../src/core/crypto.ts";
import { definitions } from "../support/definitions.ts";

const production: Readonly<Record<string, string>> = {
  APP_ENV: "production",
  APP_URL: "https://auth.example.test",
  API_JWT_SECRET_KEY: randomToken(),
  APP_KEY: randomToken(),
  APP_DIAG_TOKEN: randomToken(),
  DB_DRIVER: "sqlite",
  DB_DATABASE: "/var/lib/gatehouse/app.db",
  CACHE_DRIVER: "database",
  EVENTS_DRIVER: "inproc",
  STORAGE_DRIVER: "local",
  STORAGE_PATH: "/var/lib/gatehouse/storage",
  QUEUE_DRIVER: "database",
  MAIL_DRIVER: "log",
  APP_MAINTENANCE_DRIVER: "cache",
};
const load = (env: Record<string, string>, options: Partial<LoadOptions> = {}) =>
  loadConfig({ app: definitions.app, env: { ...production, ...env }, ...options });
function problemsOf(env: Record<string, string>, options: Partial<LoadOptions> = {}): readonly string[] {
  const loaded = load(env, options);
  return loaded.ok ? [] : loaded.problems;
}
function warningsOf(env: Record<string, string>, options: Partial<LoadOptions> = {}): readonly string[] {
  const loaded = load(env, options);
  return loaded.ok ? loaded.warnings : loaded.problems;
}
const roles = ["api", "worker", "scheduler"] as const;

describe("X-15 what production refuses", () => {
  test.each([
    "DB_DRIVER",
    "CACHE_DRIVER",
    "EVENTS_DRIVER",
    "STORAGE_DRIVER",
    "QUEUE_DRIVER",
    "MAIL_DRIVER",
    "APP_MAINTENANCE_DRIVER",
  ])("a %s that nobody chose, and staging takes the default", (name) => {
    expect(problemsOf({ [name]: "" })).toEqual([`${name} must be chosen explicitly in production`]);
    expect(problemsOf({ APP_MAINTENANCE_DRIVER: "memory", [name]: "", APP_ENV: "staging" })).toEqual([]);
  });

  test.each(["CACHE_DRIVER", "CACHE_PROFILES_DRIVER"])("%s=memory, in whichever process", (name) => {
    const refused = [`${name}=memory is each process's own: use database or redis in production`];
    for (const role of [undefined, ...roles]) expect(problemsOf({ [name]: "memory" }, { role })).toEqual(refused);
    const staging = { [name]: "memory", APP_ENV: "staging", APP_MAINTENANCE_DRIVER: "memory" };
    expect(warningsOf(staging, { role: "api" })).toContain(
      `${name}=memory is each process's own: roles that run apart don't share it`,
    );
    expect(warningsOf(staging).join()).not.toContain(name);
  });

  test("maintenance for all processes is refused in staging too over a cache that is each process's own", () => {
    const staging = { APP_ENV: "staging" };
    const shared = { ...staging, CACHE_OPERATIONS_DRIVER: "database", APP_MAINTENANCE_STORE: "operations" };
    const refused = (name: string) => [
      `APP_MAINTENANCE_DRIVER=cache is for all processes, and ${name}=memory is each process's own: use database or redis`,
    ];
    for (const CACHE_DRIVER of ["memory", ""])
      expect(problemsOf({ ...staging, CACHE_DRIVER })).toEqual(refused("CACHE_DRIVER"));
    expect(problemsOf({ ...shared, CACHE_OPERATIONS_DRIVER: "memory" })).toEqual(refused("CACHE_OPERATIONS_DRIVER"));
    expect(problemsOf({ ...shared, CACHE_DRIVER: "memory" })).toEqual([]);
    expect(problemsOf({ ...staging, CACHE_DRIVER: "memory", APP_MAINTENANCE_DRIVER: "" })).toEqual([]);
    for (const APP_ENV of ["local", "testing"]) expect(problemsOf({ APP_ENV, CACHE_DRIVER: "memory" })).toEqual([]);
  });

  test("QUEUE_DRIVER=sync, and a worker that would have nothing to do everywhere", () => {
    expect(problemsOf({ QUEUE_DRIVER: "sync" }).join()).toContain("QUEUE_DRIVER=sync loses jobs");
    for (const APP_ENV of ["local", "testing", "staging"]) {
      expect(problemsOf({ APP_ENV, QUEUE_DRIVER: "sync" }, { role: "worker" })).toEqual([
        "QUEUE_DRIVER=sync leaves a worker nothing to do: jobs run in the process that makes them",
      ]);
      expect(problemsOf({ APP_ENV, QUEUE_DRIVER: "sync" }, { role: "api" })).toEqual([]);
    }
  });

  test("events within the process are no reason: subscribers run where events are published", () => {
    for (const role of roles) expect(problemsOf({}, { role })).toEqual([]);
  });

  test.each(["DB_DATABASE", "STORAGE_PATH", "STORAGE_UPLOADS_PATH"])(
    "a %s that is relative, or in the folder of the binary",
    (name) => {
      const disk = name === "STORAGE_UPLOADS_PATH" ? { STORAGE_UPLOADS_DRIVER: "local" } : {};
      const releaseFolder = "/opt/gatehouse/releases/7";
      const at = (path: string) => problemsOf({ ...disk, [name]: path }, { releaseFolder });
      expect(at("data")).toEqual([`${name} must be an absolute path outside the release in production`]);
      for (const path of [`${releaseFolder}/data`, `${releaseFolder}/../7/data`])
        expect(at(path)).toEqual([
          `${name} lies in the folder of the binary, which the next release replaces: move it out`,
        ]);
      for (const path of ["/opt/gatehouse/data", "/opt/gatehouse/releases/70/data", `${releaseFolder}/../data`])
        expect(at(path)).toEqual([]);
    },
  );
});

test.each([
  [{}, "", false],
  [{ LIGHTHOUSE_SECRET: randomToken() }, "set", false],
  [{ LIGHTHOUSE_INSPECT_ENABLED: "true" }, "", false],
  [{ LIGHTHOUSE_SECRET: randomToken(), LIGHTHOUSE_INSPECT_ENABLED: "true" }, "set", true],
] as const)(
  "production records inspects only where it is told to and somebody can read them: %#",
  (env, secret, is) => {
    const loaded = load(env);
    if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
    expect(loaded.config.lighthouse.secret === "" ? "" : "set").toBe(secret);
    expect(loaded.config.lighthouse.recording).toBe(is);
  },
);

test("continuous copies need a disk, an interval of a minute at most, and a key that is one", () => {
  const age = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
  const disk = { BACKUP_DISK: "default" };
  expect(problemsOf({ BACKUP_CHANGES_INTERVAL: "10s" })).toEqual([
    "BACKUP_CHANGES_INTERVAL needs BACKUP_DISK, where changes go",
  ]);
  expect(problemsOf({ ...disk, BACKUP_CHANGES_INTERVAL: "10s", BACKUP_AGE_RECIPIENT: age })).toEqual([]);
  expect(problemsOf({ ...disk, BACKUP_CHANGES_INTERVAL: "2m" })).toEqual([
    "BACKUP_CHANGES_INTERVAL must not exceed 1m",
  ]);
  for (const wrong of [age.replace("ql3", "ql2"), age.slice(0, -1), "AGE-SECRET-KEY-1QQQ", "age1"])
    expect(problemsOf({ ...disk, BACKUP_AGE_RECIPIENT: wrong })).toEqual([
      "BACKUP_AGE_RECIPIENT must be a public key of age, age1…, as age-keygen prints it",
    ]);
});

test("D-29 BACKUP_DISK with DB_DRIVER=postgres is refused: nothing would make its backups", () => {
  const postgres = {
    DB_DRIVER: "postgres",
    DB_DATABASE: "",
    DB_URL: "postgres://gatehouse:secret@db.internal/gatehouse?sslmode=verify-full",
  };
  expect(problemsOf(postgres)).toEqual([]);
  expect(problemsOf({ ...postgres, BACKUP_DISK: "default" })).toEqual([
    "BACKUP_DISK is for SQLite: with DB_DRIVER=postgres remove it, and back the database up with pg_dump",
  ]);
  expect(problemsOf({ BACKUP_DISK: "default" })).toEqual([]);
});

test.each([
  ["admin", {}, true],
  ["admin", { ADMIN_AUTH_MFA_REQUIRED: "false" }, false],
  ["app", {}, false],
  ["admin", { APP_ENV: "testing" }, false],
] as const)(
  "M-15 by default the admin app asks for a second factor in production, and nothing else does: %s %j",
  (app, env, required) => {
    const loaded = load(env, { app: definitions[app] });
    expect(loaded.ok ? loaded.config.auth.mfaRequired : loaded.problems).toBe(required);
  },
);
