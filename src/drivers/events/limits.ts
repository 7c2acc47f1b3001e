import { second } from "../../core/clock.ts";

export interface EventLimits {
  /** How many events may wait for one subscriber, or to be handed over to a bus that processes share. Further ones are dropped. */
  readonly waiting: number;
  /** How long a handler may take for one event. */
  readonly handlerMs: number;
  /** How long all subscribers together may take to finish when the bus closes. */
  readonly closeMs: number;
}

export const defaultLimits: EventLimits = { waiting: 1_000, handlerMs: 30 * second, closeMs: 5 * second };
