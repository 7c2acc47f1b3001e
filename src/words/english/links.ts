/** The words of pages that a mailed link opens. */
export const links = {
  /** On the page that leads to a new password. */
  reset: {
    lead: "Once you choose a new password, you are signed out on every device.",
    submit: "Change password",
    added: {
      title: "Added in the last seven days",
      lead: "What you do not tick is removed with the old password, in case somebody else added it.",
      keep: "Keep {what}",
      identity: "the sign-in by {name}",
      totp: "the authenticator app",
      passkey: "the passkey “{name}”",
    },
    /** For the link of the mail about a sign-in. */
    signIn: {
      title: "Was this not you?",
      lead: "Then that device is signed out at once, and you choose a new password.",
      submit: "It was not me",
      done: "That device is signed out. Choose a new password, so that nobody gets in with the old one.",
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
  verify: {
    lead: "One click shows that this address is yours.",
    submit: "Verify the address",
    reject: "This was not me",
    rejectTitle: "Was this not you?",
    rejectLead: "Then whoever used your address is signed out, and can no longer get in with it.",
    rejectSubmit: "It was not me",
    itWasMe: "It was me: verify the address",
    done: {
      title: "Your address is verified",
      lead: "{email} belongs to your account now.",
      goOn: "Go on",
    },
    rejected: {
      title: "Thank you for telling us",
      lead: "Nobody can use your address here now. There is nothing else to do: you can close this page.",
    },
  },
  undo: {
    lead: "Your account stays with the address that this mail was sent to, or goes back to it. Every device is signed out, and you get a mail to choose a new password.",
    submit: "Put it back",
    done: {
      title: "Your old address is back",
      lead: "Every device is signed out. A mail with a link to choose a new password is on its way: use it soon, since whoever changed the address may know the old one.",
    },
  },
} as const;
