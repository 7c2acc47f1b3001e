import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/core/errors.ts";
import { createPacing } from "../../src/core/pace/pacing.ts";

const outcomes = async (turns: readonly Promise<void>[]): Promise<readonly string[]> =>
  (await Promise.allSettled(turns)).map((turn) =>
    turn.status === "fulfilled" ? "served" : turn.reason instanceof AppError ? turn.reason.reason : "failed",
  );

describe("V-13 pacing", () => {
  test("serves so many a second of a key, has some wait, and refuses those whose wait would be too long", async () => {
    const waitTurn = createPacing({ perSecond: 20, longestWaitMs: 200 });
    const started = performance.now();
    const all = await outcomes(Array.from({ length: 20 }, () => waitTurn("ada")));
    const served = all.filter((outcome) => outcome === "served");
    // Seven are served: two that are caught up on, one at once, and one each 50 ms for 200 ms.
    expect(served).toHaveLength(7);
    expect(all.slice(7)).toEqual(Array<string>(13).fill("rate_limited"));
    expect(performance.now() - started).toBeGreaterThan(190);
  });

  test("another key does not wait, and memory is bounded: beyond the bound keys share a line", async () => {
    const waitTurn = createPacing({ perSecond: 1, longestWaitMs: 0 });
    const first = await outcomes([waitTurn("ada"), waitTurn("ada"), waitTurn("grace")]);
    expect(first).toEqual(["served", "rate_limited", "served"]);
    await outcomes(Array.from({ length: 10_000 }, (_, index) => waitTurn(`stranger ${index}`)));
    expect(await outcomes([waitTurn("one more"), waitTurn("yet another")])).toContain("rate_limited");
  });
});
