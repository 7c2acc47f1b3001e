/** The words of organizations: on the account page, and on the page of one. */
export const organization = {
  /** What a member is. Roles that an app has named are shown as they are. */
  roles: { owner: "Owner", admin: "Admin", member: "Member" },

  list: {
    stateNone: "You are in no organization yet.",
    state: { one: "You are in one organization.", other: "You are in {count} organizations." },
    actsFor: "On this device you act for {name}.",
    actsForYourself: "On this device you act for yourself.",
    active: "Active",
    switch: "Switch",
    switchTo: "Switch to {name}",
    yourself: "Act for yourself",
    make: "Make an organization",
    makeSubmit: "Make it",
    name: "Name",
    nameHint: "What people call it. You can change it later.",
    made: "{name} is made, and you are its owner.",
    joined: "You are in {name} now.",
    left: "You have left {name}.",
    removed: "{name} is deleted.",
    most: "You are in as many organizations as one can be. Leave one that you don't need first.",
  },

  leave: "Leave",
  leaveOf: "Leave {name}",
  leaveTitle: "Leave {name}?",
  leaveMeans: "You lose what you may see and do there. To come back, you need a new invitation.",

  missing: {
    title: "This organization is not here",
    lead: "It was deleted, or you are not in it any more.",
    way: "Go to your account",
  },
  switchHere: "Switch to this organization",
  yourRole: "Your role: {roles}",

  members: {
    title: "Members",
    state: { one: "One person is in it.", other: "{count} people are in it." },
    you: "You",
    off: "Account disabled",
    more: "Show more",
    roleOf: "Role of {name}",
    also: "also {roles}",
    changed: "{name}: {role} from now on.",
    raiseTitle: "Make {name} an owner?",
    raiseMeans: "An owner may do everything here: take others out, you included, and delete the organization.",
    raise: "Make owner",
    yourselfTitle: "Change your own role?",
    yourselfMeans: "What you may no longer do then, somebody else has to give back to you.",
    yourself: "Change my role",
    remove: "Remove",
    removeOf: "Remove {name}",
    removeTitle: "Remove {name}?",
    removeMeans: "They lose what they may see and do here. Their account stays.",
    removed: "{name} is removed.",
  },

  invitations: {
    title: "Invitations",
    stateNone: "Nobody is invited right now.",
    state: { one: "One person is invited.", other: "{count} people are invited." },
    stateMore: { one: "More than one person is invited.", other: "More than {count} people are invited." },
    invite: "Invite somebody",
    submit: "Send the invitation",
    email: "Email",
    role: "Role",
    sent: "A mail is on its way to {email}.",
    member: "This person is a member already.",
    most: "Today's invitations are used up. Invite more people tomorrow.",
    by: "Invited by {name}",
    until: "Works until {time}",
    withdraw: "Withdraw",
    withdrawOf: "Withdraw the invitation of {email}",
    withdrawn: "The invitation of {email} is withdrawn.",
  },

  /** The titles of the sections that are loaded for owners and admins. */
  ways: { domains: "Domains", signIn: "Sign-in of your own" },

  settings: {
    title: "Settings",
    name: "Name",
    rename: "Change name",
    renamed: "It is called {name} now.",
    onlyOwner: "You are the only owner. To hand it over or leave, make somebody else an owner under Members first.",
    remove: "Delete organization",
    removeMeans: "For good, and for everybody in it.",
    removeTitle: "Delete {name}?",
    consequences: {
      members: {
        one: "Nobody can act for it any more.",
        other: "All {count} members lose what they may see and do in it.",
      },
      invitations: "Invitations that wait stop working.",
      final: "This can't be undone.",
    },
    typed: "Name of the organization",
    typedHint: "Type it to go on: {name}",
    notTyped: "This is not its name.",
    removeSubmit: "Delete for good",
  },

  /** What keeps an account from being deleted. */
  ownersFirst: {
    lead: {
      one: "You are the only owner of this organization. Make somebody else an owner first, or delete it:",
      other: "You are the only owner of these organizations. Make somebody else an owner first, or delete them:",
    },
  },

  refusals: {
    forbidden: "You may not do this here. Your role may have changed: load the page again to see it.",
    slug_taken: "There is an organization of a very similar name. Choose another one.",
    member_exists: "This person is a member already.",
    limit_reached: "There is no room for more. Ask whoever runs this service.",
    last_owner: "You are the only owner. Make somebody else an owner first, or delete the organization.",
    member_not_found: "This person is no longer a member. Load the page again to see who is.",
    organization_not_found: "This organization was deleted, or you are no longer in it.",
    invitation_not_found: "This invitation is gone. Load the page again to see which there are.",
    invitation_accepted: "This person has accepted and is a member now. Load the page again to see it.",
    rate_limited: "That was too often in a short time. Try again later.",
  },
} as const;
