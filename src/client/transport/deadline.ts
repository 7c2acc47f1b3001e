import type { CallOptions } from "../types.ts";

/** Ends a call when its time is up, or when its caller aborts it. */
export interface Deadline {
  readonly signal: AbortSignal;
  passed(): "timeout" | "aborted" | undefined;
  /** Resolves to the outcome of the work, or to undefined once the deadline has passed. The work itself goes on. */
  orNothing<T>(work: Promise<T>): Promise<T | undefined>;
  /** Stops the timer; the caller has to do so when the call is over. */
  end(): void;
}

/** Uses no AbortSignal.any and no AbortSignal.timeout, since some runtimes of phones lack them. */
export function createDeadline({ timeoutMs, signal }: Pick<CallOptions, "signal"> & { timeoutMs: number }): Deadline {
  const controller = new AbortController();
  let passed: "timeout" | "aborted" | undefined;
  const pass = (why: "timeout" | "aborted"): void => {
    passed ??= why;
    controller.abort();
  };
  const abort = (): void => pass("aborted");
  const timer = setTimeout(() => pass("timeout"), timeoutMs);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted === true) abort();

  return {
    signal: controller.signal,
    passed: () => passed,
    orNothing: (work) =>
      new Promise((resolve, reject) => {
        const giveUp = (): void => resolve(undefined);
        controller.signal.addEventListener("abort", giveUp);
        if (controller.signal.aborted) giveUp();
        work.then(resolve, reject);
      }),
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    },
  };
}
