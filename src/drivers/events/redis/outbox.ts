import { second } from "../../../core/clock.ts";
import { endsWithin } from "../../../core/pace/deadline.ts";
import type { DomainEvent } from "../../../core/topics.ts";
import type { EventLog, EventMetrics } from "../index.ts";

interface OutboxOptions {
  readonly bus: string;
  readonly append: (events: readonly string[]) => Promise<void>;
  /** How many events may wait to be handed over; further ones are dropped. */
  readonly most: number;
  readonly log: EventLog;
  readonly publishes: EventMetrics["publishes"] | undefined;
}

/** How many events are handed over at once. */
const batch = 100;
const pauseMs = 0.5 * second;

/** Hands events over in their order, while the publisher goes on. Events that can't be handed over wait, in a bounded number. */
export function createOutbox({ bus, append, most, log, publishes }: OutboxOptions) {
  const waiting: DomainEvent[] = [];
  let sending: Promise<void> | undefined;
  let isFailing = false;
  let dropped = 0;
  let isClosed = false;

  const count = (events: readonly DomainEvent[], status: "ok" | "failed"): void => {
    for (const { topic } of events) publishes?.count({ topic, status });
  };

  async function handOver(): Promise<void> {
    const events = waiting.slice(0, batch);
    await append(events.map((event) => JSON.stringify(event)));
    waiting.splice(0, events.length);
    count(events, "ok");
    if (isFailing) log.warn("events are handed over again", { bus, dropped });
    isFailing = false;
    dropped = 0;
  }

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      try {
        await handOver();
      } catch (error) {
        if (!isFailing) log.error("events can't be handed over, they wait", { bus, error });
        isFailing = true;
        if (isClosed) break;
        await Bun.sleep(pauseMs);
      }
    }
    sending = undefined;
  }

  return {
    add(event: DomainEvent): void {
      if (waiting.length >= most) {
        dropped += 1;
        count([event], "failed");
        if (dropped === 1) log.error("too many events wait to be handed over, further ones are dropped", { bus });
        return;
      }
      waiting.push(event);
      sending ??= send();
    },

    /** Resolves when all is handed over, or the time is up: events that are left then are dropped. */
    async close(withinMs: number): Promise<void> {
      if (sending !== undefined) await endsWithin(sending, withinMs);
      isClosed = true;
      if (waiting.length > 0) log.error("events not published", { bus, dropped: waiting.length });
      count(waiting.splice(0), "failed");
    },
  };
}
