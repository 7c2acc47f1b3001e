import { beforeEach, describe, expect, test } from "bun:test";
import { createClient } from "../../support/client.ts";
import { eventually, untilLogged } from "../../support/log.ts";
import { cp, rename } from "node:fs/promises";
import { join } from "node:path";
import { keepsRowsInFile } from "../../support/engine.ts";
import { openRows } from "../../support/rows.ts";
import { controlOf, isOpen, sharedState, untilOpen } from "../../support/maintenance.ts";
import { endTargetsAfterEach, startTarget, type Target, type TargetOptions } from "../../support/target.ts";
import { folderOfEachTest } from "../../support/folder.ts";

const folder = folderOfEachTest();

// Several processes share one database. A change at one process holds for all within the promised second.
const promisedMs = 1_000;
let env: Record<string, string> = {};
endTargetsAfterEach();
beforeEach(async () => {
  env = { ...sharedState, DB_DATABASE: join(folder(), "app.db") };
});

const start = (options: TargetOptions = {}): Promise<Target> =>
  startTarget({ roles: ["http"], ownProcess: true, ...options, env: { ...env, ...options.env } });
const stopAll = (...targets: Target[]) => Promise.all(targets.map((target) => target.stop()));

describe("two processes on one database", () => {
  test("under load each sees the other's enable and disable within a second", async () => {
    const [first, second] = [await start(), await start()];
    for (const [told, asked] of [
      [first, second],
      [second, first],
    ] as const) {
      expect(await isOpen(asked)).toBe(true);
      await controlOf(told).enable();
      expect(await untilOpen(asked, false)).toBeLessThan(promisedMs);
      await controlOf(told).disable();
      expect(await untilOpen(asked, true)).toBeLessThan(promisedMs);
    }
    await stopAll(first, second);
  });

  test("one that was idle decides its first request by a fresh read", async () => {
    const [first, second] = [await start(), await start()];
    expect(await isOpen(second)).toBe(true);
    await controlOf(first).enable();
    await Bun.sleep(promisedMs);
    expect(await isOpen(second)).toBe(false);
    await controlOf(first).disable();
    await Bun.sleep(promisedMs);
    // All requests at once after a pause wait for one read.
    expect(await Promise.all(Array.from({ length: 20 }, () => isOpen(second)))).toEqual(Array(20).fill(true));
    await stopAll(first, second);
  });

  test("the one that was called holds to it at once", async () => {
    const first = await start();
    for (let n = 0; n < 5; n += 1) {
      await controlOf(first).enable();
      expect(await isOpen(first)).toBe(false);
      await controlOf(first).disable();
      expect(await isOpen(first)).toBe(true);
    }
    await first.stop();
  });
});

test("with the cache driver the state survives kill -9 and a restart", async () => {
  const first = await start();
  await controlOf(first).enable();
  await first.kill();
  const second = await start();
  expect(await isOpen(second)).toBe(false);
  await controlOf(second).disable();
  await second.kill();
  const third = await start();
  expect(await isOpen(third)).toBe(true);
  await third.stop();
});

test("a named cache keeps the state as well", async () => {
  const named = { CACHE_DRIVER: "memory", CACHE_OPERATIONS_DRIVER: "database", APP_MAINTENANCE_STORE: "operations" };
  const [first, second] = [await start({ env: named }), await start({ env: named })];
  await controlOf(first).enable();
  expect(await untilOpen(second, false)).toBeLessThan(promisedMs);
  await stopAll(first, second);
});

test("app and admin on one database are switched apart", async () => {
  const [app, admin] = [await start(), await start({ app: "admin" })];
  const isClosed = async ({ port }: Target) => (await fetch(`http://127.0.0.1:${port}/none`)).status === 503;
  await controlOf(app).enable();
  expect([await isClosed(app), await isClosed(admin)]).toEqual([true, false]);
  await controlOf(admin).enable();
  await controlOf(app).disable();
  await Bun.sleep(promisedMs);
  expect([await isClosed(app), await isClosed(admin)]).toEqual([false, true]);
  await stopAll(app, admin);
});

test("another APP_KEY starts with maintenance off, and the database tells nothing about the key", async () => {
  const first = await start();
  await controlOf(first).enable();
  await first.stop();
  const rows = openRows(env["DB_DATABASE"] ?? "");
  const stored = rows.get("select entry_key, value from cache_entries");
  rows.close();
  expect(String(stored["entry_key"])).toMatch(/^maintenance:[\w-]{43}$/);
  expect(JSON.stringify(stored)).not.toContain(first.env["APP_KEY"] ?? "?");

  const second = await start({ env: { APP_KEY: "another-application-key-9876543210" } });
  expect(await isOpen(second)).toBe(true);
  await second.stop();
  const third = await start();
  expect(await isOpen(third)).toBe(false);
  await third.stop();
});

test("APP_MAINTENANCE_ENABLED holds for its process, and leaves what is stored as it is", async () => {
  const forced = await start({ env: { APP_MAINTENANCE_ENABLED: "true" } });
  const other = await start();
  expect([await isOpen(forced), await isOpen(other)]).toEqual([false, true]);
  expect((await controlOf(forced).disable()).status).toBe(409);
  await controlOf(other).enable();
  await controlOf(other).disable();
  await Bun.sleep(promisedMs);
  expect([await isOpen(forced), await isOpen(other)]).toEqual([false, true]);
  await stopAll(forced, other);
});

describe("R-71 while the state can't be read", () => {
  test("it stays what it was last known to be, and then counts as on, with a code of its own", async () => {
    const target = await start({ env: { APP_MAINTENANCE_STALE: "3s" } });
    expect(await isOpen(target)).toBe(true);
    const rows = openRows(target.databasePath);
    rows.run("alter table cache_entries rename to away");
    // The state is read when a request asks for it.
    const asksUntil = (line: string) =>
      eventually(line, async () => (await isOpen(target)) !== undefined && target.logs().includes(line));
    await asksUntil("it stays off for 3 s");
    expect(await isOpen(target)).toBe(true);
    await untilOpen(target, false, 10_000);
    const refused = await createClient(target.url).get("/api/v1/hello");
    expect([refused.status, refused.at("code"), refused.at("maintenance")]).toEqual([503, "maintenance_unknown", true]);
    rows.run("alter table away rename to cache_entries");
    expect(await untilOpen(target, true)).toBeLessThan(promisedMs);
    await controlOf(target).enable();
    expect(await isOpen(target)).toBe(false);
    rows.run("alter table cache_entries rename to away");
    await asksUntil("it stays on for 3 s");
    expect((await createClient(target.url).get("/api/v1/hello")).at("code")).toBe("maintenance");
    rows.run("alter table away rename to cache_entries");
    rows.close();
    await target.stop();
  });
});

describe("a state that can't be read counts as on", () => {
  const atOnce = { env: { APP_MAINTENANCE_STALE: "0s" } };
  const unreadable = { ok: true, maintenance: true, driver: "cache", reason: "unreadable" };

  test("without its table, until it is back", async () => {
    const target = await start(atOnce);
    expect(await isOpen(target)).toBe(true);
    const rows = openRows(target.databasePath);
    rows.run("alter table cache_entries rename to away");
    expect(await untilOpen(target, false)).toBeLessThan(promisedMs);
    const { enable, disable, status } = controlOf(target);
    expect((await status()).json).toEqual(unreadable);
    for (const call of [enable, disable]) {
      const refused = await call();
      expect([refused.status, refused.at("code")]).toEqual([503, "unavailable"]);
    }
    await untilLogged(target, "the maintenance state can't be read");
    rows.run("alter table away rename to cache_entries");
    rows.close();
    expect(await untilOpen(target, true)).toBeLessThan(promisedMs);
    await target.stop();
  });

  test("before the first migration", async () => {
    const target = await start({ migrate: false });
    expect(await isOpen(target)).toBe(false);
    expect((await controlOf(target).status()).json).toEqual(unreadable);
    await target.stop();
  });

  test.skipIf(!keepsRowsInFile)("with its file removed or replaced under it", async () => {
    const target = await start(atOnce);
    expect(await isOpen(target)).toBe(true);
    const path = target.databasePath;
    await rename(path, `${path}.away`);
    expect(await untilOpen(target, false)).toBeLessThan(promisedMs);
    await cp(`${path}.away`, path);
    await Bun.sleep(promisedMs);
    expect(await isOpen(target)).toBe(false);
    expect((await controlOf(target).status()).json).toEqual(unreadable);
    await rename(`${path}.away`, path);
    expect(await untilOpen(target, true)).toBeLessThan(promisedMs);
    await target.stop();
  });

  test("what another process writes there counts as on, whatever it is", async () => {
    const target = await start();
    await controlOf(target).enable();
    const rows = openRows(target.databasePath);
    rows.run("update cache_entries set value = ''");
    rows.close();
    await Bun.sleep(promisedMs);
    expect(await isOpen(target)).toBe(false);
    await target.stop();
  });
});

test("a database that is busy refuses the switch with 503, and the state stays", async () => {
  const target = await start();
  {
    using rows = openRows(target.databasePath);
    using _held = rows.holdWrites();
    const refused = await controlOf(target).enable();
    expect([refused.status, refused.at("code"), refused.headers.get("retry-after")]).toEqual([503, "unavailable", "1"]);
    expect(await isOpen(target)).toBe(true);
  }
  expect((await controlOf(target).enable()).status).toBe(200);
  expect(await isOpen(target)).toBe(false);
  await target.stop();
});
