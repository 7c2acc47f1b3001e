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

describe("named resources", () => {
  test("the default one is always there", () => {
    const { cache, events, storage } = configOf({});
    expect({ cache, events, storage }).toEqual({
      cache: { default: { driver: "memory", url: undefined } },
      events: { default: { driver: "inproc", url: undefined } },
      storage: { default: { driver: "local", path: "/nowhere/data/storage" } },
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
      default: { driver: "local", path: "/nowhere/data/storage" },
      backups: { driver: "local", path: "data/backups" },
      uploads: { driver: "local", path: "/srv/uploads" },
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
});
