import { describe, expect, test } from "bun:test";
import { loadConfig } from "../../src/config/index.ts";
import { testEnvironment } from "../support/environment.ts";
import { definitions } from "../support/definitions.ts";

const env = testEnvironment("/nowhere");
const load = (given: Record<string, string>, app: "app" | "admin" = "app") =>
  loadConfig({ app: definitions[app], env: { ...env, ...given } });

function configOf(given: Record<string, string>, app: "app" | "admin" = "app") {
  const loaded = load(given, app);
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  return loaded.config;
}

function problemsOf(given: Record<string, string>): readonly string[] {
  const loaded = load(given);
  return loaded.ok ? [] : loaded.problems;
}

const noBucket = {
  bucket: undefined,
  endpoint: undefined,
  region: undefined,
  accessKeyId: undefined,
  secretAccessKey: undefined,
  prefix: undefined,
};

describe("named resources", () => {
  test("the default one is always there", () => {
    const { cache, events, storage } = configOf({});
    expect({ cache, events, storage }).toEqual({
      cache: { default: { driver: "memory", url: undefined } },
      events: { default: { driver: "inproc", url: undefined } },
      storage: { default: { driver: "local", path: "/nowhere/data/storage", ...noBucket } },
    });
  });

  test("a driver variable makes one, of that app alone when the app's name is in front", () => {
    const given = {
      CACHE_PROFILES_DRIVER: "database",
      ADMIN_STORAGE_UPLOADS_DRIVER: "local",
      ADMIN_STORAGE_UPLOADS_PATH: "/srv/uploads",
      STORAGE_BACKUPS_DRIVER: "local",
    };
    expect(configOf(given).cache).toEqual({
      default: { driver: "memory", url: undefined },
      profiles: { driver: "database", url: undefined },
    });
    expect(Object.keys(configOf(given).storage)).toEqual(["default", "backups"]);
    expect(configOf(given, "admin").storage).toEqual({
      default: { driver: "local", path: "/nowhere/data/storage", ...noBucket },
      backups: { driver: "local", path: "data/backups", ...noBucket },
      uploads: { driver: "local", path: "/srv/uploads", ...noBucket },
    });
  });

  test("a name of several words is written with hyphens, and with underscores in its variables", () => {
    const given = {
      CACHE_USER_PROFILES_DRIVER: "database",
      EVENTS_BACK_OFFICE_DRIVER: "inproc",
      QUEUE_SLOW_REPORTS_DRIVER: "database",
      STORAGE_USER_UPLOADS_DRIVER: "local",
      APP_MAINTENANCE_STORE: "user-profiles",
      BACKUP_DISK: "user-uploads",
    };
    const { cache, events, queue, storage } = configOf(given);
    expect([cache, events, queue.resources, storage].map((family) => Object.keys(family)[1])).toEqual([
      "user-profiles",
      "back-office",
      "slow-reports",
      "user-uploads",
    ]);
    expect(storage["user-uploads"]?.path).toBe("data/user-uploads");
    expect(problemsOf({ STORAGE_USER_UPLOADS_PATH: "/srv" })).toEqual([
      "STORAGE_USER_UPLOADS_PATH is set without STORAGE_USER_UPLOADS_DRIVER",
    ]);
  });

  test.each([
    ["CACHE_TWO__WORDS_DRIVER", "memory", "letters, digits and single underscores"],
    ["QUEUE_WEBHOOK_CRM_DRIVER", "database", "belong to webhooks"],
    ["CACHE_DEFAULT_DRIVER", "memory", "the default resource is CACHE_DRIVER"],
    ["CACHE_PROFILES_DRIVER", "memcached", "must be one of memory, database"],
    ["STORAGE_UPLOADS_PATH", "/srv/uploads", "is set without STORAGE_UPLOADS_DRIVER"],
  ])("%s=%s is refused", (name, value, complaint) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(name)]);
    expect(problemsOf({ [name]: value }).join()).toContain(complaint);
  });

  test("production wants an absolute folder for each disk", () => {
    expect(problemsOf({ APP_ENV: "production", STORAGE_UPLOADS_DRIVER: "local" }).join("\n")).toContain(
      "STORAGE_UPLOADS_PATH must be an absolute path",
    );
  });

  test("a disk on S3 names its bucket and both halves of its key, and needs no folder", () => {
    const given = {
      STORAGE_OFF_SITE_DRIVER: "s3",
      STORAGE_OFF_SITE_BUCKET: "gatehouse-backups",
      STORAGE_OFF_SITE_ENDPOINT: "https://s3.example.test",
      STORAGE_OFF_SITE_ACCESS_KEY_ID: "AKIDADA",
      STORAGE_OFF_SITE_SECRET_ACCESS_KEY: "a secret access key",
      STORAGE_OFF_SITE_PREFIX: "gatehouse/production",
      BACKUP_DISK: "off-site",
    };
    expect(configOf(given).storage["off-site"]).toMatchObject({ driver: "s3", bucket: "gatehouse-backups" });
    expect(problemsOf({ ...given, APP_ENV: "production" }).join("\n")).not.toContain("STORAGE_OFF_SITE");
    expect(problemsOf({ STORAGE_DRIVER: "s3", STORAGE_BUCKET: "backups" })).toEqual([
      "STORAGE_DRIVER=s3 needs STORAGE_ACCESS_KEY_ID",
      "STORAGE_DRIVER=s3 needs STORAGE_SECRET_ACCESS_KEY",
    ]);
    expect(problemsOf({ STORAGE_BUCKET: "backups" })).toEqual(["STORAGE_BUCKET is set, and STORAGE_DRIVER is not s3"]);
    for (const bucket of ["ab", "Backups", "back_ups", "back..ups", "-backups", "127.0.0.1"])
      expect(problemsOf({ ...given, STORAGE_OFF_SITE_BUCKET: bucket }).join()).toContain(
        "must be the name of a bucket",
      );
    for (const prefix of ["/gatehouse", "gatehouse/", "../gatehouse", "a b"])
      expect(problemsOf({ ...given, STORAGE_OFF_SITE_PREFIX: prefix }).join()).toContain("must be names of letters");
  });
});
