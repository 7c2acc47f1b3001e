/** How an attempt to deliver ended. `withheld` was never attempted: there were too many of its kind. */
export const outcomes = [
  "delivered",
  "refused",
  "gone",
  "timeout",
  "unreachable",
  "forbidden_address",
  "withheld",
] as const;
export type Outcome = (typeof outcomes)[number];

interface Details {
  /** The receiver asks to be left alone for so long. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** A message that the receiver did not take. The text names no address: it is stored and shown. */
export class Undelivered extends Error {
  readonly outcome: Exclude<Outcome, "delivered" | "withheld">;
  readonly retryAfterMs: number | undefined;
  constructor(outcome: Undelivered["outcome"], message: string, { retryAfterMs, cause }: Details = {}) {
    super(message, { cause });
    this.name = "Undelivered";
    this.outcome = outcome;
    this.retryAfterMs = retryAfterMs;
  }
}
