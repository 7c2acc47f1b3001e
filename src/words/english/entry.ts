/** The words that the pages of people who are not signed in have where the server writes them. */
export const entry = {
  signedOut: "You are signed out.",
  signOut: "Sign out",
  signOutLead: "You will be signed out of these pages in this browser.",
  stay: "Stay signed in",
  forStaff: "For staff",
  forbidden: {
    title: "For staff only",
    signedInAs: "You are signed in as",
    lead: 'This account is not one of the staff. Whoever runs {product} can give it the role "admin", "support" or "auditor". If you have another account, sign out and use that one.',
  },
  trouble: "That did not work",
  /** Follows a form whose token does not belong to the browser. */
  stale: "This page was open for too long, or this browser blocks cookies. Check what you typed, and send it again.",
} as const;
