import { newId } from "../../src/core/ids.ts";
import type { EventLimits } from "../../src/drivers/events/delivery.ts";
import type { EventBus } from "../../src/drivers/events/index.ts";
import { createRedisEventBus, type RedisEventBus } from "../../src/drivers/events/redis/redis.ts";
import { createRedisConnection, type RedisConnection } from "../../src/drivers/redis/connection.ts";
import type { RedisServer } from "../../src/drivers/redis/index.ts";
import type { EventLogUnderTest } from "./events.log.ts";

interface DeploymentOptions {
  readonly server: RedisServer;
  readonly log: EventLogUnderTest["log"];
  readonly limits: Partial<EventLimits>;
}

/** Makes a deployment whose buses no other test shares. */
export function createEventDeployment({ server, log, limits }: DeploymentOptions) {
  const namespace = `gatehouse:${newId()}`;
  const opened = new Map<EventBus, { readonly settled: () => Promise<void>; readonly cut: () => void }>();
  return {
    open(app = "app"): RedisEventBus {
      const connections: RedisConnection[] = [];
      const connect = (): RedisConnection => {
        const connection = createRedisConnection(server);
        connections.push(connection);
        return connection;
      };
      const length = limits.waiting ?? 100;
      const options = { name: "default", namespace, app, connect, log, limits, length, leaseMs: 4_500 };
      const bus = createRedisEventBus(options);
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
