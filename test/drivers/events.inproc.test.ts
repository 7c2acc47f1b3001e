import { expect, test } from "bun:test";
import { createInprocEventBus } from "../../src/drivers/events/inproc.ts";
import { openEventBuses } from "../../src/drivers/events/open.ts";
import { eventsConformance } from "./events.conformance.ts";
import { createEventLog } from "./events.log.ts";

eventsConformance("inproc", async (log, limits) => {
  const bus = createInprocEventBus({ name: "default", log, limits });
  return { publisher: bus, subscriber: bus, settled: async () => {}, dispose: () => bus.close() };
});

test("every configured bus is opened under its name, and the default one is found", async () => {
  const { log } = createEventLog();
  const buses = openEventBuses({ default: { driver: "inproc" }, audit: { driver: "inproc" } }, log);
  expect(buses.all.map(({ name, driver }) => `${name} ${driver}`)).toEqual(["default inproc", "audit inproc"]);
  expect(buses.default.name).toBe("default");
  await Promise.all(buses.all.map((bus) => bus.close()));
  expect(() => openEventBuses({ audit: { driver: "inproc" } }, log)).toThrow("no default event bus");
});
