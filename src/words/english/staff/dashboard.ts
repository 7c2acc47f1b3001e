/** The numbers and charts of people. */
const people = {
  title: "People",
  accounts: "Accounts",
  made: "{today} made today, {month} in the last 30 days",
  activeToday: "People active today",
  sinceMidnight: "since midnight in UTC",
  activeMonth: "People active in the last 30 days",
  ofAll: "{share} of all accounts",
  factors: "Accounts with a second factor",
  noFactors: "no account has one yet",
  withFactors: { one: "{count} account: {kinds}", other: "{count} accounts: {kinds}" },
  withPasskey: "{number} with a passkey",
  withApp: "{number} with an authenticator app",
  counted: "What is counted",
  meanings: {
    accounts: { name: "Accounts", text: "All that exist, disabled ones too. Deleted accounts do not count." },
    active: {
      name: "Active",
      text: "Different people who signed in, or whose browser or app used their session, in the app or here. Who comes twenty times a day is one, and who comes on ten days of a month is one of that month. Programs and scripts that call in somebody's name do not count.",
    },
    made: {
      name: "New",
      text: "Accounts by the day on which they were made, by whoever. An imported account brings its own day.",
    },
    factor: {
      name: "Second factor",
      text: "A passkey or an authenticator app. A passkey counts also where somebody signs in with nothing else.",
    },
  },
  active: {
    title: "Active people by day",
    sum: "at most {number} on one day",
    name: "Active people",
    empty: "Nobody came in the last 30 days. Here will be how many do on each day.",
    since: "Counted since {day}. Of earlier days only people show who have not come since.",
  },
  newcomers: {
    title: "New accounts by day",
    sum: { one: "{count} new account", other: "{count} new accounts" },
    name: "New accounts",
    empty: "No account was made in the last 30 days. Here will be how many are on each day.",
  },
} as const;

/** The charts of how people come in, and how they do not. */
const signIns = {
  title: "Sign-ins",
  sum: "{signIns}, {registrations}",
  signIns: { one: "{count} sign-in", other: "{count} sign-ins" },
  registrations: { one: "{count} registration", other: "{count} registrations" },
  signedIn: "Signed in",
  registered: "Registered",
  empty: "Nobody signed in or registered. Here will be how many do, and by which ways they come.",
  ways: {
    caption: "By way of sign-in",
    by_password: "Password",
    by_email: "Mailed link or code",
    by_passkey: "Passkey",
    organization: "Provider of an organization",
    unknown: {
      one: "Of {count} sign-in an earlier release did not write down the way.",
      other: "Of {count} sign-ins an earlier release did not write down the way.",
    },
  },
} as const;

const refused = {
  title: "Refused sign-ins",
  sum: { one: "{count} attempt", other: "{count} attempts" },
  name: "Refused",
  empty: "None was refused. Here will be how many are, and why.",
} as const;

const locks = {
  title: "Locks",
  sum: { one: "{count} lock", other: "{count} locks" },
  locked: "Locked for a while",
  blocked: "Blocked for unknown browsers",
  empty: "Nobody was locked out. Here will be how often wrong passwords lock an account.",
} as const;

const mails = {
  title: "Mails",
  names: { sent: "Sent", withheld: "Held back", refused: "Refused by the relay", gave_up: "Given up" },
  sums: {
    sent: { one: "{count} mail sent", other: "{count} mails sent" },
    withheld: { one: "{count} held back", other: "{count} held back" },
    refused: { one: "{count} refused by the relay", other: "{count} refused by the relay" },
    gave_up: { one: "{count} given up", other: "{count} given up" },
  },
  empty: "No mail was sent. Here will be how many are, and how many could not be.",
} as const;

const jobs = {
  title: "Jobs",
  sum: "{due}, {failed}",
  due: { one: "at most {count} job due at once", other: "at most {count} jobs due at once" },
  noneFailed: "no failed job",
  failed: { one: "{count} failed job", other: "{count} failed jobs" },
  waiting: "Due, most at once",
  dead: "Failed, kept",
  empty: "None waited, and none failed. Here will be how many do.",
} as const;

const readiness = {
  title: "Readiness",
  ready: "Ready",
  notReady: "Not ready",
  unseen: "Not looked at",
  always: "ready each time that it was looked at",
  partly: {
    one: "ready {number} of {count} time that it was looked at",
    other: "ready {number} of {count} times that it was looked at",
  },
  hint: "The app is looked at every five minutes by the process that runs the schedules. A look that is missing says that this process was not up, or had no database.",
  failed: "Failed last: {checks}.",
  empty:
    "Nobody has looked yet. The process that runs the schedules looks every five minutes whether the app is ready. Here will be how often it was.",
} as const;

/** The first page: figures of people and of the service. */
export const dashboard = {
  title: "Dashboard",
  find: {
    name: "Find people",
    label: "Find somebody",
    hint: "The beginning of an address, a user name or a display name, or an id",
  },
  maintained: "{app} is in maintenance: it answers every request with 503. {link}",
  seeWhy: "See why",
  backlog: {
    begins: "What the audit log held before it was counted is being counted: it begins within five minutes.",
    back: "What the audit log held before it was counted is being counted: done back to {moment}.",
  },
  service: "Sign-ins and service",
  span: "Span",
  day: "Last 24 hours",
  month: "Last 30 days",
  nothing: "Nothing in this time",
  bars: "A bar is a day in UTC. The last one has only begun.",
  daysAlone: "Where a bar is a day, it is a day in UTC. The last one has only begun.",
  chart: {
    alone: "{title} over time; the same numbers are in the table below",
    table: "As a table",
    from: "From",
  },
  people,
  signIns,
  refused,
  locks,
  mails,
  jobs,
  readiness,
} as const;
