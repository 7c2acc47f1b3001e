/**
 * Settles with the work, or rejects with the signal's reason once `graceMs` have passed since the abort. Work that heeds its signal ends in
 * its own way, and work that ignores it can't hold anyone up.
 */
export async function settle<T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  const givenUp = Promise.withResolvers<never>();
  let timer: Timer | undefined;
  const onAbort = () => {
    timer = setTimeout(() => givenUp.reject(signal.reason), graceMs);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, givenUp.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Resolves to whether the work ends within `ms`; late work is left running. Rejects if the work does. */
export async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}
