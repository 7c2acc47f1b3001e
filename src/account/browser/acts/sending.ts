import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Failure, Result } from "../../../client/index.ts";
import { troubleOf } from "./connection.ts";
import { useAccount } from "../context.ts";

/** The state of a form or a button, from the request that it has sent. */
export interface Progress {
  readonly isBusy: ReadonlySignal<boolean>;
  /** A refusal that concerns no single field. */
  readonly refusal: ReadonlySignal<Failure | undefined>;
  /** The wait that the refusal demands; undefined where it names no time. */
  readonly waiting: Waiting | undefined;
}

export interface Waiting {
  /** When the request may be sent again, in milliseconds since 1970. */
  readonly until: number;
  /** Seconds until `until`; 0 once it has passed. */
  readonly secondsLeft: number;
}

/** Sends a request, and calls `done` on success. */
type Send = <T>(ask: () => Promise<Result<T>>, done?: (answer: { readonly ok: true } & T) => void) => Promise<void>;

/**
 * Sends the request of one click. A failure that `isSettled` has dealt with, or that the trouble bar reports, is not shown as a refusal.
 */
export function useSending(isSettled?: (failure: Failure) => boolean): Progress & { readonly send: Send } {
  const { connection } = useAccount();
  const isBusy = useSignal(false);
  const refusal = useSignal<Failure | undefined>(undefined);
  return {
    isBusy,
    refusal,
    waiting: useWaiting(refusal.value),
    async send(ask, done) {
      refusal.value = undefined;
      isBusy.value = true;
      const result = connection.heard(await ask());
      isBusy.value = false;
      if (result.ok) done?.(result);
      else if (isSettled?.(result) !== true && troubleOf(result) === undefined) refusal.value = result;
    },
  };
}

/** Refusals that need no words: the reader leaves the page, or has closed the dialog that asked for a proof. */
const silent: readonly Failure["code"][] = ["unauthorized", "reauthentication_required"];

/** Sends the request of one click, and asks for a fresh proof of identity where the request needs one. */
export function useActing(): Progress & { readonly act: Send } {
  const { proof } = useAccount();
  const { send, ...progress } = useSending(({ code }) => silent.includes(code));
  return { ...progress, act: (ask, done) => send(() => proof.prove(ask), done) };
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
