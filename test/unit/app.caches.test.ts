import { afterAll, beforeAll, expect, test } from "bun:test";
import { createCaches } from "../../src/app/resources/caches.ts";
import { unopenedDatabase } from "../../src/cli/app/unopened.database.ts";
import { loadConfig } from "../../src/config/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { definitions } from "../support/definitions.ts";
import { testEnvironment } from "../support/environment.ts";
import { redisMissing, startRedis, type RedisServer } from "../support/redis.ts";

let server: RedisServer;
beforeAll(async () => {
  if (redisMissing === undefined) server = await startRedis();
});
afterAll(() => server?.stop());

function cachesOf(app: "app" | "admin", given: Record<string, string>) {
  const loaded = loadConfig({ app: definitions[app], env: { ...testEnvironment("/nowhere"), ...given } });
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  return createCaches({ config: loaded.config, ...unopenedDatabase("sqlite"), clock: systemClock });
}

test.skipIf(redisMissing !== undefined)(
  "a cache of another app is reached on the Redis that both name, and on no other",
  async () => {
    const shared = { CACHE_DRIVER: "redis", REDIS_URL: `${server.url}/1` };
    const [app, admin] = [cachesOf("app", shared), cachesOf("admin", shared)];
    const elsewhere = cachesOf("admin", { CACHE_DRIVER: "redis", REDIS_URL: `${server.url}/2` });
    const [own] = app.own;
    const place = { app: "app", driver: "cache", cache: "default", cacheStore: `redis ${own?.location}` };
    await own?.set("state", "on");
    expect(await admin.own[0]?.get("state")).toBeUndefined();
    expect(await admin.at(place)?.get("state")).toBe("on");
    expect(admin.at(place)).toBe(admin.at(place));
    expect(elsewhere.at(place)).toBeUndefined();
    expect(admin.at({ ...place, driver: "memory" })).toBeUndefined();
    expect(admin.at({ ...place, cacheStore: "redis" })).toBeUndefined();
    const all = [app, admin, elsewhere].flatMap((caches) => [...caches.own, caches]);
    await Promise.all(all.map((each) => each.close()));
  },
);
