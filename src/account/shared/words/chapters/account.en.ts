/** The words of the account page. */
export const accountInEnglish = {
  sections: {
    profile: "Profile",
    email: "Email address",
    password: "Password",
    factors: "Two-step sign-in",
    sessions: "Devices",
    organizations: "Organizations",
    apps: "Apps",
    identities: "Other ways to sign in",
    tokens: "Personal tokens",
    data: "Your data",
  },

  profile: {
    change: "Edit profile",
    username: "User name",
    usernameIsEmail: "your email address",
    avatar: "Picture",
    avatarField: "Address of a picture (optional)",
    avatarHint: "Apps that you sign in to may show it. It begins with https://.",
    name: "Name",
    language: "Language",
    languageHint: "For this page and the mails that you get.",
    byBrowser: (name: string) => `As this browser says (${name})`,
    timezone: "Time zone",
    timezoneHint: "For the times on this page and in the mails that you get.",
    byDevice: (zone: string) => `As this device says (${zone})`,
    saved: "Your profile is saved.",
  },

  email: {
    verified: "verified",
    unverified: "not verified",
    unverifiedMeans: "Show that this address is yours: we send a mail to it, and you open the link in it.",
    send: "Send the mail",
    waiting: (pending: string) => `Waiting for you to confirm ${pending}`,
    waitingMeans: (current: string) =>
      `Open the link in the mail that we have sent there. Until then ${current} stays your address.`,
    resend: "Send the mail again",
    resent: "The mail is on its way. It may take a few minutes; look in the spam folder, too.",
    keep: "Keep the current address",
    kept: "Your address stays as it is.",
    change: "Change address",
    next: "New email address",
    changeMeans: "We send a mail to the new address. It replaces the old one once you open the link in it.",
    asked: (pending: string) => `We have sent a mail to ${pending}.`,
    unchanged: "This is your address already.",
    needsPassword: "To change your address, set a password first.",
    local: "This app runs locally and answers with the link, too:",
  },

  password: {
    has: "You sign in with a password.",
    none: "You have no password: you sign in another way.",
    change: "Change password",
    changed: "Your password is changed. You are signed out on every other device.",
    ends: "You stay signed in here, and are signed out on every other device.",
    set: "Set a password by mail",
    setMeans: "Once you choose one by the link in the mail, you are signed out on every device.",
    sent: (email: string) => `We have sent a mail to ${email}. Its link leads to your new password.`,
  },

  sessions: {
    state: (count: number) =>
      count === 1 ? "You are signed in on this device alone." : `You are signed in on ${count} devices.`,
    device: (program: string, system: string) => `${program} on ${system}`,
    unknown: "Unknown device",
    current: "This device",
    now: "Active now",
    lastSeen: "Last active",
    since: "Signed in",
    end: "Sign out",
    endOf: (device: string, address: string) => `Sign out ${device}, ${address}`,
    ended: (device: string) => `${device} is signed out.`,
    others: (count: number) => `Show all ${count}`,
    everywhere: "Sign out everywhere",
    everywhereTitle: "Sign out everywhere?",
    everywhereMeans: (count: number) =>
      count === 1
        ? "You are signed out on this device, and have to sign in again."
        : `You are signed out on all ${count} devices, this one included, and have to sign in again.`,
  },

  apps: {
    state: (count: number) =>
      count === 0
        ? "No app has access to your account."
        : `You have let ${count === 1 ? "one app" : `${count} apps`} in by this account.`,
    sees: (list: string) => `May see ${list}.`,
    calls: (list: string) => `May call ${list} in your name.`,
    seesNothing: "Knows you by an id of your account, and nothing else.",
    staysIn: "May go on when you are not here.",
    scopes: {
      profile: "your profile (name, picture, language, time zone)",
      email: "your email address",
      roles: "your roles",
      organizations: "your organizations",
    },
    since: "Since",
    lastUsed: "last active",
    signedOut: "signed out now",
    end: "End access",
    endOf: (name: string) => `End access of ${name}`,
    endTitle: (name: string) => `End access of ${name}?`,
    endMeans: "The app is signed out, and learns nothing new about you. You can let it in again by signing in to it.",
    ended: (name: string) => `${name} has no access any more.`,
  },

  identities: {
    state: (labels: string) => `You can sign in with ${labels}.`,
    none: "No provider is linked. Link one, and you can sign in with it as well.",
    unavailable: "no longer offered here",
    linked: "Linked",
    lastUsed: "last used",
    link: (label: string) => `Link ${label}`,
    unlink: "Unlink",
    unlinkOf: (label: string) => `Unlink ${label}`,
    unlinked: (label: string) => `${label} is unlinked. You can no longer sign in with it.`,
  },

  tokens: {
    state: (count: number) =>
      count === 0
        ? "A token lets a script of yours act in your name where this service says who is calling."
        : `${count === 1 ? "One token acts" : `${count} tokens act`} in your name.`,
    make: "Make a token",
    makeSubmit: "Make it",
    name: "What it is for",
    nameHint: "So that you know it again, such as: backup script",
    lifetime: "Ends after",
    days: (days: number) => (days === 365 ? "a year" : `${days} days`),
    shown: (name: string) => `This is the token “${name}”. Keep it now: it is not shown again.`,
    copy: "Copy",
    copied: "The token is copied.",
    kept: "I have it",
    since: "Made",
    used: "last used",
    unused: "never used",
    until: "Ends",
    revoke: "Revoke",
    revokeOf: (name: string) => `Revoke ${name}`,
    revokeTitle: (name: string) => `Revoke “${name}”?`,
    revokeMeans: "What uses it is refused from now on. This can't be undone.",
    revoked: (name: string) => `“${name}” is revoked.`,
  },

  data: {
    state: "You can take along all that is kept about you here, and you can leave.",
    export: "Your data as a file",
    exportMeans:
      "One file (JSON): your profile, devices, apps, linked providers, and what the security log has of you.",
    kept: "What apps keep here",
    keptMeans: "Data that the apps you use have stored with your account.",
    keptShow: "Show",
    keptNothing: "No app keeps anything with your account.",
    keptByApps: "Stored by apps",
    keptByYou: "Stored for you",
    remove: "Delete account",
    removeMeans: "For good: nobody can bring it back.",
    removeTitle: "Delete your account?",
    consequences: [
      "You are signed out on every device, and can never sign in to this account again.",
      "Your profile and everything that belongs to it is deleted. A security log stays, without your name and address.",
      "This can't be undone.",
    ],
    removeSubmit: "Delete my account",
  },
};

export type AccountWords = typeof accountInEnglish;
