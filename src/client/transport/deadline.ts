import type { CallOptions } from "../result.types.ts";

export type Deadline = ReturnType<typeof createDeadline>;

type DeadlineOptions = Pick<CallOptions, "signal"> & { timeoutMs: number };

/** Does the work of one call, which has to end when its time is up, or when its caller aborts it. */
export async function within<T>(options: DeadlineOptions, work: (deadline: Deadline) => Promise<T>): Promise<T> {
  const deadline = createDeadline(options);
  try {
    return await work(deadline);
  } finally {
    deadline.end();
  }
}

/** Uses no AbortSignal.any and no AbortSignal.timeout, since some runtimes of phones lack them. */
function createDeadline({ timeoutMs, signal }: DeadlineOptions) {
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
    /** Resolves to the outcome of the work, or to undefined once the deadline has passed. The work itself goes on. */
    orNothing: <T>(work: Promise<T>): Promise<T | undefined> =>
      new Promise((resolve, reject) => {
        const giveUp = (): void => resolve(undefined);
        controller.signal.addEventListener("abort", giveUp);
        if (controller.signal.aborted) giveUp();
        work.then(resolve, reject);
      }),
    end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    },
  };
}
