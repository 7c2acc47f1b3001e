import { day, hour, type Clock, type Millis } from "../core/clock.ts";
import type { AgeClock } from "../core/clock.trust.ts";
import type { Module, ReadinessCheck } from "../core/module.ts";
import type { Database } from "../drivers/database/index.ts";
import type { QueueDepth } from "../drivers/queue/index.ts";
import { createCollect } from "./collect.ts";
import { createCountRepository } from "./count.repository.ts";
import { createHealthRepository, type HealthSample } from "./health.repository.ts";
import { createPeopleRepository } from "./people.repository.ts";

export type { Count } from "./count.repository.ts";
export type { DayCount } from "./people.repository.ts";

/** How long figures are kept: a day more than the longest chart shows. */
const keptMs = 31 * day;

/** A span of time as charts show it: a number of bars, each an hour or a day wide, in UTC. The last bar has only begun. */
export interface Span {
  readonly widthMs: number;
  readonly bars: number;
}
export const lastDay: Span = { widthMs: hour, bars: 24 };
export const lastMonth: Span = { widthMs: day, bars: 30 };

/** Returns when the first bar of a span begins that ends now. */
const beginOf = ({ widthMs, bars }: Span, now: Millis): Millis => now - (now % widthMs) - (bars - 1) * widthMs;

export type Figures = Readonly<Awaited<ReturnType<FigureService["of"]>>>;

export interface Sources {
  readonly readiness: () => Promise<
    readonly (Pick<ReadinessCheck, "type" | "name" | "optional"> & { readonly status: "ok" | "failed" })[]
  >;
  readonly depths: () => Promise<readonly QueueDepth[]>;
}

interface FigureOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly ages: AgeClock;
}

/**
 * Makes the figures that the dashboard shows of the last day and month. They are kept as they change, so that no page counts rows of the audit
 * log or accounts.
 */
export function createFigures({ database, clock, ages }: FigureOptions) {
  const counts = createCountRepository(database);
  const health = createHealthRepository(database);
  const people = createPeopleRepository(database);

  async function sample({ readiness, depths }: Sources): Promise<HealthSample> {
    const failed = (await readiness()).filter(({ status, optional }) => status === "failed" && optional !== true);
    const queues = await depths();
    const sum = (of: (depth: QueueDepth) => number): number => queues.reduce((total, depth) => total + of(depth), 0);
    return {
      isReady: failed.length === 0,
      failed: failed.length === 0 ? null : failed.map(({ type, name }) => `${type} ${name}`).join(", "),
      waiting: sum(({ ready }) => ready),
      dead: sum(({ dead }) => dead),
    };
  }

  return {
    async of(span: Span) {
      const now = clock.now();
      const { widthMs } = span;
      const since = beginOf(span, now);
      const monthSince = beginOf(lastMonth, now);
      return {
        since,
        span,
        counts: await counts.list(since, widthMs),
        mails: await counts.mails(since, widthMs),
        health: await health.list(since, widthMs),
        /** Since when anybody has looked at the health of the app; undefined where nobody has. */
        lookedSince: await health.first(),
        /** The accounts, and their people by the day over the last month, whatever the span is. */
        people: { since: monthSince, ...(await people.count(monthSince)) },
        /** Since when the audit log is counted: later than `since` while a log from before the counts is still being counted. */
        countedFrom: await counts.countedFrom(),
      };
    },

    /** Returns the module that collects from these sources, in the app that runs schedules. */
    module: (sources: Sources): Module => ({
      schedules: [createCollect({ counts, health, people, sample: () => sample(sources), keptMs, clock, ages })],
    }),
  };
}

export type FigureService = ReturnType<typeof createFigures>;
