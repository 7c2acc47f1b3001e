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
      /** Where what is wrong has no words below. */
      untoldFaults: "{faults} Nothing was changed.",
      untold: "The reason: {reason}. Nothing was changed.",
    },
    /** What is wrong with a field, by its name. */
    fields: {
      role: "Role is required.",
      roles:
        "Roles must be names of a to z, 0 to 9 and -, that begin with a letter and have at most 32 characters. There are at most 32 of them.",
    },
    /** Why an act of staff may be refused, by the code of the refusal, within a sentence. */
    reasons: {
      own_account: "nobody may do this to their own account: another admin has to",
      last_admin: "the last active admin has to stay one",
      last_owner: "an organization has to keep an owner: make somebody else one first",
      account_inactive: "account is inactive",
      rate_limited: "rate limited",
      email_taken: "email already in use",
      invitation_not_found: "invitation not found",
      invitation_accepted: "the invitation was accepted already",
      invitation_expired: "the invitation has expired",
      invitation_withdrawn: "the invitation was withdrawn",
      organization_not_found: "organization not found",
      member_not_found: "member not found",
      domain_not_found: "domain not found",
      provider_not_found: "the organization has no provider",
      client_not_found: "app not found",
      maintenance_forced: "maintenance is forced by the environment until a restart without it",
    },
    role: {
      title: "Your role does not allow this",
      ofStaff: "Your role is {roles}. Only an admin acts on accounts of staff. Nothing was changed.",
      needs: "Your role is {roles}. This takes the role {needed}. Nothing was changed.",
    },
  },
} as const;
