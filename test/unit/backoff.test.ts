import { expect, test } from "bun:test";
import { retryDelayMs } from "../../src/drivers/queue/backoff.ts";

test("the rest between attempts is bounded and spread", () => {
  for (let attempt = 1; attempt < 100; attempt += 1) {
    expect(retryDelayMs(attempt, 0)).toBeGreaterThanOrEqual(1_000);
    expect(retryDelayMs(attempt, 0.999)).toBeLessThanOrEqual(15 * 60_000);
    expect(retryDelayMs(attempt, 0.999)).toBeGreaterThan(retryDelayMs(attempt, 0));
  }
});
