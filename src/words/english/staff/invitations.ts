/** Invitations of people. */
export const invitations = {
  title: "Invitations",
} as const;
