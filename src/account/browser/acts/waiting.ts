import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Failure } from "../../../client/index.ts";

export interface Waiting {
  /** When the form may be sent again, in milliseconds since 1970. */
  readonly until: number;
  /** Seconds until `until`; 0 once it has passed. */
  readonly secondsLeft: number;
}

/** Counts down to a moment. Returns undefined without a moment. */
export function useSecondsLeft(until: number | undefined): number | undefined {
  const now = useSignal(0);
  useEffect(() => {
    if (until === undefined) return undefined;
    // The clock decides, not the number of ticks: a device that slept has waited too.
    const look = (): void => void (now.value = Date.now());
    look();
    const timer = setInterval(look, 250);
    return () => clearInterval(timer);
  }, [until]);
  // Before the first tick the moment is as far away as when it was set.
  const from = now.value === 0 ? Date.now() : now.value;
  return until === undefined ? undefined : Math.max(0, Math.ceil((until - from) / 1000));
}

/** Counts down the wait that a refusal demands. Returns undefined for a refusal that names no time. */
export function useWaiting(refusal: Failure | undefined): Waiting | undefined {
  const seconds = refusal?.retryAfterSeconds;
  const until = useMemo(() => (seconds === undefined ? undefined : Date.now() + seconds * 1000), [refusal]);
  const left = useSecondsLeft(until);
  if (seconds === undefined || until === undefined || left === undefined) return undefined;
  return { until, secondsLeft: Math.min(seconds, left) };
}
