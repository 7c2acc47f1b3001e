import { second } from "../../core/clock.ts";

export interface EventLimits {
  /** Events that wait for one subscriber; more are dropped. */
  readonly waiting: number;
  /** What a handler gets for one event. */
  readonly handlerMs: number;
  /** What all subscribers together get to finish when the bus closes. */
  readonly closeMs: number;
}

export const defaultLimits: EventLimits = { waiting: 1_000, handlerMs: 30 * second, closeMs: 5 * second };
