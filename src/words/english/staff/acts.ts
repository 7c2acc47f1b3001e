/** What staff do to an account: buttons, what they lead to, and what helps against a hindrance. */
export const acts = {
  /** Buttons, and the same acts as links to a page that asks first. */
  buttons: {
    unlock: "Unlock",
    enable: "Enable",
    disable: "Disable",
    verify: "Count as proven",
    reset: "Mail a reset link",
    firstPassword: "Mail a link for the first password",
    proof: "Mail the link for the address",
    proofAgain: "Mail the link again",
    resetFactors: "Reset the second step",
    endSessions: "End all sessions",
    impersonate: "Look at the account…",
    export: "Write out the data…",
    delete: "Delete…",
    twoStep: "Two-step sign-in",
  },

  section: {
    title: "What you can do",
    bounds: {
      reads: "The role {role} changes nothing here.",
      ofStaff:
        "The role {role} does nothing to an account of staff, which this is: ask somebody with the role {needed}.",
      helps:
        "The role {role} does these. It takes an admin to enable, disable or delete an account, to vouch for its address and to give it roles.",
    },
    reset: "Goes to the address of the account. The person sets a new password by it.",
    firstPassword:
      "Goes to the address of the account, and is good for days. The person chooses their first password by it.",
    proof: "Goes to the address of the account. By it the person shows that the address is theirs.",
    verify: "Takes the address as proven without a mail. Do so if you know by other means whose it is.",
    resetFactors:
      "For a lost phone: the password alone signs in again. Make sure first that it is them. Every session ends.",
    impersonate: "With the eyes of the person, for 15 minutes. You give a reason, and they are told.",
    endSessions: "Signs out every device, in both apps, and ends the personal tokens of the person's scripts.",
    export: "All that is kept of the person, as a file for them. You are asked once more.",
    disable: "Signs out every device at once, and lets nobody in until it is enabled again.",
    delete: "For good. You are asked once more.",
    own: "This is you. Another admin can disable or delete the account.",
  },

  roles: {
    title: "Roles",
    take: "Take away",
    takeOf: "Take away the role {role}",
    label: "Role to give",
    give: "Give",
    hint: "The name of a role. {admin}, {support} and {auditor} open these pages; what others mean is up to your apps.",
  },

  /** The results of acts, with the buttons that take them back. */
  done: {
    unlocked: "Unlocked: the wrong passwords until now are forgotten. A new lock needs as many again.",
    notLocked: "There was nothing to unlock.",
    disabled: "Disabled: every session has ended, and nobody signs in to the account until it is enabled.",
    enableAgain: "Enable again",
    disabledAlready: "The account was disabled already.",
    enabled: "Enabled: the account can be signed in to again. The sessions that had ended stay ended.",
    disableAgain: "Disable again",
    enabledAlready: "The account was enabled already.",
    verified: "The address counts as proven. That is not taken back: if it was a slip, disable the account.",
    verifiedAlready: "The address was proven already.",
    resetSent: "A mail with a link for a new password is on its way. What became of it stands under Mails.",
    firstPasswordSent: "A mail with a link for the first password is on its way. What became of it stands under Mails.",
    proofSent:
      "A mail with the link is on its way, unless one of the last minutes has brought a good one. What became of it stands under Mails.",
    factorsReset:
      "The second step is gone, with its recovery codes, and every session has ended. A mail tells the person.",
    noFactors: "The account had no second step.",
    sessionsEnded: {
      one: "One session has ended, and can't be brought back: whoever used it signs in again.",
      other: "{count} sessions have ended, and can't be brought back: whoever used them signs in again.",
    },
    noSessions: "There was no session to end. Personal tokens, if there were any, have ended.",
    sessionEndedAlready: "That session had ended already.",
    roleGiven: "The role {role} is given, from the next request on.",
    roleTaken: "The role {role} is taken, from the next request on.",
    giveAgain: "Give it again",
    takeAgain: "Take it again",
    hadRole: "The account has the role {role} already.",
    lackedRole: "The account did not have the role {role}.",
  },

  /** Whether somebody gets in now, and where not the reason in a few words. */
  headlines: {
    in: "Can sign in",
    out: "Can’t sign in now",
    partly: "Can sign in, but not in every way",
    from: "Can’t sign in from {address} now",
    fromSome: "Can’t sign in from one address now",
    noCodes: "Can’t use the authenticator app now",
    by: "Signs in by {organization} alone",
    bySome: "Signs in by an organization alone",
    mail_refused: "Can sign in, but gets no mail",
    wrong_codes: "Can sign in, but types wrong codes",
    clock_off: "Can sign in, but the clock of the phone is off",
    second_step_unanswered: "Stops at the second step",
    wrong_passwords: "Can sign in, but types wrong passwords",
    unused_sessions: "Signs in, but does not stay signed in",
  },

  /** What helps beside a button, and what to tell the person. */
  advice: {
    disabled: "“What happened” says who did it, and when.",
    locked: "Browsers that the account knows get in all the same. If it was not them, leave it locked.",
    blocked: "A new password opens the account. Unlocking gives a guesser as many tries again.",
    rate_limited: "From another network, such as that of the phone, they get in at once.",
    address_limited:
      "From another network, such as that of the phone, they get in at once. Unlocking one person does not lift it.",
    codes_used_up: "Passkeys and recovery codes go on working.",
    provider_demanded: "Their password is the organization’s own: it is reset there, and nothing here helps.",
    mail_refused:
      "Ask for another address of theirs. Signed in, they change it on their account page; until then no link reaches them.",
    wrong_codes:
      "Have them choose the entry of this service in the app, or use a recovery code. Make sure that it is them before you reset.",
    clock_off:
      "Have them let the phone set its clock and time zone by itself, and type the next code. Nothing needs to be reset.",
    second_step_unanswered:
      "Ask for a recovery code first. Make sure that it is them: whoever took the phone knows the password, too.",
    wrong_passwords: "If it was not them, the account is being guessed at: nothing is lost yet.",
    unused_sessions:
      "Have them allow cookies for this site, leave the private window, and tick that they stay signed in.",
  },
  /** Beside a reason whose button the reader's role does not have. */
  withheld: "{act}: an {roles} can do this.",
} as const;
