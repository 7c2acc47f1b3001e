/** The list of organizations, and the page of one of them. */
export const organizations = {
  title: "Organizations",
} as const;
