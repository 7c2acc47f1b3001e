import type { Millis } from "../../core/clock.ts";
import type { Sample } from "./series.ts";

/** How much room the data takes, and how much room is left. */
export interface StoreFigures {
  readonly fileBytes: number;
  /** Size of the write-ahead log. */
  readonly logBytes: number;
  readonly freeBytes: number;
}

export type CopyKind = "daily" | "changes";

/** Creates the metrics of the data's safety: its room on the host, and its copies elsewhere. */
export function createKeepingMetrics() {
  const copiedAt = new Map<CopyKind, Millis>();
  let measure: (() => Promise<StoreFigures>) | undefined;
  let figures: StoreFigures | undefined;
  return {
    /** Sets the function that measures the data at each scrape. */
    watch(how: typeof measure): void {
      measure = how;
    },
    copied: (kind: CopyKind, at: Millis): void => void copiedAt.set(kind, at),
    /** Measures the data. A scrape goes without these figures where measuring fails. */
    async read(): Promise<void> {
      figures = await measure?.().catch(() => undefined);
    },
    store: (figure: keyof StoreFigures): readonly Sample[] =>
      figures === undefined ? [] : [{ labels: {}, value: figures[figure] }],
    copies: (): readonly Sample[] => [...copiedAt].map(([kind, at]) => ({ labels: { kind }, value: at / 1_000 })),
  };
}
