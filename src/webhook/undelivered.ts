export interface Answer {
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
  /** The beginning of the body, as far as the delivery asks for it. */
  readonly body: Beginning;
}

export interface Beginning {
  readonly text: string;
  /** False where there was more, or it did not come in time. */
  readonly isWhole: boolean;
}

/** How an attempt to deliver ended. A message that is `withheld` was never attempted: there were too many of its kind. */
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
  /** The answer of a receiver that did not take the message. */
  readonly answer?: Answer | undefined;
  /** How long the receiver asks to be left alone. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Thrown for a message that the receiver did not take. The text names no address, because it is stored and shown. */
export class Undelivered extends Error {
  readonly outcome: Exclude<Outcome, "delivered" | "withheld">;
  readonly retryAfterMs: number | undefined;
  readonly answer: Answer | undefined;
  constructor(outcome: Undelivered["outcome"], message: string, { retryAfterMs, answer, cause }: Details = {}) {
    super(message, { cause });
    this.name = "Undelivered";
    this.outcome = outcome;
    this.retryAfterMs = retryAfterMs;
    this.answer = answer;
  }
}
