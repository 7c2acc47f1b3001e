/** Keeps a name from turning the words around it, whichever way it is written. */
const own = (name: string): string => `\u2068${name}\u2069`;

/** The words of organizations: on the account page, and on the page of one. */
export const organizationInEnglish = {
  /** What a member is. Roles that an app has named are shown as they are. */
  roles: { owner: "Owner", admin: "Admin", member: "Member" },

  list: {
    state: (count: number) =>
      count === 0
        ? "You are in no organization yet."
        : `You are in ${count === 1 ? "one organization" : `${count} organizations`}.`,
    actsFor: (name: string) => `On this device you act for ${own(name)}.`,
    actsForYourself: "On this device you act for yourself.",
    active: "Active",
    switch: "Switch",
    switchTo: (name: string) => `Switch to ${own(name)}`,
    yourself: "Act for yourself",
    make: "Make an organization",
    makeSubmit: "Make it",
    name: "Name",
    nameHint: "What people call it. You can change it later.",
    made: (name: string) => `${own(name)} is made, and you are its owner.`,
    joined: (name: string) => `You are in ${own(name)} now.`,
    left: (name: string) => `You have left ${own(name)}.`,
    removed: (name: string) => `${own(name)} is deleted.`,
    most: "You are in as many organizations as one can be. Leave one that you don't need first.",
  },

  leave: "Leave",
  leaveOf: (name: string) => `Leave ${own(name)}`,
  leaveTitle: (name: string) => `Leave ${own(name)}?`,
  leaveMeans: "You lose what you may see and do there. To come back, you need a new invitation.",

  missing: {
    title: "This organization is not here",
    lead: "It was deleted, or you are not in it any more.",
    way: "Go to your account",
  },
  switchHere: "Switch to this organization",
  yourRole: (roles: string) => `Your role: ${roles}`,

  members: {
    title: "Members",
    state: (count: number) => (count === 1 ? "One person is in it." : `${count} people are in it.`),
    you: "You",
    off: "Account disabled",
    more: "Show more",
    roleOf: (name: string) => `Role of ${own(name)}`,
    also: (roles: string) => `also ${roles}`,
    changed: (name: string, role: string) => `${own(name)}: ${role} from now on.`,
    raiseTitle: (name: string) => `Make ${own(name)} an owner?`,
    raiseMeans: "An owner may do everything here: take others out, you included, and delete the organization.",
    raise: "Make owner",
    yourselfTitle: "Change your own role?",
    yourselfMeans: "What you may no longer do then, somebody else has to give back to you.",
    yourself: "Change my role",
    remove: "Remove",
    removeOf: (name: string) => `Remove ${own(name)}`,
    removeTitle: (name: string) => `Remove ${own(name)}?`,
    removeMeans: "They lose what they may see and do here. Their account stays.",
    removed: (name: string) => `${own(name)} is removed.`,
  },

  invitations: {
    title: "Invitations",
    state: (count: string) =>
      count === "0"
        ? "Nobody is invited right now."
        : count === "1"
          ? "One person is invited."
          : `${count} people are invited.`,
    invite: "Invite somebody",
    submit: "Send the invitation",
    email: "Email",
    role: "Role",
    sent: (email: string) => `A mail is on its way to ${own(email)}.`,
    member: "This person is a member already.",
    most: "Today's invitations are used up. Invite more people tomorrow.",
    by: (name: string) => `Invited by ${own(name)}`,
    until: "Works until",
    withdraw: "Withdraw",
    withdrawOf: (email: string) => `Withdraw the invitation of ${own(email)}`,
    withdrawn: (email: string) => `The invitation of ${own(email)} is withdrawn.`,
  },

  /** The titles of the sections that are loaded for owners and admins. */
  ways: { domains: "Domains", signIn: "Sign-in of your own" },

  settings: {
    title: "Settings",
    name: "Name",
    rename: "Change name",
    renamed: (name: string) => `It is called ${own(name)} now.`,
    onlyOwner: "You are the only owner. To hand it over or leave, make somebody else an owner under Members first.",
    remove: "Delete organization",
    removeMeans: "For good, and for everybody in it.",
    removeTitle: (name: string) => `Delete ${own(name)}?`,
    consequences: (members: number) => [
      members === 1 ? "Nobody can act for it any more." : `All ${members} members lose what they may see and do in it.`,
      "Invitations that wait stop working.",
      "This can't be undone.",
    ],
    typed: "Name of the organization",
    typedHint: (name: string) => `Type it to go on: ${own(name)}`,
    notTyped: "This is not its name.",
    removeSubmit: "Delete for good",
  },

  /** What keeps an account from being deleted. */
  ownersFirst: {
    lead: (count: number): string =>
      count === 1
        ? "You are the only owner of this organization. Make somebody else an owner first, or delete it:"
        : "You are the only owner of these organizations. Make somebody else an owner first, or delete them:",
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
};

export type OrganizationWords = typeof organizationInEnglish;
