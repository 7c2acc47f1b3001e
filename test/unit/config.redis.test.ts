import { describe, expect, test } from "bun:test";
import { redisServer } from "../../src/app/resources/redis.ts";
import { loadConfig } from "../../src/config/index.ts";
import { redisLocation } from "../../src/drivers/redis/address.ts";
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

describe("the sentinels of a Redis", () => {
  const sentinels = "10.0.0.11:26379, sentinel.example.test:26379,[2001:db8::11]:26379";
  const right = {
    CACHE_DRIVER: "redis",
    REDIS_URL: "rediss://ada:p%40ss@mymaster/3",
    REDIS_SENTINELS: sentinels,
    REDIS_SENTINEL_NAME: "mymaster",
  };

  test("they are hosts with ports, and a URL with the name in place of a host leads to them, besides such as lead to a server", () => {
    expect(problemsOf(right)).toEqual([]);
    expect(problemsOf({ ...right, CACHE_URL: "redis://10.0.0.40:6379/0" })).toEqual([]);
    expect(problemsOf({ ...right, REDIS_SENTINEL_USERNAME: "ada", REDIS_SENTINEL_PASSWORD: "s3cret" })).toEqual([]);
    const loaded = loadConfig({ app: definitions.app, env: { ...env, ...right } });
    expect(loaded.ok && redisServer(loaded.config, undefined)).toEqual({
      url: right.REDIS_URL,
      caFile: undefined,
      sentinels: {
        name: "mymaster",
        places: [
          { host: "10.0.0.11", port: 26_379 },
          { host: "sentinel.example.test", port: 26_379 },
          { host: "2001:db8::11", port: 26_379 },
        ],
      },
    });
  });

  test.each([
    ["10.0.0.11", "must be hosts with their ports, such as 10.0.0.11:26379: number 1 is none"],
    ["10.0.0.11:26379,redis://10.0.0.12", "must be hosts with their ports, such as 10.0.0.11:26379: number 2 is none"],
    ["10.0.0.11:26379,10.0.0.12:0", "must be hosts with their ports, such as 10.0.0.11:26379: number 2 is none"],
    ["2001:db8::11:26379", "must be hosts with their ports, such as 10.0.0.11:26379: number 1 is none"],
    ["a.test:1,b.test:1,A.test:1", "must name each host with its port once: number 3 is there already"],
    [",", "must be 1 to 15 hosts with their ports"],
  ])("%s is refused, with the reason", (REDIS_SENTINELS, why) => {
    expect(problemsOf({ ...right, REDIS_SENTINELS })).toEqual([`REDIS_SENTINELS ${why}`]);
  });

  test.each([
    [{ REDIS_SENTINELS: "" }, "REDIS_SENTINEL_NAME is set, and REDIS_SENTINELS is not"],
    [{ REDIS_SENTINEL_NAME: "" }, "REDIS_SENTINELS needs REDIS_SENTINEL_NAME: the name by which they know the primary"],
    [
      { REDIS_SENTINEL_NAME: "my master" },
      "REDIS_SENTINEL_NAME must be 1 to 128 letters, digits or . _ -, as in sentinel monitor NAME",
    ],
    [{ REDIS_SENTINEL_USERNAME: "ada" }, "REDIS_SENTINEL_USERNAME needs REDIS_SENTINEL_PASSWORD"],
    [
      { REDIS_URL: "rediss://10.0.0.30:6379/0" },
      "REDIS_SENTINELS is set, and no URL leads to them: REDIS_URL has the name of REDIS_SENTINEL_NAME in place of host and port, such as rediss://user:password@mymaster/0",
    ],
    [
      { REDIS_URL: "rediss://mymaster:6379" },
      "REDIS_URL has a port behind the name of REDIS_SENTINEL_NAME: the sentinels say the port",
    ],
  ])("what is missing or contradicts is named: %j", (change, why) => {
    expect(problemsOf({ ...right, ...change })).toEqual([why]);
  });

  test("two processes mean the same server where they have the same sentinels, in whatever order, the same name and number", () => {
    const at = (given: Partial<typeof right>): string => {
      const loaded = loadConfig({ app: definitions.app, env: { ...env, ...right, ...given } });
      if (!loaded.ok) throw new Error(loaded.problems.join("; "));
      return redisLocation(redisServer(loaded.config, undefined));
    };
    const other = { REDIS_URL: "redis://grace:other@mymaster/3" };
    expect(at({})).toBe("mymaster/3 of 10.0.0.11:26379,[2001:db8::11]:26379,sentinel.example.test:26379");
    const turned = { REDIS_SENTINELS: sentinels.split(",").toReversed().join(",") };
    expect(at({ ...other, ...turned })).toBe(at({}));
    for (const another of [
      { REDIS_URL: "rediss://mymaster/4" },
      { REDIS_SENTINELS: "10.0.9.11:26379" },
      { REDIS_URL: "rediss://second/3", REDIS_SENTINEL_NAME: "second" },
    ])
      expect(at(another)).not.toBe(at({}));
  });

  test("a warning tells of sentinels without TLS, on this machine too, since what they name may be on another", () => {
    const warningsOf = (given: Record<string, string>): readonly string[] => {
      const loaded = loadConfig({
        app: definitions.app,
        env: { ...env, ...right, APP_ENV: "staging", APP_URL: "https://auth.example.test", ...given },
      });
      return loaded.ok ? loaded.warnings.filter((each) => each.startsWith("REDIS_URL")) : loaded.problems;
    };
    expect(warningsOf({})).toEqual([]);
    const REDIS_URL = "redis://mymaster/0";
    expect(warningsOf({ REDIS_URL })).toEqual([
      "REDIS_URL is not rediss://: its password, and all that is kept there, travel in the clear",
    ]);
    expect(warningsOf({ REDIS_URL, REDIS_SENTINELS: "127.0.0.1:26379,[::1]:26379" })).toHaveLength(1);
  });
});
