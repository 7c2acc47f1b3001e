import { expect, test } from "bun:test";
import { createInprocEventBus } from "../../src/drivers/events/inproc.ts";
import { openEventBuses } from "../../src/drivers/events/open.ts";
import { eventsConformance, maintained } from "./events.conformance.ts";
import { createEventLog } from "./events.log.ts";

eventsConformance("inproc", async (log, limits) => {
  const bus = createInprocEventBus({ name: "default", log, limits });
  return { publisher: bus, subscriber: bus, settled: async () => {}, dispose: () => bus.close() };
});

test("what is published, delivered, failed and dropped is counted by topic, and by no name that is none", async () => {
  const counts = new Map<string, number>();
  const counter = (family: string) => ({
    count: ({ topic, status }: { topic: string; status: string }, by = 1) => {
      if (by > 0) counts.set(`${family} ${topic} ${status}`, (counts.get(`${family} ${topic} ${status}`) ?? 0) + by);
    },
  });
  const metrics = { publishes: counter("published"), deliveries: counter("delivered") };
  const { log } = createEventLog();
  const bus = createInprocEventBus({ name: "default", log, metrics, limits: { waiting: 2 } });
  bus.subscribe("maintenance.enabled", () => {}, "one");
  bus.subscribe("maintenance.enabled", () => Promise.reject(new Error("no room")), "another");
  for (let time = 0; time < 3; time += 1) bus.publish(maintained("app"));
  bus.publish(JSON.parse(JSON.stringify({ ...maintained("app"), topic: "made.up" })));
  await bus.close();
  expect(Object.fromEntries(counts)).toEqual({
    "published maintenance.enabled ok": 3,
    "published unknown failed": 1,
    // The third event found no room at either subscriber.
    "delivered maintenance.enabled ok": 2,
    "delivered maintenance.enabled failed": 4,
  });
});

test("every configured bus is opened under its name", async () => {
  const { log } = createEventLog();
  const buses = openEventBuses({ default: { driver: "inproc" }, audit: { driver: "inproc" } }, { log });
  expect(buses.map(({ name, driver }) => `${name} ${driver}`)).toEqual(["default inproc", "audit inproc"]);
  await Promise.all(buses.map((bus) => bus.close()));
});
