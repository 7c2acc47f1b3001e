import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CacheUnavailable, type Cache } from "../../src/drivers/cache/index.ts";
import { createMemoryCache } from "../../src/drivers/cache/memory.ts";
import {
  isDue,
  isOn,
  longestAgeMs,
  next,
  nothingKnown,
  refreshAgeMs,
  type Happening,
  type Switch,
} from "../../src/maintenance/knowledge.ts";
import { stateKey } from "../../src/maintenance/namespace.ts";
import { maintenancePage } from "../../src/maintenance/page.ts";
import { ourWords } from "../support/words.ts";
import { createMaintenanceState } from "../../src/maintenance/state.ts";
import { createRecordingLog, eventually } from "../support/log.ts";
import { usualLook } from "../support/looks.ts";

describe("the state", () => {
  const gates: PromiseWithResolvers<void>[] = [];
  afterEach(() => {
    for (const gate of gates.splice(0)) gate.resolve();
  });

  /** Makes a store as a network has one: it may be slow, and it may fail. */
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
    return {
      told,
      store,
      log,
      state: createMaintenanceState({ store, key: "maintenance:x", forced: false, staleMs: 0, log }),
    };
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

  test("a read that hangs counts as on within three seconds, and is not started again", async () => {
    const { state, told, log } = distantStore();
    await state.find();
    told.hangs = true;
    await Bun.sleep(950);
    const started = performance.now();
    expect(await state.find()).toEqual({ on: true, reason: "unreadable" });
    expect(performance.now() - started).toBeLessThan(3_000);
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

describe("what a process knows of the switch", () => {
  const read = (began: number, found: Switch): Happening => ({ kind: "read", began, found });
  const failed = (began: number, at: number): Happening => ({ kind: "read failed", began, at });
  const silence = (at: number): Happening => ({ kind: "no answer", at });
  const written = (began: number, ended: number, to: Switch): Happening => ({ kind: "written", began, ended, to });
  type Answer = "on" | "off" | "ask";

  function answerAfter(happenings: readonly Happening[], now: number): Answer {
    const on = isOn(happenings.reduce(next, nothingKnown), now);
    return on === undefined ? "ask" : on ? "on" : "off";
  }

  test("R-71 while the store hangs the last position decides at once, for as long as it counts", () => {
    const known = [read(0, "off"), silence(500)].reduce(next, nothingKnown);
    expect([isOn(known, 60_000, 300_000), isOn(known, 300_001, 300_000), isOn(known, 60_000)]).toEqual([
      false,
      undefined,
      undefined,
    ]);
    expect(isOn([read(0, "on"), silence(500)].reduce(next, nothingKnown), 60_000, 300_000)).toBe(true);
  });

  test.each<readonly [sentence: string, happenings: readonly Happening[], now: number, answer: Answer]>([
    ["nothing is known before the first read", [], 0, "ask"],
    ["a read is believed", [read(0, "off")], 10, "off"],
    ["and so is one that found it on", [read(0, "on")], 10, "on"],
    ["for as long as it may decide", [read(0, "off")], longestAgeMs, "off"],
    ["and no longer, counted from its beginning", [read(0, "off")], longestAgeMs + 1, "ask"],
    ["an on that has aged is asked again as well", [read(0, "on")], longestAgeMs + 1, "ask"],
    ["a newer read replaces it", [read(0, "off"), read(500, "on")], 501, "on"],
    ["and makes it last from then", [read(0, "off"), read(500, "off")], 500 + longestAgeMs, "off"],
    ["a read that ends after a newer one says nothing", [read(500, "on"), read(0, "off")], 501, "on"],
    ["a read that fails counts as on", [read(0, "off"), failed(500, 510)], 511, "on"],
    ["from when it failed", [failed(0, 800)], 800 + longestAgeMs, "on"],
    ["and is asked again after that", [failed(0, 800)], 801 + longestAgeMs, "ask"],
    ["the first that succeeds ends it", [failed(0, 10), read(20, "off")], 21, "off"],
    ["one that began before the failure does not", [failed(10, 20), read(15, "off")], 30, "on"],
    ["no answer in time counts as on", [read(0, "off"), silence(900)], 901, "on"],
    ["and the answer that comes after all, about earlier, does not end it", [silence(900), read(0, "off")], 901, "on"],
    ["a silence that is noticed late says nothing of now", [read(950, "off"), silence(900)], 960, "off"],
    ["a write is known at once", [read(0, "off"), written(10, 20, "on")], 21, "on"],
    ["from its beginning, since another may have written since", [written(0, 600, "off")], longestAgeMs + 1, "ask"],
    ["a read under way meanwhile does not undo it", [written(10, 20, "on"), read(5, "off")], 21, "on"],
    ["nor one that began while it was under way", [written(10, 20, "on"), read(15, "off")], 21, "on"],
    ["nor one that began the moment it ended", [written(10, 20, "on"), read(20, "off")], 21, "on"],
    ["of two that began at once the one that ended last counts", [read(10, "off"), read(10, "on")], 21, "on"],
    [
      "a read under way during a write does not undo it when it fails",
      [written(10, 20, "off"), failed(15, 30)],
      31,
      "off",
    ],
    ["one that began later is believed", [written(10, 20, "on"), read(21, "off")], 22, "off"],
    ["a write holds even where something newer was known", [read(15, "off"), written(10, 20, "on")], 21, "on"],
    ["a write out of the unreadable", [failed(0, 5), written(10, 20, "off")], 21, "off"],
    [
      "of two writes the one that ended last counts, and reads from before either do not",
      [written(2, 4, "off"), written(1, 9, "on"), read(8, "off")],
      10,
      "on",
    ],
    [
      "a write that ended earlier does not make older reads believable again",
      [written(1, 9, "on"), written(2, 4, "off"), read(8, "on")],
      10,
      "off",
    ],
  ])("%s", (_, happenings, now, answer) => expect(answerAfter(happenings, now)).toBe(answer));

  test.each<readonly [sentence: string, happenings: readonly Happening[], now: number, due: boolean]>([
    ["at first", [], 0, true],
    ["not while it is fresh", [read(0, "off")], refreshAgeMs, false],
    ["once it has aged", [read(0, "off")], refreshAgeMs + 1, true],
    ["not right after a failure", [failed(0, 800)], 800 + refreshAgeMs, false],
    ["after a write as after a read", [written(0, 300, "on")], refreshAgeMs + 1, true],
  ])("it is due to be read again: %s", (_, happenings, now, due) =>
    expect(isDue(happenings.reduce(next, nothingKnown), now)).toBe(due),
  );

  test("it is off only where a read or write said so within the longest age, and no later write said on (property)", () => {
    const time = fc.nat({ max: 3_000 });
    const position = fc.constantFrom<Switch>("on", "off");
    const happening = fc.oneof(
      fc.record({ kind: fc.constant("read" as const), began: time, found: position }),
      fc.tuple(time, time).map(([began, took]) => failed(began, began + took)),
      time.map(silence),
      fc.tuple(time, time, position).map(([began, took, to]) => written(began, began + took, to)),
    );
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 12 }), time, (happenings, now) => {
        if (answerAfter(happenings, now) !== "off") return;
        const lastWrite = happenings.findLastIndex(({ kind }) => kind === "written");
        const said = happenings.findLastIndex(
          (each) =>
            ((each.kind === "read" && each.found === "off") || (each.kind === "written" && each.to === "off")) &&
            now - each.began <= longestAgeMs,
        );
        expect(said).toBeGreaterThanOrEqual(Math.max(lastWrite, 0));
      }),
      { numRuns: 20_000 },
    );
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

const readerOf = (...tags: string[]): Request =>
  new Request("http://localhost/", { headers: { "accept-language": tags.join() } });
const mark = { product: "Shop", home: "/", icon: "data:," };

test("X-07 the page escapes the name of the app", () => {
  const page = maintenancePage(
    { mark: { ...mark, product: `<script>alert("ada")</script>&'` }, look: usualLook },
    ourWords,
  );
  for (const language of ["en", "de"]) {
    const html = page.html(readerOf(language));
    expect(html).toContain("&lt;script&gt;alert(&quot;ada&quot;)&lt;/script&gt;&amp;&#x27;");
    expect(html).not.toContain("<script");
  }
});

test("the page is in the first of the reader's languages that it knows, else in English", () => {
  const page = maintenancePage({ mark, look: usualLook }, ourWords);
  expect(page.html(readerOf("sv-SE", "de-AT", "en"))).toContain('<html lang="de">');
  for (const tags of [[], ["sv"], ["*"], ["en-GB", "de"]])
    expect(page.html(readerOf(...tags))).toContain('<html lang="en">');
});
