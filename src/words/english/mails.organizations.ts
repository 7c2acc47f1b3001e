const button = "Look at the organization";
const footer = "{product} sent you this mail because you are an owner of {team}. It sends no advertising.";
const ownersDoing = "If you or another owner did this, there is nothing to do.";

/** The mails that tell owners of what has happened to their organization. */
export const mailsOfOrganizations = {
  organization_provider_set: {
    subject: "{team} has a sign-in of its own with {product} now",
    lead: "A provider was set by which the people of {team} sign in to {product}. Whoever runs it can sign in as any of them.",
    button,
    otherwise: `${ownersDoing} If not, remove the provider now: somebody acts in the name of an owner.`,
    footer,
  },
  organization_provider_changed: {
    subject: "The sign-in of {team} with {product} was changed",
    lead: "The provider by which the people of {team} sign in to {product} was changed. Whoever runs it can sign in as any of them.",
    button,
    otherwise: `${ownersDoing} If not, remove the provider now: somebody acts in the name of an owner.`,
    footer,
  },
  organization_provider_removed: {
    subject: "The sign-in of {team} with {product} was removed",
    lead: "The provider by which the people of {team} signed in to {product} was removed. They sign in with a password or in another way of their own. Who has no password gets one by “Forgot your password?”.",
    button,
    otherwise: `${ownersDoing} If not, ask the other owners, or whoever runs {product}.`,
    footer,
  },
  organization_domain_lost: {
    subject: "{team} has lost the domain {about} with {product}",
    lead: "The DNS record that proves {about} is gone, or no server has said for two weeks whether it is there. Nobody joins {team} by this domain now, and no provider of yours signs anybody in with an address below it.",
    button,
    otherwise:
      "If the domain is still yours, put the record back and have it checked. If it is not, there is nothing to do.",
    footer,
  },
  organization_domain_removed: {
    subject: "{about} is no longer a domain of {team} with {product}",
    lead: "The domain {about}, which {team} had proven, was taken away from it. Nobody joins by it now, and no provider of yours signs anybody in with an address below it.",
    button,
    otherwise: `${ownersDoing} If not, ask the other owners, or whoever runs {product}. The domain can be proven again.`,
    footer,
  },
} as const;
