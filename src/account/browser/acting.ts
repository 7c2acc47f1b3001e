import { useSignal, type ReadonlySignal } from "@preact/signals";
import type { Failure, Result } from "../../client/index.ts";
import { troubleOf } from "./connection.ts";
import { useAccount } from "./context.ts";

export interface Acting {
  readonly isBusy: ReadonlySignal<boolean>;
  readonly refusal: ReadonlySignal<Failure | undefined>;
  /** Asks for a fresh proof of identity where the act takes one. Calls `done` when it succeeded. */
  act<T>(send: () => Promise<Result<T>>, done: (answer: { readonly ok: true } & T) => void): Promise<void>;
}

/** Refusals that need no words: the page is being left, or the person has closed the dialog that asked for a proof. */
const silent: readonly Failure["code"][] = ["unauthorized", "reauthentication_required"];

/** Something that one click does. */
export function useActing(): Acting {
  const { connection, proof } = useAccount();
  const isBusy = useSignal(false);
  const refusal = useSignal<Failure | undefined>(undefined);
  return {
    isBusy,
    refusal,
    async act(send, done) {
      refusal.value = undefined;
      isBusy.value = true;
      const result = connection.heard(await proof.prove(send));
      isBusy.value = false;
      if (result.ok) done(result);
      else if (troubleOf(result) === undefined && !silent.includes(result.code)) refusal.value = result;
    },
  };
}
