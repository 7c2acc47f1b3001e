/** The first page: figures of people and of the service. */
export const dashboard = {
  title: "Dashboard",
} as const;
