import { describe, expect, test } from "bun:test";
import { hour, minute } from "../../src/core/clock.ts";
import { lastDay, lastMonth, type Figures, type Span } from "../../src/figures/index.ts";
import { niceTop, percent, ticksBelow } from "../../src/staff/console/dashboard/axis.ts";
import { createSeries } from "../../src/staff/console/dashboard/series.ts";

describe("an axis", () => {
  const heights = [...Array.from({ length: 2_000 }, (_, index) => index), 9_999, 10_001, 15_000, 123_456, 7_654_321];

  test("has no value above its top, and is at most twice as high as needed", () => {
    for (const highest of heights) {
      expect(niceTop(highest)).toBeGreaterThanOrEqual(highest);
      expect(niceTop(highest)).toBeLessThanOrEqual(Math.max(2, 2 * highest));
    }
  });

  test("has whole numbers at its ticks, each with a text of its own that says it exactly", () => {
    for (const highest of heights) {
      const top = niceTop(highest);
      const ticks = [0, top / 2, top];
      for (const tick of ticks) expect(tick).toBe(Math.floor(tick));
      const texts = ticks.map(ticksBelow(top, "en"));
      expect(new Set(texts).size).toBe(3);
      const read = texts.map(
        (text) =>
          Number.parseFloat(text.replaceAll(",", "")) * (text.endsWith("M") ? 1e6 : text.endsWith("K") ? 1e3 : 1),
      );
      expect(read).toEqual(ticks);
    }
  });
});

test("a share is 0 or 100 % only where it is none or all", () => {
  const shares = [
    percent(0, 0),
    percent(0, 9),
    percent(1, 100_000),
    percent(1, 3),
    percent(99_999, 100_000),
    percent(9, 9),
  ];
  expect(shares).toEqual(["0 %", "0 %", "1 %", "33 %", "99 %", "100 %"]);
});

describe("S-41 the looks at the app that are missing", () => {
  const now = Date.UTC(2026, 5, 1, 12, 30);
  const none: Pick<Figures, "counts" | "mails" | "countedFrom"> = { counts: [], mails: [], countedFrom: 0 };
  const people = { since: 0, accounts: 0, factors: [], made: [], active: [], lastSeen: [], countedSince: undefined };

  function unseen(span: Span, lookedSince: number | undefined, looks: Readonly<Record<number, number>> = {}) {
    const since = now - (now % span.widthMs) - (span.bars - 1) * span.widthMs;
    const health = Object.entries(looks).map(([at, ready]) => ({
      at: Number(at),
      ready,
      notReady: 0,
      failed: null,
      mostWaiting: 0,
      mostDead: 0,
    }));
    return createSeries({ ...none, since, span, health, people, lookedSince }, now).unseen();
  }

  test.each([lastDay, lastMonth])("are none where nobody has looked yet: %o", (span) => {
    expect(unseen(span, undefined)).toEqual(Array.from({ length: span.bars }, () => 0));
  });

  test("are none before the first look, nor in its hour, and all that are due afterwards", () => {
    const first = now - 30 * minute - 3 * hour;
    const missing = unseen(lastDay, first, { [first]: 4, [first + hour]: 12, [first + 2 * hour]: 5 });
    expect(missing).toEqual([...Array.from({ length: 22 }, () => 0), 7, 6]);
  });

  test("are all of a bar where the app was first looked at before the span", () => {
    expect(unseen(lastDay, now - 100 * hour).slice(0, 2)).toEqual([12, 12]);
  });
});
