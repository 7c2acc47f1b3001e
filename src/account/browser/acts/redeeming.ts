import { useSending, type Send, type Sending } from "./sending.ts";

export interface Redeeming extends Omit<Sending, "send"> {
  /** Sends the request of a click. Calls `onDead` for a link that no longer works. */
  readonly redeem: Send;
}

/** Redeems a mailed link by a click. Opening the link changes nothing, since programs also open the links of mails. */
export function useRedeeming(onDead: (why: "used" | "taken") => void): Redeeming {
  const { send, ...state } = useSending(({ code }) => {
    const isUsed = code === "invalid_verification_token" || code === "invalid_payload";
    if (!isUsed && code !== "email_taken") return false;
    onDead(isUsed ? "used" : "taken");
    return true;
  });
  return { ...state, redeem: send };
}
