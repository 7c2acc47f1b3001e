import type { Failure } from "../../../client/index.ts";
import { useAccount } from "../context.ts";
import { useSending, type Send, type Sending } from "./sending.ts";

export interface Acting extends Omit<Sending, "send"> {
  /** Does an act, and asks for a fresh proof of identity where the act needs one. Calls `done` on success. */
  readonly act: Send;
}

/** Refusals that need no words: the reader leaves the page, or has closed the dialog that asked for a proof. */
const silent: readonly Failure["code"][] = ["unauthorized", "reauthentication_required"];

/** Returns the state and the function of an act that one click starts. */
export function useActing(): Acting {
  const { proof } = useAccount();
  const { send, ...state } = useSending(({ code }) => silent.includes(code));
  return { ...state, act: (ask, done) => send(() => proof.prove(ask), done) };
}
