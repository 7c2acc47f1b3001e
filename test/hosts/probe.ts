import { expect } from "bun:test";
import { auth } from "../support/auth.ts";
import { eventually } from "../support/log.ts";
import type { Answer, Client } from "../support/client.ts";

export interface Answered {
  readonly status: number;
  /** The code of a refusal; empty without one. */
  readonly code: string;
  /** Whether it says when to ask again. */
  readonly isTold: boolean;
  readonly ms: number;
  /** When the request was sent, by `performance.now`. */
  readonly at: number;
}

const pauseMs = 50;
/** The limit for every answer, however silent a dependency is. It allows for a slow machine. */
const answerLimitMs = 15_000;

type Ask = (client: Client, lane: number) => Promise<Answer>;

/** Asks the same again and again, a few at a time, and collects the answers. A request without an answer has status 0. */
function probe(client: Client, askIt: Ask, lanes = 4) {
  const answers: Answered[] = [];
  let isOver = false;

  async function ask(lane: number): Promise<void> {
    const at = performance.now();
    const answer = await askIt(client.copy(), lane).catch(() => undefined);
    const code = answer?.at("code");
    const ms = performance.now() - at;
    const isTold = answer?.headers.has("retry-after") === true;
    answers.push({ status: answer?.status ?? 0, code: typeof code === "string" ? code : "", isTold, ms, at });
  }
  async function repeat(_: unknown, lane: number): Promise<void> {
    while (!isOver) {
      await ask(lane);
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

/** Returns the longest time without an answer of that status, from the first request on. */
export function longestGap(answers: readonly Answered[], status: number): number {
  const began = Math.min(...answers.map(({ at }) => at));
  const times = answers.filter((each) => each.status === status).map(({ at, ms }) => at + ms);
  const sorted = [began, ...times].toSorted((a, b) => a - b);
  return Math.round(Math.max(0, ...sorted.map((time, index) => time - (sorted[index - 1] ?? time))));
}

/** Counts the answers by status and code, such as `200×12, 503 unavailable×3`. */
function summary(answers: readonly Answered[]): string {
  const kinds = Map.groupBy(answers, ({ status, code }) => `${status} ${code}`.trimEnd());
  return [...kinds].map(([kind, { length }]) => `${kind}×${length}`).join(", ");
}

interface Meanwhile {
  /** The name in the printed line. */
  readonly what: string;
  readonly client: Client;
  /** What is asked. Default: who is signed in. */
  readonly ask?: Ask;
  /** It is given the answers so far. */
  readonly act: (answers: readonly Answered[]) => Promise<void>;
  readonly isRestored: () => Promise<boolean>;
}

/**
 * Collects a browser's answers during the act and until everything is restored. Expects each to be what was asked for, or a 503, and none
 * to be late.
 */
export async function askedMeanwhile({
  what,
  client,
  ask = (browser) => browser.get(auth("me")),
  act,
  isRestored,
}: Meanwhile): Promise<readonly Answered[]> {
  const asking = probe(client, ask);
  const { answers } = asking;
  try {
    await act(answers);
    await eventually("all to be ready again", isRestored, 60_000);
    const before = answers.length;
    await eventually("it to be served again", () => answers.slice(before).some(({ status }) => status === 200));
  } finally {
    await asking.stop();
  }
  process.stdout.write(
    `      ${what}: ${summary(answers)}, slowest ${slowestOf(answers)} ms, without a 200 for ${longestGap(answers, 200)} ms at most\n`,
  );
  // Maintenance counts as on while its state can't be read.
  const isClean = ({ status, code }: Answered): boolean =>
    status === 200 || (status === 503 && (code === "unavailable" || code === "maintenance"));
  expect(answers.filter((each) => !isClean(each))).toEqual([]);
  expect(slowestOf(answers)).toBeLessThan(answerLimitMs);
  return answers;
}
