import type { Failure } from "../../client/index.ts";
import { useAccount } from "./context.ts";
import { useSending, type Send, type Sending } from "./sending.ts";

export interface Acting extends Omit<Sending, "send"> {
  /** Asks for a fresh proof of identity where the act takes one. Calls `done` when it succeeded. */
  readonly act: Send;
}

/** Refusals that need no words: the page is being left, or the person has closed the dialog that asked for a proof. */
const silent: readonly Failure["code"][] = ["unauthorized", "reauthentication_required"];

/** Something that one click does. */
export function useActing(): Acting {
  const { proof } = useAccount();
  const { send, ...state } = useSending(({ code }) => silent.includes(code));
  return { ...state, act: (ask, done) => send(() => proof.prove(ask), done) };
}
