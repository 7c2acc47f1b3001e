/** Jobs of the queue. */
export const jobs = {
  title: "Jobs",
} as const;
