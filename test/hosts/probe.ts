import type { Client } from "../support/client.ts";

export interface Answered {
  readonly status: number;
  /** The code of a refusal. */
  readonly code: unknown;
  readonly ms: number;
  /** When it was asked, in milliseconds of the clock that `performance.now` has. */
  readonly at: number;
}

const pauseMs = 50;

/** Asks for the same again and again, a few at a time, and keeps what came of it. A request without an answer has status 0. */
export function probe(client: Client, path: string, lanes = 4) {
  const answers: Answered[] = [];
  let isOver = false;

  async function ask(): Promise<void> {
    const at = performance.now();
    const answer = await client
      .copy()
      .get(path)
      .catch(() => undefined);
    answers.push({ status: answer?.status ?? 0, code: answer?.at("code"), ms: performance.now() - at, at });
  }
  async function repeat(): Promise<void> {
    while (!isOver) {
      await ask();
      await Bun.sleep(pauseMs);
    }
  }
  const asking = Promise.all(Array.from({ length: lanes }, repeat));

  return {
    answers,
    async stop(): Promise<void> {
      isOver = true;
      await asking;
    },
  };
}

export const slowestOf = (answers: readonly Answered[]): number =>
  Math.round(Math.max(0, ...answers.map(({ ms }) => ms)));

/** The longest time without an answer of that status, between two that have it. */
export function longestGap(answers: readonly Answered[], status: number): number {
  const times = answers.filter((each) => each.status === status).map(({ at, ms }) => at + ms);
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(Math.max(0, ...sorted.map((time, index) => time - (sorted[index - 1] ?? time))));
}

/** How many answers there were of each status and code, such as `200×12 503 unavailable×3`. */
export function summary(answers: readonly Answered[]): string {
  const kinds = Map.groupBy(answers, ({ status, code }) => [status, ...(code === undefined ? [] : [code])].join(" "));
  return [...kinds].map(([kind, { length }]) => `${kind}×${length}`).join(", ");
}
