import { useSignal, type ReadonlySignal } from "@preact/signals";
import type { Failure, Result } from "../../../client/index.ts";
import { troubleOf } from "./connection.ts";
import { useAccount } from "../context.ts";

/** Sends a request, and calls `done` on success. */
export type Send = <T>(
  ask: () => Promise<Result<T>>,
  done: (answer: { readonly ok: true } & T) => void,
) => Promise<void>;

export interface Sending {
  readonly isBusy: ReadonlySignal<boolean>;
  readonly refusal: ReadonlySignal<Failure | undefined>;
  readonly send: Send;
}

/**
 * Sends the request of one click. A failure that `isSettled` has dealt with, or that the trouble bar reports, is not shown as a refusal.
 */
export function useSending(isSettled: (failure: Failure) => boolean): Sending {
  const { connection } = useAccount();
  const isBusy = useSignal(false);
  const refusal = useSignal<Failure | undefined>(undefined);
  return {
    isBusy,
    refusal,
    async send(ask, done) {
      refusal.value = undefined;
      isBusy.value = true;
      const result = connection.heard(await ask());
      isBusy.value = false;
      if (result.ok) done(result);
      else if (!isSettled(result) && troubleOf(result) === undefined) refusal.value = result;
    },
  };
}
