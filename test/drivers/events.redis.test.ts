import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { EventLimits } from "../../src/drivers/events/delivery.ts";
import { eventually } from "../support/log.ts";
import { redisMissing, startRedis, type RedisServer } from "../support/redis.ts";
import { eventsConformance, maintained } from "./events.conformance.ts";
import { createEventLog, type EventLogUnderTest } from "./events.log.ts";
import { createEventDeployment } from "./events.redis.ts";
import { sharedEventsConformance } from "./events.shared.conformance.ts";

describe.skipIf(redisMissing !== undefined)("events in Redis: what D-34 and D-35 promise", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis({ appendonly: true });
  });
  afterAll(() => server.stop());

  const createDeployment = (log: EventLogUnderTest["log"], limits: Partial<EventLimits>) =>
    createEventDeployment({ server: { url: server.url, caFile: undefined }, log, limits });

  eventsConformance("redis", async (log, limits) => {
    const deployment = createDeployment(log, limits);
    const [publisher, subscriber] = [deployment.open(), deployment.open()];
    return { publisher, subscriber, settled: () => subscriber.settled(), dispose: deployment.dispose };
  });

  sharedEventsConformance("redis", async (log, limits) => {
    const deployment = createDeployment(log, limits);
    return {
      ...deployment,
      openProcess: async (app) => deployment.open(app),
      stopStore: () => server.kill(),
      startStore: () => server.restart(),
    };
  });

  test("an entry that is no event is logged, and what follows is told", async () => {
    const { log, errors } = createEventLog();
    const deployment = createDeployment(log, {});
    const bus = deployment.open();
    const seen: unknown[] = [];
    bus.subscribe("maintenance.enabled", (event) => void seen.push(event.payload.app), "one");
    await bus.settled();
    const wrong = JSON.stringify({ ...maintained("app"), payload: { app: 7 } });
    for (const text of ["{", "[]", wrong]) await server.command("XADD", deployment.stream, "*", "s", "1", "e", text);
    bus.publish(maintained("admin"));
    await eventually("told", () => seen.length === 1);
    expect(errors("an entry of the stream is no event")).toHaveLength(2);
    expect(errors("an event of the stream is not delivered")).toHaveLength(1);
    await deployment.dispose();
  });

  test("a server that comes back empty is followed from what is new", async () => {
    const { log } = createEventLog();
    const deployment = createDeployment(log, {});
    const bus = deployment.open();
    const seen: unknown[] = [];
    bus.subscribe("maintenance.enabled", (event) => void seen.push(event.payload.app), "one");
    await bus.settled();
    bus.publish(maintained("first"));
    await eventually("told", () => seen.length === 1);
    await server.command("FLUSHALL");
    bus.publish(maintained("second"));
    await eventually("told", () => seen.length === 2);
    expect(seen).toEqual(["first", "second"]);
    await deployment.dispose();
  });
});
