/** The list of people, and the page of one of them. */
export const people = {
  title: "People",
  list: {
    search: "Find people",
    label: "Find somebody",
    hint: "The beginning of an address, a user name or a display name, or an id",
    show: "Show",
    all: "All",
    role: "Role {role}",
    states: { disabled: "Disabled", locked: "Locked", unverified: "Address not proven" },
    marks: { disabled: "disabled", locked: "locked", unverified: "not proven" },
    columns: {
      name: "Name",
      login: "Address and user name",
      state: "State",
      roles: "Roles",
      signedIn: "Signed in",
      since: "Since",
    },
    nobody: {
      soFar: "Nobody among those that were looked through so far. The next page goes on.",
      further: "There is nobody further on.",
      here: "Nobody is in this list.",
      yet: "There is no account yet.",
      found: "Nobody has an address, a user name or a display name that begins with “{search}”, or that id.",
      foundHere:
        "Nobody in this list has an address, a user name or a display name that begins with “{search}”, or that id.",
    },
    pages: "people",
  },

  facts: {
    you: "you",
    address: "Address",
    proven: "proven",
    notProven: "not proven",
    newAddress: "New address",
    notConfirmed: "not confirmed",
    username: "User name",
    since: "Since",
    id: "Id",
    terms: "Terms",
    accepted: "{version}, accepted {moment}",
    externalId: "External id",
  },

  /** What an operator on the phone asks first. */
  latest: {
    signedIn: "Last signed in",
    seen: "Last seen",
    refused: "Last refused",
    notRefused: "none lately",
    refusedFor: "{ago}: {reason}",
    refusedFrom: "{ago}, from {address}",
    refusedForFrom: "{ago}: {reason}, from {address}",
    mail: "Last mail",
    noMail: "none lately",
    mailFate: "{mail}: {fate} ({ago})",
    mailAnswered: "{mail}: {fate} ({ago}): {answer}",
  },

  sessions: {
    title: "Sessions",
    columns: { device: "Device or app", address: "Address", used: "Last used", signedIn: "Signed in" },
    asApp: "as an app",
    current: "this one",
    here: "on these pages",
    end: "End",
    endOf: "End the session on {device}, {address}",
    none: "Signed in nowhere.",
    more: { one: "{count} more, used longer ago", other: "{count} more, used longer ago" },
  },

  ways: {
    title: "Ways to sign in",
    columns: { by: "With", as: "As", since: "Since", used: "Last used" },
    password: "Password",
    passwordSet: "set",
    passwordNone: "none",
    nameless: "the provider gave no name",
    factors: {
      title: "Second step",
      none: "None is set up.",
      columns: { by: "With", name: "Called", since: "Since", used: "Last used" },
      totp: "Authenticator app",
      passkey: "Passkey",
      codesGone: "No recovery code is left: whoever loses the device has to have the second step reset.",
      codesLeft: { one: "One recovery code is left.", other: "{count} recovery codes are left." },
    },
  },

  organizations: {
    title: "Organizations",
    columns: { name: "Name", slug: "Slug", roles: "Roles", since: "Since" },
    none: "In none.",
  },

  kept: { title: "What apps keep", byApps: "Stored by apps", forPerson: "Stored for the person" },

  mails: {
    title: "Mails",
    columns: { mail: "Mail", fate: "What became of it", when: "When", attempts: "Attempts" },
    none: "No mail was asked for lately.",
  },

  events: {
    title: "What happened",
    columns: { when: "When", what: "What", by: "By", from: "From" },
    service: "the service {service}",
    you: "you",
    none: "The audit log has nothing about this account.",
    noneOlder: "There is nothing older.",
    pages: "what happened",
  },

  inspects: {
    title: "In Lighthouse",
    columns: { when: "When", app: "App", what: "What", status: "Status" },
    unread: {
      absent: "The app that people sign in to has recorded nothing on this host.",
      other_release: "What the app that people sign in to has recorded is of another release, and can't be shown here.",
      unreadable: "What the app that people sign in to has recorded can't be read now.",
    },
    none: "Nothing that was about the account is kept.",
    all: "All in Lighthouse",
    off: "Requests and jobs are not recorded here.",
  },

  deletion: {
    title: "Delete {name}?",
    submit: "Delete the account",
    username: "User name of the account",
    hint: "Type {username}",
    wrong: "This is not the user name of the account, which is {username}.",
    means: {
      access: "Every device is signed out at once, and nobody ever signs in to this account again.",
      account: "The account goes, with its sessions and linked providers. One last mail tells its owner.",
      audit: "The audit log stays, without the name and the address.",
      final: "Nobody can bring it back. To keep somebody out for a while, disable the account instead.",
    },
    done: "The account {username} is deleted.",
  },

  export: {
    title: "Write out what is kept of {name}?",
    submit: "Download the file",
    means: {
      holds:
        "The file holds all that is kept of the account, as its person can download it: profile, devices, mails, events.",
      lacks: "It has no password, secret or token, and nothing that services keep to themselves.",
      audit: "Give it to the person alone. The audit log says that you have written it.",
    },
  },

  impersonation: {
    title: "Look at the account of {name}?",
    submit: "Open the account",
    reason: "Reason",
    hint: "Such as the number of a ticket. It stays in the audit log, which the person can export.",
    noReason: "Without a reason nobody looks at an account.",
    tooLong: "This has more than {most} letters.",
    means: {
      looks: "For 15 minutes you see {product} as {name} does. A bar at the top says so, and ends it.",
      changes:
        "You look, and change nothing: neither the account, nor what it has allowed apps, nor its organizations.",
      told: "A mail tells {name} that you are there. They see it among their devices, and can end it at once.",
      signsOut: "If you are signed in to {product} in this browser yourself, you are signed out there.",
    },
  },
} as const;
