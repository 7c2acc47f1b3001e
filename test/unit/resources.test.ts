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
      cache: { default: { driver: "memory" } },
      events: { default: { driver: "inproc" } },
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
    expect(configOf(given).cache).toEqual({ default: { driver: "memory" }, profiles: { driver: "database" } });
    expect(Object.keys(configOf(given).storage)).toEqual(["default", "backups"]);
    expect(configOf(given, "admin").storage).toEqual({
      default: { driver: "local", path: "/nowhere/data/storage" },
      backups: { driver: "local", path: "data/backups" },
      uploads: { driver: "local", path: "/srv/uploads" },
    });
  });

  test.each([
    ["CACHE_TWO_WORDS_DRIVER", "memory", "named by one word"],
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
