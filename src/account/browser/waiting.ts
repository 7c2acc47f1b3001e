import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Failure } from "../../client/index.ts";

export interface Waiting {
  /** When what was refused may be tried again, in milliseconds since 1970. */
  readonly until: number;
  /** Until then; 0 once it may. */
  readonly secondsLeft: number;
}

/** Counts down to a moment. Undefined while there is none. */
export function useSecondsLeft(until: number | undefined): number | undefined {
  const now = useSignal(0);
  useEffect(() => {
    if (until === undefined) return undefined;
    // By the clock and not by counting: a device that slept has waited too.
    const look = (): void => void (now.value = Date.now());
    look();
    const timer = setInterval(look, 250);
    return () => clearInterval(timer);
  }, [until]);
  // Before the first look the moment is as far away as when it was set.
  const from = now.value === 0 ? Date.now() : now.value;
  return until === undefined ? undefined : Math.max(0, Math.ceil((until - from) / 1000));
}

/** Counts down what a refusal says to wait. Undefined for one that names no time. */
export function useWaiting(refusal: Failure | undefined): Waiting | undefined {
  const seconds = refusal?.retryAfterSeconds;
  const until = useMemo(() => (seconds === undefined ? undefined : Date.now() + seconds * 1000), [refusal]);
  const left = useSecondsLeft(until);
  if (seconds === undefined || until === undefined || left === undefined) return undefined;
  return { until, secondsLeft: Math.min(seconds, left) };
}
