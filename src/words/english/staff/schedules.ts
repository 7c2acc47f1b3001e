/** What runs by itself. */
export const schedules = {
  title: "Schedules",
} as const;
