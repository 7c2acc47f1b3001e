import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createPeople } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { sharedFolder } from "../../support/folder.ts";
import { eventually } from "../../support/log.ts";
import { bearerOf, controlOf, isOpen, untilOpen } from "../../support/maintenance.ts";
import { runGatehouse } from "../../support/process.ts";
import { redisMissing } from "../../support/redis.ts";
import { startSentinels, type SentinelsOfTest } from "../../support/sentinels.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";

const folder = sharedFolder();
const password = "the-password/of Redis";
let set: SentinelsOfTest;
endTargetsAfterEach();
beforeAll(async () => {
  if (redisMissing !== undefined) return;
  const hash = new Bun.CryptoHasher("sha256").update(password).digest("hex");
  set = await startSentinels({
    users: [`gatehouse on #${hash} ~gatehouse:testing:* &* +@all -@admin -@dangerous`],
  });
});
afterAll(() => set?.stop());

const environment = () => ({
  DB_DATABASE: join(folder, "app.db"),
  CACHE_DRIVER: "redis",
  EVENTS_DRIVER: "redis",
  QUEUE_DRIVER: "redis",
  APP_MAINTENANCE_DRIVER: "cache",
  LIGHTHOUSE_INSPECT_ENABLED: "false",
  REDIS_URL: `redis://gatehouse:${encodeURIComponent(password)}@mymaster/1`,
  REDIS_SENTINELS: set.settings.places.map(({ host, port }) => `${host}:${port}`).join(","),
  REDIS_SENTINEL_NAME: "mymaster",
});
const start = (env: Readonly<Record<string, string>> = {}): Promise<Target> =>
  startTarget({ roles: ["http"], ownProcess: true, env: { ...environment(), ...env } });

/** Resolves to the readiness of what is on Redis. */
async function readinessOf(target: Target) {
  const { status, json } = await createClient(target.url).get("/-/ready", { headers: bearerOf(target) });
  const { checks = [] }: { checks?: { type: string; driver: string; status: string; error?: string }[] } = Object(json);
  const ofRedis = checks.filter(({ driver }) => driver === "redis");
  const errors = ofRedis.flatMap(({ error }) => (error === undefined ? [] : [error]));
  return { status, errors };
}

test.skipIf(redisMissing !== undefined)(
  "D-37 two processes share maintenance and events over the death of a primary, and readiness says meanwhile what is the matter",
  async () => {
    const [first, second] = [await start(), await start()];
    expect(await readinessOf(first)).toMatchObject({ status: 200, errors: [] });
    await controlOf(first).enable();
    await untilOpen(second, false, 20_000);
    await controlOf(second).disable();
    await untilOpen(first, true, 20_000);

    let isOver = false;
    const statuses = new Set<number>();
    const traffic = [first, second].map(async ({ url }) => {
      while (!isOver) statuses.add((await createClient(url).get("/api/v1/auth/me")).status);
    });
    const killed = await set.primary();
    const next = set.otherThan(killed);
    await killed.kill();
    const away = await readinessOf(first);
    expect(away.status).toBe(503);
    expect(away.errors[0]).toContain(
      `Redis at 127.0.0.1:${killed.port}/1, the primary mymaster: the connection is refused: nothing listens there; 3 of 3 sentinels answer, and name no other primary`,
    );
    const began = performance.now();
    for (const target of [first, second])
      // The check of the cache is optional, so a status says nothing of it.
      await eventually("ready again", async () => (await readinessOf(target)).errors.length === 0);
    expect(performance.now() - began).toBeLessThan(30_000);
    isOver = true;
    await Promise.all(traffic);
    expect([...statuses]).toEqual([401]);
    for (const target of [first, second]) await eventually("open", () => isOpen(target));
    expect((await controlOf(first).enable()).status).toBe(200);
    await untilOpen(second, false, 20_000);
    expect((await controlOf(first).disable()).status).toBe(200);
    await untilOpen(second, true, 20_000);
    await createPeople(second.url).register("ada");
    const count = "return redis.call('SELECT', 1) and redis.call('XLEN', 'gatehouse:testing:events:default:stream')";
    await eventually("an event at the new primary", async () => Number(await next.command("EVAL", count, "0")) > 0);
    for (const target of [first, second]) {
      expect(await target.stop()).toBe(0);
      for (const secret of [password, encodeURIComponent(password)]) expect(target.logs()).not.toContain(secret);
    }
  },
  120_000,
);

test.skipIf(redisMissing !== undefined)(
  "D-38 while too few sentinels are left, all is served, and an optional check of readiness says why nobody could take over",
  async () => {
    const target = await start();
    const [first, second] = set.sentinels;
    await Promise.all([first?.kill(), second?.kill()]);
    const { status, errors } = await readinessOf(target);
    expect(status).toBe(200);
    expect(errors).toEqual([
      expect.stringMatching(
        /^Redis mymaster: 1 of 3 sentinels answer, too few to choose another primary: 127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+: the connection is refused: nothing listens there$/,
      ),
    ]);
    await Promise.all([first?.restart(), second?.restart()]);
    await eventually("no more errors", async () => (await readinessOf(target)).errors.length === 0);
    expect(await target.stop()).toBe(0);
  },
  60_000,
);

test.skipIf(redisMissing !== undefined)(
  "D-38 readiness names what is wrong with sentinels within its time, and env:check refuses what can't work",
  async () => {
    const REDIS_URL = "redis://other/0";
    const unknown = await start({ REDIS_URL, REDIS_SENTINEL_NAME: "other" });
    const { errors } = await readinessOf(unknown);
    expect(errors[0]).toMatch(/no sentinel of 3 names a primary: .*: it knows no primary of this name$/);
    const REDIS_SENTINELS = "127.0.0.1:1,127.0.0.1:2";
    const alone = await start({ REDIS_SENTINELS });
    expect((await readinessOf(alone)).errors[0]).toContain(
      "no sentinel of 2 names a primary: 127.0.0.1:1, 127.0.0.1:2: the connection is refused: nothing listens there",
    );
    expect(await Promise.all([unknown.stop(), alone.stop()])).toEqual([0, 0]);
    const check = (env: Readonly<Record<string, string>>) =>
      runGatehouse(["env:check"], { cwd: folder, env: { ...unknown.env, ...env } });
    const address = await check({ REDIS_URL: "redis://127.0.0.1:6379/0" });
    expect(address.code).toBe(2);
    expect(`${address.stdout}${address.stderr}`).toContain(
      "REDIS_SENTINELS is set, and no URL leads to them: REDIS_URL has the name of REDIS_SENTINEL_NAME in place of host and port",
    );
  },
  60_000,
);
