import { warn } from "../warning.ts";
import type { AuthFailure, AuthSource, AuthState, AuthStore } from "./auth.types.ts";

const isNobody = ({ code }: AuthFailure): boolean => code === "unauthorized" || code === "signed_out";
const leastRetrySeconds = 1;
const usualRetrySeconds = 5;
const mostRetrySeconds = 300;

/**
 * Keeps who is signed in, for all that shows it. `known` is what a server has found out: a user, or null for nobody; without it the state is
 * `loading` at first. Nothing happens before the first subscription, so that a server may make one for each request.
 */
export function createAuthStore<User>(source: AuthSource<User>, known?: User | null): AuthStore<User> {
  const listeners = new Set<() => void>();
  let state: AuthState<User> =
    known === undefined
      ? { status: "loading", user: null }
      : known === null
        ? { status: "signed_out", user: null }
        : { status: "signed_in", user: known };
  const initial = state;
  /** Counts what was learned by other ways than the answer that is awaited: that answer is about an earlier session then. */
  let age = 0;
  let asking: Promise<void> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let end: (() => void) | undefined;

  function put(next: AuthState<User>): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function leave(): void {
    age += 1;
    if (state.status !== "signed_out" || state.failure) put({ status: "signed_out", user: null });
  }

  function retryIn(seconds: number): void {
    clearTimeout(retry);
    const wait = Math.min(Math.max(seconds, leastRetrySeconds), mostRetrySeconds);
    if (listeners.size > 0) retry = setTimeout(() => void reload(), wait * 1_000);
  }

  async function ask(): Promise<void> {
    const began = age;
    // Where nobody is known to be signed in, there is no refresh: a stranger's page makes one request.
    const answer = await source.getMe({ refresh: state.status === "signed_in" });
    if (began !== age) return;
    clearTimeout(retry);
    if (answer.ok) put({ status: "signed_in", user: answer.user });
    else if (isNobody(answer)) leave();
    else {
      // A page that waits for the first answer shows nothing: its developer would look at a white page without a word.
      if (state.failure?.code !== answer.code)
        warn(`no answer to who is signed in (${answer.code}). Does it run, and is /api/v1/auth/ passed on to it?`);
      put({ ...state, failure: answer });
      retryIn(answer.retryAfterSeconds ?? usualRetrySeconds);
    }
  }

  function reload(): Promise<void> {
    asking ??= ask().finally(() => void (asking = undefined));
    return asking;
  }

  /** Asks anew, and lets an answer that is on its way count for nothing. */
  async function startOver(): Promise<void> {
    age += 1;
    await asking;
    await reload();
  }

  function begin(): void {
    const endChanges = source.onChange?.((change) => void (change === "signed_in" ? startOver() : leave()));
    const page = "document" in globalThis ? globalThis.document : undefined;
    const look = (): void => void (page?.visibilityState === "visible" && reload());
    page?.addEventListener("visibilitychange", look);
    end = () => {
      endChanges?.();
      page?.removeEventListener("visibilitychange", look);
      clearTimeout(retry);
      end = undefined;
    };
    void reload();
  }

  return {
    get: () => state,
    getInitial: () => initial,
    subscribe(listener) {
      // Two subscriptions of one function are two.
      const own = (): void => listener();
      listeners.add(own);
      if (end === undefined) begin();
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) end?.();
      };
    },
    reload,
    async signOut() {
      const answer = await source.logout();
      if (answer.ok || isNobody(answer)) leave();
      return answer;
    },
  };
}
