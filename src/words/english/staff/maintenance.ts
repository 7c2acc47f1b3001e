/** The maintenance of both apps. */
export const maintenance = {
  title: "Maintenance",
} as const;
