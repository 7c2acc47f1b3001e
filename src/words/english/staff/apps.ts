/** Programs that sign people in. */
export const apps = {
  title: "Apps",
} as const;
