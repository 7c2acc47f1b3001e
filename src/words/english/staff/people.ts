/** The list of people, and the page of one of them. */
export const people = {
  title: "People",
} as const;
