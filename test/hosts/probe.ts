import { expect } from "bun:test";
import { auth } from "../support/auth.ts";
import { eventually } from "../support/log.ts";
import type { Client } from "../support/client.ts";

export interface Answered {
  readonly status: number;
  /** The code of a refusal; empty without one. */
  readonly code: string;
  readonly ms: number;
  /** When it was asked, in milliseconds of the clock that `performance.now` has. */
  readonly at: number;
}

const pauseMs = 50;
/** However silent a dependency is, a request has its answer by then; what a slow machine adds is in it. */
const answerLimitMs = 15_000;

/** Asks for the same again and again, a few at a time, and keeps what came of it. A request without an answer has status 0. */
function probe(client: Client, path: string, lanes = 4) {
  const answers: Answered[] = [];
  let isOver = false;

  async function ask(): Promise<void> {
    const at = performance.now();
    const answer = await client
      .copy()
      .get(path)
      .catch(() => undefined);
    const code = answer?.at("code");
    const ms = performance.now() - at;
    answers.push({ status: answer?.status ?? 0, code: typeof code === "string" ? code : "", ms, at });
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

const slowestOf = (answers: readonly Answered[]): number => Math.round(Math.max(0, ...answers.map(({ ms }) => ms)));

/** The longest time without an answer of that status since the first request was sent. */
function longestGap(answers: readonly Answered[], status: number): number {
  const began = Math.min(...answers.map(({ at }) => at));
  const times = answers.filter((each) => each.status === status).map(({ at, ms }) => at + ms);
  const sorted = [began, ...times].toSorted((a, b) => a - b);
  return Math.round(Math.max(0, ...sorted.map((time, index) => time - (sorted[index - 1] ?? time))));
}

/** How many answers there were of each status and code, such as `200×12, 503 unavailable×3`. */
function summary(answers: readonly Answered[]): string {
  const kinds = Map.groupBy(answers, ({ status, code }) => `${status} ${code}`.trimEnd());
  return [...kinds].map(([kind, { length }]) => `${kind}×${length}`).join(", ");
}

interface Meanwhile {
  /** What the printed line calls it. */
  readonly what: string;
  readonly client: Client;
  readonly act: () => Promise<void>;
  readonly isRestored: () => Promise<boolean>;
}

/** What a browser is answered while that is done, and until all is as before: what it asks for, or 503, and never late. */
export async function askedMeanwhile({ what, client, act, isRestored }: Meanwhile): Promise<readonly Answered[]> {
  const asking = probe(client, auth("me"));
  const { answers } = asking;
  try {
    await act();
    await eventually("all to be ready again", isRestored, 60_000);
    const before = answers.length;
    await eventually("it to be served again", () => answers.slice(before).some(({ status }) => status === 200));
  } finally {
    await asking.stop();
  }
  process.stdout.write(
    `      ${what}: ${summary(answers)}, slowest ${slowestOf(answers)} ms, without a 200 for ${longestGap(answers, 200)} ms at most\n`,
  );
  // While the state of maintenance can't be read it counts as on.
  const isClean = ({ status, code }: Answered): boolean =>
    status === 200 || (status === 503 && (code === "unavailable" || code === "maintenance"));
  expect(answers.filter((each) => !isClean(each))).toEqual([]);
  expect(slowestOf(answers)).toBeLessThan(answerLimitMs);
  return answers;
}
