/** The words that the pages of people who are not signed in have where the server writes them. */
export const entry = {
  signedOut: "You are signed out.",
  signOut: "Sign out",
  signOutLead: "You will be signed out of these pages in this browser.",
  stay: "Stay signed in",
  forStaff: "For staff",
  forbidden: {
    title: "For staff only",
    signedInAs: "You are signed in as {name}.",
    lead: 'This account is not one of the staff. Whoever runs {product} can give it the role "admin", "support" or "auditor". If you have another account, sign out and use that one.',
  },
  trouble: "That did not work",
  /** Follows a form whose token does not belong to the browser. */
  stale: "This page was open for too long, or this browser blocks cookies. Check what you typed, and send it again.",
} as const;

/** The words that the pages of signed-in people have where the server writes them, beside those of the account page. */
export const kit = {
  skip: "Skip to the content",
  change: "Change…",
  changeOf: "Change {name}",
  back: "Go back",

  /** The question before an act that would hurt in other hands. */
  proof: {
    title: "Confirm that it is you",
    lead: "You proved it more than ten minutes ago. Do it again to go on.",
    submit: "Go on",
    wait: "Too many wrong passwords or codes. You can try again at {time} ({zone}).",
  },

  twoStep: {
    appStays: "Your app goes on showing codes until you delete its entry there, too.",
    nameHint: "Such as “Work laptop”. Left empty, it gets the name of where it is kept.",
    added: "{name} is added.",
    addedFirst: "{name} is added. Make recovery codes now, for when it is lost.",
  },

  refused: {
    absent: { title: "There is nothing here", lead: "It was deleted, or the address is wrong." },
    stale: {
      title: "This form is not of your sign-in",
      lead: "It was open while somebody signed in or out. Go back, load the page again, and repeat it. Nothing was changed.",
    },
  },

  /** The foot of a page says in which zone its times are. */
  times: {
    own: "Times are in {zone}, as your profile says.",
    utc: "Times are in UTC: your profile names no time zone.",
  },
  /** The choice of a time zone that is none. */
  noZone: "None: times are in UTC",

  /** Leads from a sign-in to another app. */
  onward: { title: "You are signed in", lead: "If this page does not lead on by itself, go on yourself." },
} as const;
