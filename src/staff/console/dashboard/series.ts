import { hour, minute, type Millis } from "../../../core/clock.ts";
import type { Figures } from "../../../figures/index.ts";
import type { Series } from "./chart.tsx";

/** How often the health of the app is checked. */
const lookEveryMs = 5 * minute;

export type Counted = ReturnType<typeof createSeries>;

/** Arranges the figures of one span by bars. */
export function createSeries({ since, span, counts, mails, health, lookedSince = Infinity }: Figures, now: Millis) {
  const starts = Array.from({ length: span.bars }, (_, index) => since + index * span.widthMs);
  const place = (at: Millis): number => Math.round((at - since) / span.widthMs);

  function bars(rows: Iterable<{ readonly at: Millis; readonly value: number }>): readonly number[] {
    const values = starts.map(() => 0);
    for (const { at, value } of rows) {
      const index = place(at);
      const sum = values[index];
      if (sum !== undefined) values[index] = sum + value;
    }
    return values;
  }

  const events = (action: string): readonly number[] =>
    bars(counts.filter((count) => count.action === action).map(({ at, events: value }) => ({ at, value })));
  const ofHealth = (value: (each: Figures["health"][number]) => number): readonly number[] =>
    bars(health.map((each) => ({ at: each.at, value: value(each) })));

  /**
   * Returns the checks that are missing in each bar, of those that were due: none before the hour after the first one, in the middle of which
   * the app may have been set up, and none after now.
   */
  function unseen(): readonly number[] {
    const looks = ofHealth(({ ready, notReady }) => ready + notReady);
    return starts.map((start, index) => {
      const passed = Math.min(start + span.widthMs, now) - Math.max(start, lookedSince + hour);
      return Math.max(0, Math.floor(passed / lookEveryMs) - (looks[index] ?? 0));
    });
  }

  return {
    starts,
    events,
    mails: (state: string) =>
      bars(mails.filter((each) => each.state === state).map(({ at, mails: value }) => ({ at, value }))),
    ready: () => ofHealth(({ ready }) => ready),
    notReady: () => ofHealth(({ notReady }) => notReady),
    unseen,
    mostWaiting: () => ofHealth(({ mostWaiting }) => mostWaiting),
    mostDead: () => ofHealth(({ mostDead }) => mostDead),

    /** Returns the reasons of an action, the most frequent first. */
    reasons(action: string): readonly { readonly reason: string; readonly events: number }[] {
      const sums = new Map<string, number>();
      for (const count of counts)
        if (count.action === action) sums.set(count.reason, (sums.get(count.reason) ?? 0) + count.events);
      return [...sums]
        .map(([reason, sum]) => ({ reason, events: sum }))
        .toSorted((a, b) => b.events - a.events || (a.reason < b.reason ? -1 : 1));
    },
  };
}

export const sumOf = (...values: readonly (readonly number[])[]): number =>
  values.flat().reduce((total, value) => total + value, 0);

/** Returns the values as shares of the sum of their bar, from 0 to 1. */
export function shares(series: readonly Series[]): readonly Series[] {
  return series.map((each) => ({
    ...each,
    values: each.values.map((value, at) => {
      const whole = series.reduce((total, { values }) => total + (values[at] ?? 0), 0);
      return whole === 0 ? 0 : value / whole;
    }),
  }));
}
