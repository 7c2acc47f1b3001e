import { useSending, type Send, type Sending } from "./sending.ts";

export interface Redeeming extends Omit<Sending, "send"> {
  /** Sends what a click asks for. A link that is of no use any more ends in `onDead`. */
  readonly redeem: Send;
}

/** A mailed link is redeemed by a click: opening it changes nothing, since programs open the links of mails, too. */
export function useRedeeming(onDead: (why: "used" | "taken") => void): Redeeming {
  const { send, ...state } = useSending(({ code }) => {
    const isUsed = code === "invalid_verification_token" || code === "invalid_payload";
    if (!isUsed && code !== "email_taken") return false;
    onDead(isUsed ? "used" : "taken");
    return true;
  });
  return { ...state, redeem: send };
}
