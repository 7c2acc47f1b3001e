import type { Config } from "../../config/index.ts";
import type { Place } from "../../core/pace/fair.turns.ts";
import { createNews } from "../../core/pace/news.ts";
import type { HookPoint } from "../../core/people/hook.points.ts";
import type { Log } from "../../observe/index.ts";
import { Undelivered } from "../undelivered.ts";
import type { HookAnswer } from "./answer.ts";
import { createAsking, type AskingOptions, type Question } from "./asking.ts";

type HookOutcome = "allowed" | "denied" | "failed";

/** The answer of all hooks of a point. Where one denies, or fails and counts as denying, the others are not asked. */
export type Verdict =
  | { readonly decision: "allow"; readonly claims: HookAnswer["claims"] }
  | { readonly decision: "deny"; readonly message: string | undefined; readonly hasFailed: boolean };

export interface HookOptions extends AskingOptions {
  readonly config: Pick<Config, "hooks">;
  readonly calls: {
    count(labels: { readonly hook: string; readonly point: string; readonly outcome: string }, by?: number): void;
  };
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

/** Asks programs that the operator has named, in the order of their names, before something is done. */
export function createHooks({ config, calls, watchCalls, clock, log }: HookOptions) {
  const hooks = Object.entries(config.hooks)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, hook]) => ({ name, ...hook, ask: createAsking(name, hook, { watchCalls, clock }) }));
  const isNews = createNews(clock);
  const outcomes: readonly HookOutcome[] = ["allowed", "denied", "failed"];
  for (const { name, points } of hooks)
    for (const point of points) for (const outcome of outcomes) calls.count({ hook: name, point, outcome }, 0);

  async function askOne(
    { name, ask, onFailure }: (typeof hooks)[number],
    point: HookPoint,
    data: Question,
    place: Place,
  ): Promise<Verdict> {
    const count = (outcome: HookOutcome): void => calls.count({ hook: name, point, outcome });
    try {
      const { decision, message, claims } = await ask(point, data, place);
      count(decision === "allow" ? "allowed" : "denied");
      return decision === "allow" ? { decision, claims } : { decision, message, hasFailed: false };
    } catch (error) {
      if (!(error instanceof Undelivered)) throw error;
      count("failed");
      if (isNews(`${name} ${point} ${error.outcome}`))
        log.warn("a hook gave no answer", { hook: name, point, counts_as: onFailure, reason: error.message });
      return onFailure === "allow"
        ? { decision: "allow", claims: {} }
        : { decision: "deny", message: undefined, hasFailed: true };
    }
  }

  async function ask(point: HookPoint, data: Question, place: Place): Promise<Verdict> {
    let claims: HookAnswer["claims"] = {};
    for (const hook of hooks) {
      if (!hook.points.includes(point)) continue;
      const verdict = await askOne(hook, point, data, place);
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
        if (hook === undefined) throw new Undelivered("unreachable", "it is not configured");
        const question = { email, ...somebody, ...(point === "before.token" && ofToken) };
        const { decision, message, claims } = await hook.ask(point, question, { path: [email] });
        return { decision, ...(message !== undefined && { message }), claims, ms: passed() };
      } catch (error) {
        if (!(error instanceof Undelivered)) throw error;
        return { outcome: error.outcome, error: error.message, ms: passed() };
      }
    },
  };
}

export type Hooks = ReturnType<typeof createHooks>;
