import { minute, second } from "../../core/clock.ts";

const firstDelayMs = 2 * second;
const maxDelayMs = 15 * minute;

/**
 * How long a job rests after its nth failed attempt: doubling, bounded, and half of it random, so that jobs that failed
 * together do not come back together. `random` is in [0, 1).
 */
export function retryDelayMs(attempt: number, random: number): number {
  const full = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.max(0, attempt - 1));
  return Math.round(full / 2 + (full / 2) * random);
}
