/** The words of pages that a mailed link opens, and on which people get in. */
export const linksInEnglish = {
  /** On the page that leads to a new password. */
  reset: {
    lead: "Once you choose a new password, you are signed out on every device.",
    submit: "Change password",
    added: {
      title: "Added in the last seven days",
      lead: "What you do not tick is removed with the old password, in case somebody else added it.",
      keep: (what: string): string => `Keep ${what}`,
      identity: (name: string): string => `the sign-in by ${name}`,
      totp: "the authenticator app",
      passkey: (name: string): string => `the passkey “${name}”`,
    },
    /** In place of the words above, for a person who has no password yet. */
    first: {
      title: "Choose your first password",
      lead: "Your account has no password yet. You sign in with the one that you choose here.",
      submit: "Set password",
      done: {
        title: "Your password is set",
        lead: "Sign in with it now. Devices that were signed in are signed out.",
      },
    },
    done: {
      title: "Your password is changed",
      lead: "You are signed out on every device. Sign in with the new password.",
    },
  },
  /** Where the organization of the account lets nobody in by a mailed link. */
  ownProvider: {
    title: "Sign in with your organization",
    lead: "Your organization signs its people in with a system of its own. No password and no mailed link leads in here: go on there, and come back signed in.",
    submit: "Go on to sign in",
  },
};

export type LinksWords = typeof linksInEnglish;
