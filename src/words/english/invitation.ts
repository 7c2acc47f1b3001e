/** The words of the page of an invitation. */
export const invitation = {
  title: "You are invited to {product}",
  lead: "Choose a name and a password, and you are in.",
  leadBy: "{name} invites you. Choose a name and a password, and you are in.",
  address: "Your account gets the address {email}.",
  submit: "Create account",
  own: "You are signed in as {email}, the address that was invited.",
  ownLead: "Accept, and your account gets what it was invited to.",
  ownLeadBy: "{name} invites you. Accept, and your account gets what it was invited to.",
  accept: "Accept the invitation",
  /** The words of an invitation to an organization. */
  to: {
    title: "Join {organization}",
    submit: "Create account and join",
    own: "You are invited.",
    ownBy: "{name} invites you.",
    accept: "Join",
    already: {
      title: "You are in {organization} already",
      lead: "There is nothing left to accept.",
      way: "Go to your account",
    },
  },
  /** The words for an address whose account nobody is signed in to here. */
  other: {
    title: "You have an account already",
    lead: "There is an account with the address {email}. Sign in to it, and accept the invitation there.",
    otherwise:
      "You never made one, or don't know its password? Choose a new password by a mail to this address, then open the link of the invitation again.",
  },
  /** Why the link is of no use, by the code of the refusal. */
  over: {
    invalid_invitation_token: {
      title: "This link does not work",
      lead: "It is not the link of an invitation, or of one from long ago. Open the link in the mail again, or ask whoever invited you for a new one.",
    },
    invitation_accepted: {
      title: "This invitation has been accepted",
      lead: "Somebody has accepted it by this link. If it was you, sign in. If it was not, tell whoever invited you at once.",
    },
    invitation_expired: {
      title: "This invitation has run out",
      lead: "Its link worked until the time that the mail says. Ask whoever invited you for a new one.",
    },
    invitation_withdrawn: {
      title: "This invitation was withdrawn",
      lead: "Whoever invited you has taken it back, or may no longer invite. Ask there if you did not expect that.",
    },
  },
  refusals: {
    limit_reached: "There is no room for another member, or you are in as many organizations as one can be.",
  },
} as const;
