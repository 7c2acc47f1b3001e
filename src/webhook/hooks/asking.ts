import type { Config } from "../../config/index.ts";
import { timestamp, type Clock } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { settle } from "../../core/pace/deadline.ts";
import { createFairTurns, type Place } from "../../core/pace/fair.turns.ts";
import { createTurnsByKey } from "../../core/pace/turns.ts";
import type { HookPoint } from "../../core/people/hook.points.ts";
import { signatureHeaders, writeBody } from "../message.ts";
import { createOutbound, type Delivery, type Outbound } from "../outbound.ts";
import { Undelivered, type Answer } from "../undelivered.ts";
import { readAnswer, type HookAnswer } from "./answer.ts";

/** What a hook is told of a person. */
export type Question = Readonly<Record<string, unknown>>;

export interface AskingOptions {
  /** Wraps the function that sends questions, to record calls where inspects are on. */
  readonly watchCalls?: ((send: Outbound) => (origin: string, delivery: Delivery) => Promise<Answer>) | undefined;
  readonly clock: Clock;
}

/** How many questions a process has open with one hook, and how many more wait for their turn. */
const places = { running: 32, waiting: 512 } as const;
/** How many of these one account, or one block of addresses that registers accounts, has at most: more wait, or are refused. */
const ofOneSubject = { running: 4, waiting: 32 } as const;
const mostAnswerBytes = 8 * 1024;

const failure = (message: string): Undelivered => new Undelivered("unreachable", message);

/** Takes turns by account, and by blocks of addresses among strangers. */
function createHookTurns() {
  const refusal = (): Undelivered => failure("too many questions wait for it");
  const ofAll = createFairTurns({ ...places, refusal });
  const ofEach = createTurnsByKey({ ...ofOneSubject, refusal });
  return <T>(work: () => Promise<T>, place: Place): Promise<T> =>
    ofEach.run(place.provenFor ?? place.path.join(" "), () => ofAll.run(work, place));
}

/** Asks one program, within its time: the wait for a turn counts. Rejects with Undelivered. */
export function createAsking(name: string, hook: Config["hooks"][string], { watchCalls, clock }: AskingOptions) {
  const { url, secrets, allowPrivate, timeoutMs } = hook;
  const outbound = createOutbound({ clock, timeoutMs });
  const send = watchCalls?.(outbound) ?? outbound;
  const inTurn = createHookTurns();

  return async (type: HookPoint, data: Question, place: Place): Promise<HookAnswer> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const message = { id: `${newId()}_${name}`, body: writeBody({ type, timestamp: timestamp(clock.now()), data }) };
    const ask = (): Promise<Answer> => {
      if (signal.aborted) throw failure("it was not its turn in time");
      const headers = {
        "content-type": "application/json",
        "user-agent": "gatehouse",
        ...signatureHeaders(message, secrets, clock.now()),
      };
      const { body } = message;
      return send(new URL(url).origin, { method: "POST", url, allowPrivate, headers, body, mostAnswerBytes, signal });
    };
    try {
      return readAnswer(await settle(inTurn(ask, place), signal, 0));
    } catch (error) {
      if (error instanceof Undelivered) throw error;
      if (signal.aborted)
        throw new Undelivered("timeout", `it did not answer within ${timeoutMs} ms`, { cause: error });
      throw error;
    }
  };
}
