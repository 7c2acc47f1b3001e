import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../src/core/ids.ts";
import type { EventBus } from "../../src/drivers/events/index.ts";
import type { EventLimits } from "../../src/drivers/events/delivery.ts";
import { createRedisEventBus, type RedisEventBus } from "../../src/drivers/events/redis/redis.ts";
import { createRedisConnection, type RedisConnection } from "../../src/drivers/redis/connection.ts";
import { eventually } from "../support/log.ts";
import { redisMissing, startRedis, type RedisServer } from "../support/redis.ts";
import { eventsConformance, maintained } from "./events.conformance.ts";
import { createEventLog, type EventLogUnderTest } from "./events.log.ts";
import { sharedEventsConformance } from "./events.shared.conformance.ts";

describe.skipIf(redisMissing !== undefined)("events in Redis: what D-34 and D-35 promise", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis({ appendonly: true });
  });
  afterAll(() => server.stop());

  /** Makes a deployment whose buses no other test shares. */
  function createDeployment(log: EventLogUnderTest["log"], limits: Partial<EventLimits>) {
    const namespace = `gatehouse:${newId()}`;
    const opened = new Map<EventBus, { readonly settled: () => Promise<void>; readonly cut: () => void }>();
    return {
      open(app = "app"): RedisEventBus {
        const connections: RedisConnection[] = [];
        const connect = (): RedisConnection => {
          const connection = createRedisConnection({ url: server.url, caFile: undefined });
          connections.push(connection);
          return connection;
        };
        const length = limits.waiting ?? 100;
        const bus = createRedisEventBus({
          name: "default",
          namespace,
          app,
          connect,
          log,
          limits,
          length,
          leaseMs: 4_500,
        });
        opened.set(bus, { settled: bus.settled, cut: () => connections.forEach((each) => each.close()) });
        return bus;
      },
      stream: `${namespace}:events:default:stream`,
      /** Cuts the connections of a bus: it can neither renew its turn nor hand it back. */
      crash: (bus: EventBus) => opened.get(bus)?.cut(),
      dispose: async () => void (await Promise.all([...opened.keys()].map((bus) => bus.close()))),
      settled: async (bus: EventBus) => opened.get(bus)?.settled(),
    };
  }

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
