import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { DomainEvent } from "../../../src/core/topics.ts";
import { createRedisEventBus } from "../../../src/drivers/events/redis/redis.ts";
import { createRedisConnection } from "../../../src/drivers/redis/connection.ts";
import { createPeople } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { sharedFolder } from "../../support/folder.ts";
import { createRecordingLog, eventually, untilLogged } from "../../support/log.ts";
import { bearerOf, controlOf, isOpen, untilOpen } from "../../support/maintenance.ts";
import { runGatehouse } from "../../support/process.ts";
import { redisMissing, startRedis, type RedisServer } from "../../support/redis.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";

const folder = sharedFolder();
const password = "the-password/of Redis";
let server: RedisServer;
endTargetsAfterEach();
beforeAll(async () => {
  if (redisMissing !== undefined) return;
  server = await startRedis({
    appendonly: true,
    users: [
      "default on nopass ~* &* +@all",
      `gatehouse on #${hashOf(password)} ~gatehouse:testing:* &* +@all -@admin -@dangerous`,
    ],
  });
});
afterAll(() => server?.stop());

function hashOf(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

const environment = () => ({
  DB_DATABASE: join(folder, "app.db"),
  CACHE_DRIVER: "redis",
  EVENTS_DRIVER: "redis",
  APP_MAINTENANCE_DRIVER: "cache",
  REDIS_URL: server.urlAs("gatehouse", password),
});
const start = (): Promise<Target> =>
  startTarget({ roles: ["http"], ownProcess: true, env: { ...environment(), LIGHTHOUSE_INSPECT_ENABLED: "false" } });

/** Resolves to the readiness of the cache and of the bus. */
async function readinessOf(target: Target) {
  const { status, json } = await createClient(target.url).get("/-/ready", { headers: bearerOf(target) });
  const { checks = [] }: { checks?: { type: string; driver: string; status: string; error?: string }[] } = Object(json);
  const ofRedis = checks.filter(({ driver }) => driver === "redis");
  return { status, checks: ofRedis.map(({ type, status: each, error }) => `${type} ${each} ${error ?? ""}`.trim()) };
}

test.skipIf(redisMissing !== undefined)(
  "D-32 two processes share maintenance and events by one Redis; it is killed under traffic, and all recovers by itself",
  async () => {
    const [first, second] = [await start(), await start()];
    const seen: DomainEvent[] = [];
    const bus = createRedisEventBus({
      name: "default",
      namespace: "gatehouse:testing",
      app: "observer",
      connect: () => createRedisConnection({ url: server.url, caFile: undefined }),
      log: createRecordingLog(),
    });
    bus.subscribe(["auth.registered", "auth.user-disabled"], (event) => void seen.push(event), "test");
    await bus.settled();

    const ada = await createPeople(first.url).register("ada");
    await eventually("heard of ada", () => seen.length === 1);
    expect(seen[0]).toMatchObject({ topic: "auth.registered", payload: { user_id: ada.id } });
    const disabled = await runGatehouse(["user:disable", ada.username], { cwd: folder, env: first.env });
    expect(disabled).toMatchObject({ code: 0 });
    await eventually("heard of the command", () => seen.length === 2);
    expect(await readinessOf(second)).toEqual({ status: 200, checks: ["cache ok", "events ok"] });

    await controlOf(first).enable();
    await untilOpen(second, false, 20_000);
    await controlOf(second).disable();
    await untilOpen(first, true, 20_000);

    let isOver = false;
    const statuses = new Set<number>();
    const traffic = [first, second].map(async ({ url }) => {
      while (!isOver) statuses.add((await createClient(url).get("/api/v1/auth/me")).status);
    });
    await server.kill();
    for (const target of [first, second]) {
      // The last known state of maintenance stays in force; it was off.
      expect(await isOpen(target)).toBe(true);
      const why = `Redis at 127.0.0.1:${server.port}/0: the connection is refused: nothing listens there`;
      expect(await readinessOf(target)).toEqual({
        status: 503,
        checks: [`cache failed cache "default": ${why}`, `events failed ${why}`],
      });
    }
    await server.restart();
    for (const target of [first, second]) {
      await eventually("ready again", async () => (await readinessOf(target)).status === 200);
      await eventually("open again", () => isOpen(target));
    }
    isOver = true;
    await Promise.all(traffic);
    expect([...statuses]).toEqual([401]);
    await createPeople(second.url).register("grace");
    await eventually("heard of grace", () => seen.length === 3);

    await bus.close();
    await untilLogged(first, "the maintenance state can't be read");
    for (const target of [first, second]) {
      expect(await target.stop()).toBe(0);
      for (const secret of [password, encodeURIComponent(password)]) expect(target.logs()).not.toContain(secret);
    }
  },
  120_000,
);
