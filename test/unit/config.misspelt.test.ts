import { expect, test } from "bun:test";
import { loadConfig } from "../../src/config/index.ts";
import { randomToken } from "../../src/core/crypto.ts";
import { definitions } from "../support/definitions.ts";

const secrets = () => ({ API_JWT_SECRET_KEY: randomToken(), APP_KEY: randomToken(), APP_DIAG_TOKEN: randomToken() });

test.each([
  ["AUTH_LOGIN_LOCKOUT_ATTEMPT", "AUTH_LOGIN_LOCKOUT_ATTEMPTS"],
  ["AUTH_LOGIN_LOCKOUTS_ATTEMPTS", "AUTH_LOGIN_LOCKOUT_ATTEMPTS"],
  ["AUTH_SESION_TTL", "AUTH_SESSION_TTL"],
  ["QUEUE_CONCURRENYC", "QUEUE_CONCURRENCY"],
  ["ADMIN_API_HTTP_PROT", "ADMIN_API_HTTP_PORT"],
  ["APP_DIAG_TOKEN_FLIE", "APP_DIAG_TOKEN_FILE"],
  ["STORAGE_UPLOADS_DRIVR", "STORAGE_UPLOADS_DRIVER"],
  ["STORGE_UPLOADS_DRIVER", "STORAGE_UPLOADS_DRIVER"],
  ["CACHE_PROFILES_DIRVER", "CACHE_PROFILES_DRIVER"],
])("%s is taken for a slip of %s", (name, meant) => {
  const loaded = loadConfig({ app: definitions.app, env: { ...secrets(), [name]: "5" } });
  expect(loaded.ok && loaded.warnings).toEqual([`${name} is no variable and changes nothing: is ${meant} meant?`]);
});

test("a slip that left something missing is told together with it", () => {
  const { APP_KEY: APP_KEYS, ...rest } = secrets();
  const loaded = loadConfig({
    app: definitions.app,
    env: { ...rest, APP_KEYS, APP_DIAG_TOKEN: "", APP_DIAGTOKEN: "x" },
  });
  expect(loaded.ok ? [] : loaded.problems).toEqual([
    "APP_KEY is required",
    "APP_DIAG_TOKEN is required",
    "APP_DIAGTOKEN is no variable and changes nothing: is APP_DIAG_TOKEN meant?",
  ]);
});

test("the name of a resource in small letters is refused, not read as its default", () => {
  const loaded = loadConfig({ app: definitions.app, env: { ...secrets(), CACHE_profiles_DRIVER: "database" } });
  expect(loaded.ok ? [] : loaded.problems).toEqual(["CACHE_profiles_DRIVER must be written in upper case"]);
});

test("names of others, of resources and with an app's in front are no slips", () => {
  const names = ["APP_ID", "APP_KEYS", "HOSTNAME", "API_TOKEN_URL", "CACHE_NODE_URI", "ADMIN_APP_DIAG_TOKEN_FILE"];
  const resources = { CACHE_PROFILES_DRIVER: "memory", STORAGE_UPLOADS_DRIVER: "local", STORAGE_UPLOADS_PATH: "x" };
  const apps = { ADMIN_API_HTTP_PORT: "1", APP_API_HTTP_PORT: "1", ADMIN_APP_ENV: "staging" };
  const others = Object.fromEntries(names.map((name) => [name, "5"]));
  const loaded = loadConfig({ app: definitions.app, env: { ...secrets(), ...others, ...resources, ...apps } });
  expect(loaded.ok && loaded.warnings).toEqual([]);
});
