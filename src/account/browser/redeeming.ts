import { useSignal, type ReadonlySignal } from "@preact/signals";
import type { Failure, Result } from "../../client/index.ts";
import { troubleOf } from "./connection.ts";
import { useAccount } from "./context.ts";

export interface Redeeming {
  readonly isBusy: ReadonlySignal<boolean>;
  readonly refusal: ReadonlySignal<Failure | undefined>;
  /** Sends what a click asks for. A link that is of no use any more ends in `dead`. */
  redeem<T>(send: () => Promise<Result<T>>, done: (answer: { readonly ok: true } & T) => void): Promise<void>;
}

/** A mailed link is redeemed by a click: opening it changes nothing, since programs open the links of mails, too. */
export function useRedeeming(onDead: (why: "used" | "taken") => void): Redeeming {
  const { connection } = useAccount();
  const isBusy = useSignal(false);
  const refusal = useSignal<Failure | undefined>(undefined);
  return {
    isBusy,
    refusal,
    async redeem(send, done) {
      refusal.value = undefined;
      isBusy.value = true;
      const result = connection.heard(await send());
      isBusy.value = false;
      if (result.ok) done(result);
      else if (result.code === "invalid_verification_token" || result.code === "invalid_payload") onDead("used");
      else if (result.code === "email_taken") onDead("taken");
      else if (troubleOf(result) === undefined) refusal.value = result;
    },
  };
}
