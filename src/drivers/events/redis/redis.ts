import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { second } from "../../../core/clock.ts";
import { newId } from "../../../core/ids.ts";
import { isTopic, topics, type DomainEvent, type Topic } from "../../../core/topics.ts";
import type { RedisConnection } from "../../redis/connection.ts";
import { createDelivery, createIntake, defaultLimits, type EventLimits, createTopicCheck } from "../delivery.ts";
import type { EventBus, EventHandler, EventLog, EventMetrics } from "../index.ts";
import { createFollower, type Follower } from "./follower.ts";
import { createOutbox } from "./outbox.ts";
import { createEventStream, type Entry } from "./stream.ts";
import { createTurn } from "./turn.ts";

export interface RedisEventsOptions {
  readonly name: string;
  /** The beginning of the bus's keys, which all apps that publish to it share. */
  readonly namespace: string;
  /** The app of the subscribers: each app has its own, by whatever name. */
  readonly app: string;
  /** Opens a connection. Waiting for events keeps one busy. */
  readonly connect: () => RedisConnection;
  readonly log: EventLog;
  readonly metrics?: EventMetrics | undefined;
  readonly limits?: Partial<EventLimits>;
  /** About how many events the stream keeps. A subscriber that is further behind loses some. */
  readonly length?: number;
  /** How long a process that died keeps others from its turn. */
  readonly leaseMs?: number;
}

/** A bus on a server that processes share. */
export interface RedisEventBus extends EventBus {
  /** Resolves once every subscriber will be told of what is published from now on. */
  settled(): Promise<void>;
}

const pauseMs = 0.5 * second;
const Envelope = Type.Object({ id: Type.String(), at: Type.String(), topic: Type.String(), payload: Type.Unknown() });
const isEnvelope = (value: unknown): value is DomainEvent => Value.Check(Envelope, value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Delivers to all processes of a deployment, by a stream in Redis or Valkey. Each name of a subscriber is told of each event once, in the
 * process that has its turn, and again when that one died before it had noted the event as handled.
 */
export function createRedisEventBus(options: RedisEventsOptions): RedisEventBus {
  const { name, namespace, app, connect, log, metrics, length = 100_000, leaseMs = 15 * second } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const key = `${namespace}:events:${name}`;
  const holder = newId();
  const connection = connect();
  const faultOf = createTopicCheck();
  const stream = createEventStream({ connection, key, length });
  const outbox = createOutbox({
    bus: name,
    append: stream.append,
    most: limits.waiting,
    log,
    publishes: metrics?.publishes,
  });
  const followers = new Map<string, Follower>();
  for (const topic of Object.keys(topics)) metrics?.publishes.count({ topic, status: "ok" }, 0);
  let waiting: RedisConnection | undefined;
  let ticks: Timer | undefined;
  let closing: Promise<void> | undefined;

  const findNewest = async (): Promise<string> => (await stream.newest())?.id ?? "0-0";

  /** Wakes the subscribers of this process when events come, until the bus closes. */
  async function listen(own: RedisConnection): Promise<void> {
    let newest: string | undefined;
    while (closing === undefined) {
      try {
        newest = newest === undefined ? await findNewest() : await stream.awaitAfter(newest, own, leaseMs / 3);
        for (const follower of followers.values()) follower.wake();
      } catch (error) {
        if (closing !== undefined) return;
        log.debug("the stream of events can't be waited for", { bus: name, error });
        await Bun.sleep(pauseMs);
        for (const follower of followers.values()) follower.tick();
      }
    }
  }

  function begin(): void {
    if (waiting !== undefined) return;
    waiting = connect();
    void listen(waiting);
    ticks = setInterval(() => {
      for (const follower of followers.values()) follower.tick();
    }, leaseMs / 3);
  }

  /** Returns the wanted event of an entry. Everything on a server came from outside, so it is checked as a publication is. */
  function eventIn({ text }: Entry, wanted: ReadonlySet<Topic>): DomainEvent | undefined {
    const event = parsed(text);
    if (!isEnvelope(event)) {
      log.error("an entry of the stream is no event", { bus: name });
      return undefined;
    }
    if (!isTopic(event.topic) || !wanted.has(event.topic)) return undefined;
    const reason = faultOf(event);
    if (reason === undefined) return event;
    log.error("an event of the stream is not delivered", { bus: name, topic: event.topic, reason });
    return undefined;
  }

  async function close(): Promise<void> {
    clearInterval(ticks);
    await Promise.all([
      outbox.close(limits.closeMs),
      ...[...followers.values()].map((follower) => follower.stop(limits.closeMs)),
    ]);
    followers.clear();
    waiting?.close();
    connection.close();
  }

  return {
    driver: "redis",
    name,
    subscribers: () => [...followers.keys()],

    publish(event) {
      const fault = closing === undefined ? faultOf(event) : "the bus is closed";
      const fields = { topic: event.topic, event: event.id, bus: name };
      if (fault === undefined) {
        log.debug("event published", fields);
        return outbox.add(event);
      }
      metrics?.publishes.count({ topic: isTopic(event.topic) ? event.topic : "unknown", status: "failed" });
      return log.error("event not published", { ...fields, reason: fault });
    },

    subscribe<const T extends Topic>(toTopics: T | readonly T[], handler: EventHandler<T>, subscriber: string) {
      if (closing !== undefined) throw new Error(`event bus "${name}" is closed`);
      if (followers.has(subscriber))
        throw new Error(`"${subscriber}" has subscribed to the event bus "${name}" already`);
      const { wanted, handle } = createIntake(toTopics, handler);
      const deliveries = metrics?.deliveries;
      for (const topic of wanted) deliveries?.count({ topic, status: "ok" }, 0);
      const follower = createFollower({
        name: subscriber,
        stream,
        turn: createTurn({ connection, key: `${key}:${app}:${subscriber}`, holder, leaseMs }),
        eventIn: (entry) => eventIn(entry, wanted),
        deliver: createDelivery({ name: subscriber, handle, limits, log, deliveries }),
        log,
        deliveries,
      });
      followers.set(subscriber, follower);
      follower.tick();
      begin();
      return () => {
        if (followers.get(subscriber) !== follower) return;
        followers.delete(subscriber);
        void follower.stop(0);
      };
    },

    async settled() {
      for (const follower of followers.values()) await follower.placed();
    },

    async ping() {
      if (closing !== undefined) throw new Error(`event bus "${name}" is closed`);
      await connection.checkWritable(`${key}:check`);
    },

    close: () => (closing ??= close()),
  };
}
