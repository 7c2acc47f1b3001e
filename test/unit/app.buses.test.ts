import { expect, test } from "bun:test";
import { requireSharedBuses } from "../../src/app/rules/bus.rules.ts";
import { finderOf } from "../../src/app/resources/named.ts";
import { loadConfig } from "../../src/config/index.ts";
import { definitions } from "../support/definitions.ts";
import { testEnvironment } from "../support/environment.ts";

const busOf = (name: string, driver: string, ...subscribers: readonly string[]) => ({
  name,
  driver,
  subscribers: () => subscribers,
});
function configOf(env: "testing" | "production") {
  const loaded = loadConfig({ app: definitions.app, env: testEnvironment("/nowhere") });
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  return { app: { ...loaded.config.app, env } };
}

test("D-36 where roles run apart, production refuses a subscriber that would hear of its own process alone", () => {
  const buses = [busOf("default", "inproc"), busOf("back-office", "inproc", "reports")];
  const judge = (env: "testing" | "production", kind: "combined" | "http" | "jobs", among = buses) =>
    requireSharedBuses({ config: configOf(env), kind, buses: among });
  expect(() => judge("production", "jobs")).toThrow(
    'EVENTS_BACK_OFFICE_DRIVER=inproc reaches no other process, and "reports" has subscribed: use redis where roles run apart',
  );
  judge("production", "combined");
  judge("testing", "http");
  judge("production", "http", [busOf("default", "inproc"), busOf("back-office", "redis", "reports")]);
});

test("a resource is found by its name, or the start says what to set", () => {
  const profiles = { name: "user-profiles" };
  const cache = finderOf("CACHE", "cache", [{ name: "default" }, profiles]);
  expect(cache("user-profiles")).toBe(profiles);
  expect(() => cache("sessions")).toThrow('there is no cache "sessions": set CACHE_SESSIONS_DRIVER');
  expect(() => finderOf("STORAGE", "disk", [])("user-uploads")).toThrow("set STORAGE_USER_UPLOADS_DRIVER");
});
