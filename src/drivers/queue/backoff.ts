import { minute, second } from "../../core/clock.ts";
import type { Rests } from "./index.ts";

const usualRests: Rests = { firstMs: 2 * second, longestMs: 15 * minute };

/**
 * Returns how long a job waits after its nth failed attempt. The delay doubles up to a bound, and half of it is random, so that jobs that
 * failed together do not come back together. `random` is in [0, 1).
 */
export function retryDelayMs(attempt: number, random: number, { firstMs, longestMs }: Rests = usualRests): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.max(0, attempt - 1));
  return Math.round(full / 2 + (full / 2) * random);
}
