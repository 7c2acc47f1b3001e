/** What every page for staff has around its content, and what answers a refusal. */
export const frame = {
  skip: "Skip to the content",
  pages: "Pages",
  signOut: "Sign out",
  navigation: {
    dashboard: "Dashboard",
    people: "People",
    organizations: "Organizations",
    audit: "Audit",
    jobs: "Jobs",
    apps: "Apps",
    webhooks: "Webhooks",
    mails: "Mails",
    schedules: "Schedules",
    maintenance: "Maintenance",
    lighthouse: "Lighthouse",
  },
  timesOwn: "Times are in {zone}, as your profile says.",
  timesUtc: "Times are in UTC: your profile names no time zone.",
  justNow: "just now",
  soon: "in less than a minute",
  never: "never",
  until: ", until {moment}",
  deleted: "deleted account {id}",
  find: "Find",
  actions: "Actions",
  pagesOf: "Pages of {label}",
  firstPage: "First page",
  nextPage: "Next page",
  back: "Go back",
  start: "Go to the start page",
  refusals: {
    absent: {
      title: "There is nothing here",
      lead: "It was deleted, or the address is wrong.",
    },
    foreignForm: {
      title: "This form is not of your sign-in",
      lead: "It was open while somebody signed in or out. Go back, load the page again, and repeat it. Nothing was changed.",
    },
    busy: {
      title: "This can't be done right now",
      lead: {
        one: "The service is busy, or its database can't be reached. Try again in a moment.",
        other: "The service is busy, or its database can't be reached. Try again in {count} seconds.",
      },
    },
    broken: {
      title: "Something went wrong",
      lead: "It is in the log under the request {request}. Nothing more can be said here.",
    },
    refused: {
      title: "That did not work",
      faults: "{faults} Nothing was changed.",
      reason: "The reason: {reason}. Nothing was changed.",
    },
    role: {
      title: "Your role does not allow this",
      ofStaff: "Your role is {roles}. Only an admin acts on accounts of staff. Nothing was changed.",
      needs: "Your role is {roles}. This takes the role {needed}. Nothing was changed.",
    },
  },
} as const;
