/** What staff do to an account: buttons, what they lead to, and what helps against a hindrance. */
export const acts = {
  unlock: "Unlock",
} as const;
