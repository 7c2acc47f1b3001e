import type { Millis } from "../core/clock.ts";
import type { Sample } from "./metrics.series.ts";

/** How much room the data takes, and how much is left. */
export interface StoreFigures {
  readonly fileBytes: number;
  /** Of the write-ahead log. */
  readonly logBytes: number;
  readonly freeBytes: number;
}

export type CopyKind = "daily" | "changes";

/** What is known of the data's safety: its room on the host, and its copies elsewhere. */
export function createKeepingMetrics() {
  const copiedAt = new Map<CopyKind, Millis>();
  let measure: (() => Promise<StoreFigures>) | undefined;
  let figures: StoreFigures | undefined;
  return {
    /** Says where the data is measured, at each scrape. */
    watch(how: typeof measure): void {
      measure = how;
    },
    copied: (kind: CopyKind, at: Millis): void => void copiedAt.set(kind, at),
    /** What can't be measured is left out of this scrape. */
    async read(): Promise<void> {
      figures = await measure?.().catch(() => undefined);
    },
    store: (figure: keyof StoreFigures): readonly Sample[] =>
      figures === undefined ? [] : [{ labels: {}, value: figures[figure] }],
    copies: (): readonly Sample[] => [...copiedAt].map(([kind, at]) => ({ labels: { kind }, value: at / 1_000 })),
  };
}
