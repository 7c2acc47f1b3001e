/** Mails as people get them. */
export const mails = {
  title: "Mails",
} as const;
