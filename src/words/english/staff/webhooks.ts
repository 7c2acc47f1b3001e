/** Messages to other services. */
export const webhooks = {
  title: "Webhooks",
} as const;
