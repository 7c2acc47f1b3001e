const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Somebody has pressed Ctrl-C. Answered with exit code 130 and no word: whoever presses it knows. */
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

/** Whether an error is there for the abort alone. One that came while the work was being undone is told. */
const isOf = ({ reason }: AbortSignal, error: unknown): boolean =>
  error === reason || (error instanceof Error && (error.name === "AbortError" || error.cause === reason));
