import type { Config } from "../../config/index.ts";
import { timestamp, type Clock } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { settle } from "../../core/pace/deadline.ts";
import { createTurns } from "../../core/pace/turns.ts";
import type { HookPoint } from "../../core/people/hook.points.ts";
import type { Log } from "../../observe/index.ts";
import { signatureHeaders, writeBody } from "../message.ts";
import { createOutbound, type Delivery, type Outbound } from "../outbound.ts";
import { Undelivered, type Answer } from "../undelivered.ts";
import { readAnswer, type HookAnswer } from "./answer.ts";

type Hook = Config["hooks"][string];
type HookOutcome = "allowed" | "denied" | "failed";

/** What a hook is told of a person. */
export type Question = Readonly<Record<string, unknown>>;

/** The answer of all hooks of a point. Where one denies, or fails and counts as denying, the others are not asked. */
export type Verdict =
  | { readonly decision: "allow"; readonly claims: HookAnswer["claims"] }
  | { readonly decision: "deny"; readonly message: string | undefined; readonly hasFailed: boolean };

export interface HookOptions {
  readonly config: Pick<Config, "hooks">;
  readonly calls: {
    count(labels: { readonly hook: string; readonly point: string; readonly outcome: string }, by?: number): void;
  };
  /** Wraps the function that sends questions, to record calls where inspects are on. */
  readonly watchCalls?: ((send: Outbound) => (origin: string, delivery: Delivery) => Promise<Answer>) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Whom a question of a test is about. */
const somebody = {
  username: "ada",
  display_name: "Ada Lovelace",
  locale: "en",
  ip_address: "203.0.113.7",
  user_agent: "gatehouse",
  method: "password",
} as const satisfies Question;
/** A question about a token has no client, and names the session. */
const ofToken = { ip_address: null, user_agent: null, session_id: "01a7b0c1-5b9e-7c53-8a63-6a1e3d5f2b10" };

/** How many questions a process has open with one hook, and how many more wait for their turn. */
const places = { running: 32, waiting: 512 } as const;
const mostAnswerBytes = 8 * 1024;

const failure = (message: string): Undelivered => new Undelivered("unreachable", message);

/** Asks one program, within its time: the wait for a turn counts. Rejects with Undelivered. */
function createAsking(name: string, hook: Hook, { watchCalls, clock }: Pick<HookOptions, "watchCalls" | "clock">) {
  const { url, secrets, allowPrivate, timeoutMs } = hook;
  const outbound = createOutbound({ clock, timeoutMs });
  const send = watchCalls?.(outbound) ?? outbound;
  const turns = createTurns({ ...places, refusal: () => failure("too many questions wait for it") });

  return async (type: HookPoint, data: Question): Promise<HookAnswer> => {
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
      return readAnswer(await settle(turns.run(ask), signal, 0));
    } catch (error) {
      if (error instanceof Undelivered) throw error;
      if (signal.aborted)
        throw new Undelivered("timeout", `it did not answer within ${timeoutMs} ms`, { cause: error });
      throw error;
    }
  };
}

/** Asks programs that the operator has named, in the order of their names, before something is done. */
export function createHooks({ config, calls, watchCalls, clock, log }: HookOptions) {
  const hooks = Object.entries(config.hooks)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, hook]) => ({ name, ...hook, ask: createAsking(name, hook, { watchCalls, clock }) }));
  const outcomes: readonly HookOutcome[] = ["allowed", "denied", "failed"];
  for (const { name, points } of hooks)
    for (const point of points) for (const outcome of outcomes) calls.count({ hook: name, point, outcome }, 0);

  async function askOne(
    { name, ask, onFailure }: (typeof hooks)[number],
    point: HookPoint,
    data: Question,
  ): Promise<Verdict> {
    const count = (outcome: HookOutcome): void => calls.count({ hook: name, point, outcome });
    try {
      const { decision, message, claims } = await ask(point, data);
      count(decision === "allow" ? "allowed" : "denied");
      return decision === "allow" ? { decision, claims } : { decision, message, hasFailed: false };
    } catch (error) {
      if (!(error instanceof Undelivered)) throw error;
      count("failed");
      log.warn("a hook gave no answer", { hook: name, point, counts_as: onFailure, reason: error.message });
      return onFailure === "allow"
        ? { decision: "allow", claims: {} }
        : { decision: "deny", message: undefined, hasFailed: true };
    }
  }

  async function ask(point: HookPoint, data: Question): Promise<Verdict> {
    let claims: HookAnswer["claims"] = {};
    for (const hook of hooks) {
      if (!hook.points.includes(point)) continue;
      const verdict = await askOne(hook, point, data);
      if (verdict.decision === "deny") return verdict;
      claims = { ...claims, ...verdict.claims };
    }
    return { decision: "allow", claims };
  }

  return {
    /** Whether anybody is to be asked at this point. */
    isAsked: (point: HookPoint): boolean => hooks.some(({ points }) => points.includes(point)),
    ask,

    /** Asks one hook about somebody made up, who has that address. Resolves to its answer, or to why there was none. */
    async test(name: string, point: HookPoint, email: string) {
      const began = performance.now();
      const passed = (): number => Math.round(performance.now() - began);
      try {
        const hook = hooks.find((each) => each.name === name);
        if (hook === undefined) throw failure("it is not configured");
        const { decision, message, claims } = await hook.ask(point, {
          email,
          ...somebody,
          ...(point === "before.token" && ofToken),
        });
        return { decision, ...(message !== undefined && { message }), claims, ms: passed() };
      } catch (error) {
        if (!(error instanceof Undelivered)) throw error;
        return { outcome: error.outcome, error: error.message, ms: passed() };
      }
    },
  };
}

export type Hooks = ReturnType<typeof createHooks>;
