/** What keeps a person out, what happened and why, and what became of mails. Commands and the API say it in English. */
export const reasons = {
  noneLately: "none lately",
} as const;
