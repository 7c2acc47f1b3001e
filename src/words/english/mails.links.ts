export const mailsOfLinks = {
  reset_link: {
    subject: "Reset your password for {product}",
    lead: "Somebody asked for a new password for your {product} account. Until you choose one, nothing changes.",
    button: "Choose a new password",
    validity: "The link works once, until {until}.",
    otherwise: "If this was not you, there is nothing to do: without this link the password stays as it is.",
  },
  first_password_link: {
    subject: "Choose your first password for {product}",
    lead: "You have an account with {product} under this email address, and it has no password yet. Follow the link to choose your first one. Then you sign in with this address and that password.",
    button: "Choose your first password",
    validity: "The link works once, until {until}. Keep it to yourself: whoever opens it can take the account.",
    otherwise:
      "If you did not expect this mail, there is nothing to do: without this link the account gets no password.",
    footer: "{product} sent you this mail because there is an account with this address. It sends no advertising.",
  },
  email_login_link: {
    subject: "{code} is your code for {product}",
    lead: "Somebody asked to sign in to your {product} account by mail. The code does that where you asked for it, and the link on any device.",
    button: "Sign in by a link",
    code: "Type this code where you asked for the mail. It works in no other browser:",
    validity: "Link and code work once, until {until}. Keep both to yourself: nobody from {product} asks for them.",
    otherwise: "If this was not you, there is nothing to do: without this mail nobody gets in.",
  },
  verification_link: {
    subject: "Verify your email for {product}",
    lead: "An account with {product} was made with this email address. Open the link to confirm that the address is yours.",
    button: "Verify the address",
    validity: "The link works once, until {until}.",
    otherwise:
      "If this was not you, say so: whoever used your address is then signed out, and can no longer get in with it.",
    reject: "This was not me",
  },
  new_address_link: {
    subject: "Verify your email for {product}",
    lead: "An account with {product} is to move to this email address. It moves once you confirm that the address is yours.",
    button: "Verify the address",
    validity: "The link works once, until {until}.",
    otherwise: "If this was not you, say so, and the account stays where it is.",
    reject: "This was not me",
  },
  invitation_link: {
    subject: "You are invited to {product}",
    lead: "You are invited to open an account with {product}. Follow the link, choose a name and a password, and you are in.",
    button: "Accept the invitation",
    validity: "The link works once, until {until}. Keep it to yourself: whoever opens it can take the account.",
    otherwise: "If you did not expect this, there is nothing to do: without your click no account is made.",
    footer: "{product} sent you this mail because you were invited with this address. It sends no advertising.",
  },
  invitation_from_link: {
    subject: "{about} invites you to {product}",
    lead: "{about} invites you to open an account with {product}. Follow the link, choose a name and a password, and you are in.",
    button: "Accept the invitation",
    validity: "The link works once, until {until}. Keep it to yourself: whoever opens it can take the account.",
    otherwise:
      "If you did not expect this, or do not know {about}, there is nothing to do: without your click no account is made.",
    footer: "{product} sent you this mail because you were invited with this address. It sends no advertising.",
  },
  organization_link: {
    subject: "You are invited to {team}",
    lead: "You are invited to join {team} on {product}. Follow the link to join. If you have no account yet, you make one there.",
    button: "Join",
    validity: "The link works once, until {until}. Keep it to yourself: whoever opens it may join in your place.",
    otherwise: "If you did not expect this, there is nothing to do: without your click nothing happens.",
    footer: "{product} sent you this mail because you were invited with this address. It sends no advertising.",
  },
  organization_from_link: {
    subject: "{about} invites you to {team}",
    lead: "{about} invites you to join {team} on {product}. Follow the link to join. If you have no account yet, you make one there.",
    button: "Join",
    validity: "The link works once, until {until}. Keep it to yourself: whoever opens it may join in your place.",
    otherwise:
      "If you did not expect this, or do not know {about}, there is nothing to do: without your click nothing happens.",
    footer: "{product} sent you this mail because you were invited with this address. It sends no advertising.",
  },
} as const;
