const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Aborts the work at the first Ctrl-C, stop by a supervisor or end of the terminal, so that it can remove what is half made. A
 * second signal ends the process at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const onSignal = (signal: string): void => {
    forget();
    abort.abort(new Error(`stopped by ${signal}`));
  };
  const forget = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await work(abort.signal);
  } finally {
    forget();
  }
}
