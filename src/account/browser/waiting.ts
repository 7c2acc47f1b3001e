import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Failure } from "../../client/index.ts";

export interface Waiting {
  /** When what was refused may be tried again, in milliseconds since 1970. */
  readonly until: number;
  /** Until then; 0 once it may. */
  readonly secondsLeft: number;
}

/** Counts down what a refusal says to wait. Undefined for one that names no time. */
export function useWaiting(refusal: Failure | undefined): Waiting | undefined {
  const now = useSignal(0);
  const seconds = refusal?.retryAfterSeconds;
  const until = useMemo(() => (seconds === undefined ? undefined : Date.now() + seconds * 1000), [refusal]);
  useEffect(() => {
    if (until === undefined) return undefined;
    // By the clock and not by counting: a device that slept has waited too.
    const look = (): void => void (now.value = Date.now());
    look();
    const timer = setInterval(look, 250);
    return () => clearInterval(timer);
  }, [until]);
  if (seconds === undefined || until === undefined) return undefined;
  return { until, secondsLeft: Math.min(seconds, Math.max(0, Math.ceil((until - now.value) / 1000))) };
}
