import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { newId } from "../../src/core/ids.ts";
import type { DomainEvent } from "../../src/core/topics.ts";
import type { EventBus } from "../../src/drivers/events/index.ts";
import type { EventLimits } from "../../src/drivers/events/delivery.ts";
import { createEventLog, type EventLogUnderTest } from "./events.log.ts";

export interface EventsUnderTest {
  /** The bus on which events are published. */
  readonly publisher: EventBus;
  /** The bus of the subscriptions: the same one, or another one that the first reaches. */
  readonly subscriber: EventBus;
  /** Resolves when the subscriptions made by now will get their events. */
  settled(): Promise<void>;
  /** Closes both, so that nothing goes on running. */
  dispose(): Promise<void>;
}

const at = "2026-01-01T00:00:00.000Z";
export const loggedIn = (user: string, id = newId()): DomainEvent => ({
  id,
  at,
  topic: "auth.logged-in",
  payload: { user_id: user, session_id: "a session" },
});
export const maintained = (app: string): DomainEvent => ({
  id: newId(),
  at,
  topic: "maintenance.enabled",
  payload: { app },
});

/** Resolves when the condition holds; rejects at the deadline. */
export async function until(holds: () => boolean, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`did not happen within ${withinMs} ms`);
    await Bun.sleep(2);
  }
}

/** Defines the tests that every event driver must pass. */
export function eventsConformance(
  name: string,
  open: (log: EventLogUnderTest["log"], limits: Partial<EventLimits>) => Promise<EventsUnderTest>,
) {
  describe(`every event bus: ${name}`, () => {
    let logged: EventLogUnderTest;
    let subject: EventsUnderTest;
    let seen: DomainEvent[];
    const limits = { waiting: 50, handlerMs: 100, closeMs: 1_000 };

    beforeEach(async () => {
      logged = createEventLog();
      seen = [];
      subject = await open(logged.log, limits);
    });
    afterEach(async () => subject.dispose());

    const users = (events: readonly DomainEvent[] = seen): unknown[] =>
      events.map(({ payload }) => ("user_id" in payload ? payload.user_id : undefined));

    test("an event arrives as it was published, at everyone who subscribed to its topic and at nobody else", async () => {
      const others: DomainEvent[] = [];
      const all: DomainEvent[] = [];
      subject.subscriber.subscribe("auth.logged-in", (event) => void seen.push(event), "one");
      subject.subscriber.subscribe("maintenance.enabled", (event) => void others.push(event), "another");
      subject.subscriber.subscribe(["auth.logged-in", "maintenance.enabled"], (event) => void all.push(event), "both");
      await subject.settled();
      const [ada, off] = [loggedIn("ada"), maintained("app")];
      subject.publisher.publish(ada);
      subject.publisher.publish(off);
      await until(() => all.length === 2);
      expect({ seen, others, all }).toEqual({ seen: [ada], others: [off], all: [ada, off] });
    });

    test("publishing never runs a handler in the publisher's turn", async () => {
      subject.subscriber.subscribe("auth.logged-in", (event) => void seen.push(event), "one");
      await subject.settled();
      subject.publisher.publish(loggedIn("ada"));
      await Promise.resolve();
      expect(seen).toEqual([]);
      await until(() => seen.length === 1);
    });

    test("the events of one publisher arrive in their order, one at a time, however long each takes", async () => {
      let inHand = 0;
      let most = 0;
      subject.subscriber.subscribe(
        ["auth.logged-in", "maintenance.enabled"],
        async (event) => {
          most = Math.max(most, (inHand += 1));
          await Bun.sleep(users([event])[0] === "3" ? 20 : 1);
          inHand -= 1;
          seen.push(event);
        },
        "one",
      );
      await subject.settled();
      const order = Array.from({ length: 20 }, (_, index) => String(index));
      for (const user of order) subject.publisher.publish(loggedIn(user));
      await until(() => seen.length === order.length);
      expect(users()).toEqual(order);
      expect(most).toBe(1);
    });

    test("a subscriber that fails is logged, gets the next event, and disturbs nobody", async () => {
      let calls = 0;
      const fail = (event: DomainEvent): void => {
        calls += 1;
        throw new Error(`no room for ${event.topic}`);
      };
      subject.subscriber.subscribe("auth.logged-in", fail, "thrower");
      subject.subscriber.subscribe("auth.logged-in", async (event) => fail(event), "rejecter");
      subject.subscriber.subscribe("auth.logged-in", (event) => void seen.push(event), "one");
      await subject.settled();
      subject.publisher.publish(loggedIn("ada"));
      subject.publisher.publish(loggedIn("grace"));
      await until(() => seen.length === 2 && calls === 4);
      expect(users()).toEqual(["ada", "grace"]);
      await until(() => logged.errors("event subscriber failed").length === 4);
      expect(
        logged
          .errors("event subscriber failed")
          .map(({ subscriber }) => subscriber)
          .toSorted(),
      ).toEqual(["rejecter", "rejecter", "thrower", "thrower"]);
    });

    test("a subscriber that hangs is told so by its signal, logged, and gets the next event", async () => {
      const reasons: unknown[] = [];
      subject.subscriber.subscribe(
        "auth.logged-in",
        async (event, signal) => {
          if (users([event])[0] !== "ada") return void seen.push(event);
          const { promise, reject } = Promise.withResolvers<never>();
          signal.addEventListener("abort", () => {
            reasons.push(signal.reason);
            reject(signal.reason);
          });
          await promise;
        },
        "hanger",
      );
      await subject.settled();
      subject.publisher.publish(loggedIn("ada"));
      subject.publisher.publish(loggedIn("grace"));
      await until(() => seen.length === 1);
      expect(users()).toEqual(["grace"]);
      expect(String(reasons[0])).toContain("it took longer than 100 ms");
      expect(logged.errors("event subscriber failed")).toHaveLength(1);
    });

    test("a subscriber too slow loses events beyond its bounded buffer, which is logged, and nobody else does", async () => {
      const gate = Promise.withResolvers<void>();
      const slow: DomainEvent[] = [];
      subject.subscriber.subscribe(
        "auth.logged-in",
        async (event) => {
          slow.push(event);
          await gate.promise;
        },
        "slow",
      );
      subject.subscriber.subscribe("auth.logged-in", (event) => void seen.push(event), "quick");
      await subject.settled();
      const names = Array.from({ length: 3 }, (_, index) => String(index));
      for (const user of names) {
        for (let time = 0; time < limits.waiting; time += 1) subject.publisher.publish(loggedIn(user));
        // The quick subscriber keeps up with events that are published at this pace.
        await until(() => seen.length === (Number(user) + 1) * limits.waiting);
      }
      await until(() => logged.warnings("event subscriber too slow, events are dropped").length > 0);
      gate.resolve();
      const dropped = (): number =>
        logged.warnings("event subscriber caught up").reduce((sum, each) => sum + Number(each["dropped"]), 0);
      await until(() => dropped() + slow.length === 3 * limits.waiting);
      expect(dropped()).toBeGreaterThan(limits.waiting);
    });

    test("one subscriber can't change what another is told", async () => {
      subject.subscriber.subscribe(
        "auth.logged-in",
        (event) => void Reflect.set(event.payload, "user_id", "mallory"),
        "meddler",
      );
      subject.subscriber.subscribe("auth.logged-in", (event) => void seen.push(event), "one");
      await subject.settled();
      const ada = loggedIn("ada");
      subject.publisher.publish(ada);
      await until(() => seen.length === 1);
      expect(users()).toEqual(["ada"]);
      expect(users([ada])).toEqual(["ada"]);
    });

    test("a name subscribes once at a time", async () => {
      const leave = subject.subscriber.subscribe("auth.logged-in", () => {}, "one");
      expect(() => subject.subscriber.subscribe("maintenance.enabled", () => {}, "one")).toThrow("already");
      expect(subject.subscriber.subscribers()).toEqual(["one"]);
      leave();
      subject.subscriber.subscribe("auth.logged-in", (event) => void seen.push(event), "one");
      await subject.settled();
      subject.publisher.publish(loggedIn("ada"));
      await until(() => seen.length === 1);
    });

    test("who has unsubscribed gets nothing more", async () => {
      const gone: DomainEvent[] = [];
      const leave = subject.subscriber.subscribe("auth.logged-in", (event) => void gone.push(event), "gone");
      subject.subscriber.subscribe("auth.logged-in", (event) => void seen.push(event), "one");
      await subject.settled();
      leave();
      leave();
      subject.publisher.publish(loggedIn("ada"));
      await until(() => seen.length === 1);
      expect(gone).toEqual([]);
    });

    test.each([
      ["no known topic", { topic: "auth.nonsense", payload: {} }],
      ["a payload that does not fit", { topic: "auth.logged-in", payload: { user_id: 7 } }],
    ])("%s is logged and not published, and does not throw", async (_, what) => {
      subject.subscriber.subscribe("auth.logged-in", (event) => void seen.push(event), "one");
      await subject.settled();
      const wrong: DomainEvent = JSON.parse(JSON.stringify({ id: newId(), at, ...what }));
      subject.publisher.publish(wrong);
      subject.publisher.publish(loggedIn("ada"));
      await until(() => seen.length === 1);
      expect(users()).toEqual(["ada"]);
      expect(logged.errors("event not published")).toHaveLength(1);
    });

    test("closing delivers what was published, and nothing after it", async () => {
      subject.subscriber.subscribe("auth.logged-in", (event) => void seen.push(event), "one");
      await subject.settled();
      for (const user of ["ada", "grace"]) subject.publisher.publish(loggedIn(user));
      await until(() => subject.publisher === subject.subscriber || seen.length === 2);
      await subject.subscriber.close();
      expect(users()).toEqual(["ada", "grace"]);
      subject.publisher.publish(loggedIn("alan"));
      await Bun.sleep(50);
      expect(users()).toEqual(["ada", "grace"]);
      expect(() => subject.subscriber.subscribe("auth.logged-in", () => {}, "late")).toThrow("is closed");
      await expect(subject.subscriber.ping()).rejects.toThrow("is closed");
      await subject.subscriber.close();
    });

    test("closing does not wait for a subscriber that never ends", async () => {
      const started = Promise.withResolvers<void>();
      subject.subscriber.subscribe(
        "auth.logged-in",
        () => {
          started.resolve();
          return new Promise<void>(() => {});
        },
        "endless",
      );
      await subject.settled();
      for (let time = 0; time < 20; time += 1) subject.publisher.publish(loggedIn("ada"));
      await started.promise;
      const begun = performance.now();
      await subject.subscriber.close();
      expect(performance.now() - begun).toBeLessThan(limits.closeMs + 500);
    });

    test("it says what it is and that it can deliver", async () => {
      await subject.publisher.ping();
      expect(subject.publisher.driver).toBeString();
      expect(subject.publisher.name).toBe("default");
    });
  });
}
