/** The audit log. */
export const audit = {
  title: "Audit log",
} as const;
