import { afterEach, describe, expect, test } from "bun:test";
import { CacheUnavailable, type Cache } from "../../src/drivers/cache/index.ts";
import { createMemoryCache } from "../../src/drivers/cache/memory.ts";
import { stateKey } from "../../src/maintenance/namespace.ts";
import { maintenancePage } from "../../src/maintenance/page.ts";
import { createMaintenanceState } from "../../src/maintenance/state.ts";
import { createRecordingLog, eventually } from "../support/log.ts";

describe("the state", () => {
  const gates: PromiseWithResolvers<void>[] = [];
  afterEach(() => {
    for (const gate of gates.splice(0)) gate.resolve();
  });

  /** A store as a network has one: it may be slow, and it may fail. */
  function distantStore() {
    const memory = createMemoryCache({ clock: { now: () => Date.now() }, name: "distant" });
    const told = { reads: 0, together: 0, most: 0, hangs: false, fails: false };
    const store: Cache = {
      ...memory,
      async get(key) {
        told.reads += 1;
        told.most = Math.max(told.most, (told.together += 1));
        const value = await memory.get(key);
        if (told.hangs) {
          const gate = Promise.withResolvers<void>();
          gates.push(gate);
          await gate.promise;
        }
        told.together -= 1;
        if (told.fails) throw new CacheUnavailable("no route to the store");
        return value;
      },
    };
    const log = createRecordingLog();
    return { told, store, log, state: createMaintenanceState({ store, key: "maintenance:x", forced: false, log }) };
  }

  test("nobody knows before the first read, and all who ask share it", async () => {
    const { state, told } = distantStore();
    expect(state.peek()).toBeUndefined();
    const found = await Promise.all(Array.from({ length: 100 }, () => state.find()));
    expect(new Set(found.map(({ on }) => on))).toEqual(new Set([false]));
    expect(told.reads).toBe(1);
    expect(state.peek()).toBe(false);
  });

  test("under load it is read in the background, a few times a second, and nobody waits", async () => {
    const { state, told } = distantStore();
    await state.find();
    const until = performance.now() + 1_500;
    let asked = 0;
    while (performance.now() < until) {
      expect(state.peek()).toBe(false);
      asked += 1;
      if (asked % 100 === 0) await Bun.sleep(1);
    }
    expect(told.reads).toBeWithin(3, 8);
    expect(told.most).toBe(1);
  });

  test("a read that hangs counts as on in less than a second, and is not started again", async () => {
    const { state, told, log } = distantStore();
    await state.find();
    told.hangs = true;
    await Bun.sleep(950);
    const started = performance.now();
    expect(await state.find()).toEqual({ on: true, reason: "unreadable" });
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(state.peek()).toBe(true);
    await state.find();
    expect(told.reads).toBe(2);
    expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(1);

    told.hangs = false;
    for (const gate of gates.splice(0)) gate.resolve();
    await eventually("the recovery", async () => !(await state.find()).on);
  });

  test("a failing read counts as on, is told once, and so is its end", async () => {
    const { state, told, log } = distantStore();
    told.fails = true;
    for (let n = 0; n < 3; n += 1) expect(await state.find()).toEqual({ on: true, reason: "unreadable" });
    told.fails = false;
    expect(await state.find()).toEqual({ on: false });
    expect(log.lines.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      "error: the maintenance state can't be read: maintenance is on",
      "info: maintenance is off",
    ]);
  });

  test("a read that began before a write does not undo it", async () => {
    const { state, told } = distantStore();
    await state.find();
    told.hangs = true;
    const slow = state.find();
    await eventually("the read", () => gates.length === 1);
    told.hangs = false;
    await state.enable();
    expect(state.peek()).toBe(true);
    for (const gate of gates.splice(0)) gate.resolve();
    await slow;
    expect(state.peek()).toBe(true);
    expect(await state.find()).toEqual({ on: true, reason: "command" });
  });
});

test("the namespace is one-way, and differs by key, environment and app", () => {
  const identity = { key: "the application's own key", env: "production", name: "app" };
  const keys = [
    identity,
    { ...identity, key: "another key" },
    { ...identity, env: "staging" },
    { ...identity, name: "admin" },
    { ...identity, env: 'production","a', name: "pp" },
  ].map(stateKey);
  expect(new Set(keys).size).toBe(5);
  expect(stateKey(identity)).toBe(keys[0] ?? "");
  for (const key of keys) expect(key).toMatch(/^maintenance:[\w-]{43}$/);
});

test("X-07 the page escapes the name of the app", () => {
  const { html } = maintenancePage(`<script>alert("ada")</script>&'`);
  expect(html).toContain("&lt;script&gt;alert(&quot;ada&quot;)&lt;/script&gt;&amp;&#x27;");
  expect(html).not.toContain("<script");
});
