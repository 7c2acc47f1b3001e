import { describe, expect, test } from "bun:test";
import { loadConfig } from "../../src/config/index.ts";
import { definitions } from "../support/definitions.ts";
import { testEnvironment } from "../support/environment.ts";

const env = testEnvironment("/nowhere");
function problemsOf(given: Record<string, string>): readonly string[] {
  const loaded = loadConfig({ app: definitions.app, env: { ...env, ...given } });
  return loaded.ok ? [] : loaded.problems;
}

describe("the URL of a Redis", () => {
  test.each([
    "redis://127.0.0.1",
    "redis://redis.example.test:6380/3",
    "redis://:only-a-password@redis.example.test",
    "rediss://gatehouse:p%40ss%2Fword@[::1]:6379/0",
  ])("%s is taken", (url) => {
    expect(problemsOf({ REDIS_URL: url })).toEqual([]);
  });

  test.each([
    "127.0.0.1:6379",
    "http://127.0.0.1:6379",
    "redis:127.0.0.1",
    "redis:///0",
    "redis://127.0.0.1/first",
    "redis://127.0.0.1/0?tls=true",
    "redis://gatehouse@127.0.0.1",
    "redis://gatehouse:100%@127.0.0.1",
  ])("%s is refused by its rule, without the value", (url) => {
    expect(problemsOf({ REDIS_URL: url })).toEqual([
      "REDIS_URL must be a URL such as rediss://user:password@host:6379/0, with special characters of the password percent-encoded",
    ]);
  });

  test("it is for resources whose driver is redis", () => {
    expect(problemsOf({ CACHE_URL: "redis://127.0.0.1" })).toEqual(["CACHE_URL is set, and CACHE_DRIVER is not redis"]);
    const named = { QUEUE_SLOW_REPORTS_DRIVER: "database", QUEUE_SLOW_REPORTS_URL: "redis://127.0.0.1" };
    expect(problemsOf(named)).toEqual(["QUEUE_SLOW_REPORTS_URL is set, and QUEUE_SLOW_REPORTS_DRIVER is not redis"]);
  });

  test("authorities without TLS are a mistake", () => {
    expect(problemsOf({ REDIS_URL: "rediss://localhost", REDIS_CA_FILE: "/etc/ca.pem" })).toEqual([]);
    expect(problemsOf({ REDIS_URL: "redis://localhost", REDIS_CA_FILE: "/etc/ca.pem" })).toEqual([
      "REDIS_CA_FILE is set, and no URL begins with rediss: without TLS there is nothing to verify",
    ]);
  });
});
