import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { By } from "../../src/core/audit.ts";
import { openCache } from "../../src/drivers/cache/open.ts";
import type { Cache } from "../../src/drivers/cache/index.ts";
import { createMaintenanceDesk } from "../../src/maintenance/desk.ts";
import { createPlaceRepository, type Place } from "../../src/maintenance/place.repository.ts";
import { createMaintenanceState } from "../../src/maintenance/state.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../support/database.ts";
import { createRecordingLog } from "../support/log.ts";

const now = 5_000;
const clock = { now: () => now };
const by: By = { actor: "operator" };
let temporary: TemporaryDatabase;
let changes: unknown[];
beforeEach(async () => {
  temporary = await temporaryDatabase();
  changes = [];
});
afterEach(() => temporary.dispose());

const shared = (name = "default"): Cache => openCache({ driver: "database" }, { ...temporary, name, clock });
const placeOf = (app: string, more: Partial<Place> = {}): Place => ({
  app,
  driver: "cache",
  cache: "default",
  cacheStore: "database",
  stateKey: `maintenance:${app}`,
  forced: false,
  ...more,
});
const save = (place: Place) => createPlaceRepository(temporary.database).save(place);
const stateOf = (place: Place, store = shared()) =>
  createMaintenanceState({ store, key: place.stateKey, forced: place.forced, staleMs: 0, log: createRecordingLog() });
const deskOf = (own: Place, store?: Cache) =>
  createMaintenanceDesk({
    own,
    state: stateOf(own, store),
    places: createPlaceRepository(temporary.database),
    cacheAt: ({ driver, cacheStore, cache }) =>
      driver === "cache" && cacheStore === "database" ? shared(cache) : undefined,
    onChange: async (app, on) => void changes.push([app, on]),
    clock,
  });
const turning = (app: string, on: boolean) => ({ app, on, message: "moving house", userId: "grace", by });

describe("S-46 maintenance of another app on the same database", () => {
  test("is switched where its state is shared, which its own processes see, and says since when, by whom and why", async () => {
    await save(placeOf("app"));
    const desk = deskOf(placeOf("admin"));
    expect(await desk.view("app")).toMatchObject({ on: false, obstacle: undefined });
    expect(await desk.turn(turning("app", true))).toBe(true);
    expect(await desk.turn(turning("app", true))).toBe(false);
    const note = { since: now, by: "grace", message: "moving house" };
    expect(await desk.view("app")).toMatchObject({ on: true, reason: "command", note, obstacle: undefined });
    expect(await stateOf(placeOf("app")).find()).toEqual({ on: true, reason: "command" });
    expect(await desk.view("admin")).toMatchObject({ on: false, isOwn: true });
    expect(await desk.turn(turning("app", false))).toBe(true);
    expect(await stateOf(placeOf("app")).find()).toEqual({ on: false });
    expect(changes).toEqual([
      ["app", true],
      ["app", false],
    ]);
  });

  test.each([
    ["an app that has not said where its state is", undefined, "unknown"],
    ["an app that keeps it in its memory", placeOf("app", { driver: "memory" }), "in its memory"],
    ["an app whose cache is in its memory", placeOf("app", { cacheStore: "memory" }), "in its memory"],
    ["an app whose cache is elsewhere", placeOf("app", { cacheStore: "redis 10.0.0.9:6379/0" }), "out of reach"],
    ["an app that its environment holds", placeOf("app", { forced: true }), "forced"],
  ] as const)("%s is not switched, and the page can say why", async (_, place, obstacle) => {
    if (place !== undefined) await save(place);
    const desk = deskOf(placeOf("admin"));
    const on = obstacle === "forced" ? true : undefined;
    expect(await desk.view("app")).toMatchObject({ on, obstacle });
    await expect(desk.turn(turning("app", true))).rejects.toMatchObject({ reason: "not_found" });
    expect(changes).toEqual([]);
  });
});

describe("maintenance of the app itself", () => {
  test("in memory holds for this process alone", async () => {
    const own = placeOf("admin", { driver: "memory", cacheStore: "memory" });
    const store = openCache({ driver: "memory" }, { ...temporary, name: "maintenance", clock });
    const desk = deskOf(own, store);
    expect(await desk.turn(turning("admin", true))).toBe(true);
    expect(await desk.view("admin")).toMatchObject({ on: true, onlyThisProcess: true, note: { by: "grace" } });
    expect(await shared().get(own.stateKey)).toBeUndefined();
  });

  test("that the environment holds on is not switched off", async () => {
    const desk = deskOf(placeOf("admin", { forced: true }));
    expect(await desk.view("admin")).toMatchObject({ on: true, reason: "environment", obstacle: "forced" });
    await expect(desk.turn(turning("admin", false))).rejects.toMatchObject({ reason: "maintenance_forced" });
  });

  test("that an earlier release has switched on says nothing more", async () => {
    await shared().set("maintenance:admin", "on");
    expect(await deskOf(placeOf("admin")).view("admin")).toMatchObject({ on: true, note: undefined });
  });
});
