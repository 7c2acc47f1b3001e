const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The result of Ctrl-C: exit code 130 and no message, since the person who pressed it knows. */
export class Interrupted extends Error {
  constructor(cause?: unknown) {
    super("interrupted", { cause });
    this.name = "Interrupted";
  }
}

/**
 * Aborts the work at the first Ctrl-C, stop by a supervisor or end of the terminal, so that it can remove what is half made. A
 * second signal ends the process at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  let isCtrlC = false;
  const onSignal = (signal: string): void => {
    forget();
    isCtrlC = signal === "SIGINT";
    abort.abort(new Error(`stopped by ${signal}`));
  };
  const forget = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await work(abort.signal);
  } catch (error) {
    throw isCtrlC && isOf(abort.signal, error) ? new Interrupted(error) : error;
  } finally {
    forget();
  }
}

/** Whether an error only reports the abort. Errors from undoing the work are other errors. */
const isOf = ({ reason }: AbortSignal, error: unknown): boolean =>
  error === reason || (error instanceof Error && (error.name === "AbortError" || error.cause === reason));
