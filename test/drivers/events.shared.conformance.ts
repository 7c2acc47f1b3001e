import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { DomainEvent } from "../../src/core/topics.ts";
import type { EventBus } from "../../src/drivers/events/index.ts";
import type { EventLimits } from "../../src/drivers/events/delivery.ts";
import { loggedIn, until } from "./events.conformance.ts";
import { createEventLog, type EventLogUnderTest } from "./events.log.ts";

/** A bus on a store that processes share. */
export interface SharedEventsUnderTest {
  /** Opens the bus as one more process of the app has it. */
  openProcess(app?: string): Promise<EventBus>;
  /** Resolves when the subscriptions made on that bus by now will get their events. */
  settled(bus: EventBus): Promise<void>;
  /** Ends a process as a crash does: what it has in hand is not handed back. */
  crash(bus: EventBus): void;
  /** Takes the store away; `startStore` brings it back with what it has kept. */
  stopStore(): Promise<void>;
  startStore(): Promise<void>;
  /** Closes everything, so that nothing goes on running. */
  dispose(): Promise<void>;
}

const usersOf = (events: readonly DomainEvent[]): unknown[] =>
  events.map(({ payload }) => ("user_id" in payload ? payload.user_id : undefined));

/** Defines the tests that every bus that processes share must pass. */
export function sharedEventsConformance(
  name: string,
  open: (log: EventLogUnderTest["log"], limits: Partial<EventLimits>) => Promise<SharedEventsUnderTest>,
) {
  describe(`every event bus that processes share: ${name}`, () => {
    let logged: EventLogUnderTest;
    let subject: SharedEventsUnderTest;
    let seen: DomainEvent[];
    beforeEach(async () => {
      logged = createEventLog();
      seen = [];
      subject = await open(logged.log, { waiting: 50, closeMs: 2_000 });
    });
    afterEach(async () => subject.dispose());

    async function listening(app?: string, into: DomainEvent[] = seen): Promise<EventBus> {
      const bus = await subject.openProcess(app);
      bus.subscribe("auth.logged-in", (event) => void into.push(event), "one");
      await subject.settled(bus);
      return bus;
    }
    const publishAll = (bus: EventBus, users: readonly string[]): void =>
      users.forEach((user) => bus.publish(loggedIn(user)));

    test("each event goes to one process of those that subscribe by the same name, in the order of its publisher, and to each app", async () => {
      const ofAdmin: DomainEvent[] = [];
      await listening();
      await listening();
      await listening("admin", ofAdmin);
      const publisher = await subject.openProcess();
      const order = Array.from({ length: 30 }, (_, index) => String(index));
      publishAll(publisher, order);
      await until(() => seen.length === 30 && ofAdmin.length === 30);
      expect({ app: usersOf(seen), admin: usersOf(ofAdmin) }).toEqual({ app: order, admin: order });
    });

    test("a process that stops hands its turn to another one, without a gap and in order", async () => {
      const first = await listening();
      const second = await listening();
      const publisher = await subject.openProcess();
      publishAll(publisher, ["1", "2"]);
      await until(() => seen.length === 2);
      await first.close();
      publishAll(publisher, ["3", "4"]);
      await until(() => seen.length === 4);
      expect(usersOf(seen)).toEqual(["1", "2", "3", "4"]);
      await second.close();
    });

    test("a process that dies with an event in hand is followed by another one, which is told of it again", async () => {
      const hung = await subject.openProcess();
      hung.subscribe(
        "auth.logged-in",
        (event) => {
          seen.push(event);
          return new Promise<void>(() => {});
        },
        "one",
      );
      await subject.settled(hung);
      const publisher = await subject.openProcess();
      publishAll(publisher, ["1", "2"]);
      await until(() => seen.length === 1);
      subject.crash(hung);
      await listening();
      await until(() => seen.length >= 3);
      expect(usersOf(seen)).toEqual(["1", "1", "2"]);
    });

    test("what was published while no subscriber ran is told when one is there again", async () => {
      await (await listening()).close();
      const publisher = await subject.openProcess();
      publishAll(publisher, ["1", "2"]);
      await publisher.close();
      await listening();
      await until(() => seen.length === 2);
      expect(usersOf(seen)).toEqual(["1", "2"]);
    });

    test("closing hands over what was published just before", async () => {
      await listening();
      const command = await subject.openProcess();
      publishAll(command, ["1", "2", "3"]);
      await command.close();
      await until(() => seen.length === 3);
    });

    test("publishing goes on at once while the store is away, in a bounded buffer; all that fits is told afterwards, in order", async () => {
      await listening();
      const publisher = await subject.openProcess();
      publishAll(publisher, ["before"]);
      await until(() => seen.length === 1);
      await subject.stopStore();
      await expect(publisher.ping()).rejects.toThrow();
      const order = Array.from({ length: 60 }, (_, index) => String(index));
      publishAll(publisher, order);
      await until(() => logged.errors("events can't be handed over, they wait").length > 0);
      expect(logged.errors("too many events wait to be handed over, further ones are dropped")).toHaveLength(1);
      await subject.startStore();
      await until(() => new Set(usersOf(seen)).size >= 51);
      await until(() => logged.warnings("events are handed over again").length > 0);
      expect(logged.warnings("events are handed over again")).toEqual([expect.objectContaining({ dropped: 10 })]);
      // Whether the last try before an outage was stored can't be known, so it is made again.
      expect([...new Set(usersOf(seen))]).toEqual(["before", ...order.slice(0, 50)]);
    });
  });
}
