/** Keeps a name from turning the words around it, whichever way it is written. */
const own = (name: string): string => `\u2068${name}\u2069`;

/** The words of the ways into an organization: its domains, and a provider of its own. */
export const waysInEnglish = {
  copy: "Copy",
  copyOf: (what: string) => `Copy: ${what}`,
  copied: "Copied.",
  remove: "Remove",

  domains: {
    state: (proven: number) =>
      proven === 0
        ? "No domain is proven yet. With one, people join by their address, or sign in with a system of yours."
        : proven === 1
          ? "One domain is proven."
          : `${proven} domains are proven.`,
    proven: "Proven",
    open: "Not proven",
    lost: "Proof is gone",
    lead: "Add this record where the domain is run. It has to stay there.",
    type: "Type: TXT",
    name: "Name of the record",
    value: "Content of the record",
    verify: "Look for the record",
    verifyOf: (domain: string) => `Look for the record of ${own(domain)}`,
    verified: (domain: string) => `${own(domain)} is proven.`,
    add: "Add a domain",
    submit: "Add",
    domain: "Domain",
    hint: "What stands behind the @ of your addresses: example.com",
    fault: "This is not a domain that somebody can own. One looks like example.com.",
    added: (domain: string) => `${own(domain)} is added. Prove it by the record below.`,
    join: "Who joins by an address below it",
    joins: {
      none: "Nobody joins by an address below it.",
      invite: "People with an address below it are offered to join.",
      auto: "People with an address below it are members once they sign in.",
    },
    modes: { none: "Nobody", invite: "Who wants to", auto: "Everybody who signs in" },
    change: "Change who joins",
    changeOf: (domain: string) => `Change who joins by ${own(domain)}`,
    changed: (domain: string) => `Who joins by ${own(domain)} is changed.`,
    removeOf: (domain: string) => `Remove ${own(domain)}`,
    removeTitle: (domain: string) => `Remove ${own(domain)}?`,
    removeMeans:
      "Nobody joins by it any more, and nobody signs in with your own system by an address below it. Members stay. Somebody else may prove it.",
    removed: (domain: string) => `${own(domain)} is removed.`,
  },

  provider: {
    none: "People sign in in their own ways.",
    offered: "People with an address below your domains can sign in with a system of yours.",
    demanded: "Members with an address below your domains sign in with a system of yours, and in no other way.",
    needsDomain: "Prove a domain first: a system of yours speaks for addresses below it alone.",
    lead: "Any system that speaks OpenID Connect. Register this address there:",
    redirect: "Redirect URI",
    start: "Address at which people begin",
    issuer: "Issuer",
    issuerHint: "As the system calls itself: https://login.example.com",
    issuerFault: "This is not the address of such a system. One begins with https:// and has nothing private in it.",
    clientId: "Client ID",
    secret: "Client secret",
    secretHint: "It is kept sealed, and nobody sees it again.",
    enforced: "Let members with such an address in by it alone",
    enforcedMeans: "Owners with two-step sign-in may still sign in in their own ways.",
    set: "Set it up",
    change: "Change it",
    submit: "Save",
    saved: "It is set. Try it in a private window before you let people in by it alone.",
    removeTitle: "Remove the sign-in of your own?",
    removeMeans:
      "Nobody signs in by it any more, and nobody has to. People without a password ask for one where they sign in.",
    removed: "It is removed. People sign in in their own ways.",
    signOut: "Sign members out",
    signOutTitle: "Sign out all who have to come by it?",
    signOutMeans:
      "Who was signed in before goes on until then. Everybody whom it concerns is signed out within a few minutes, personal tokens included, and comes back by it. You stay signed in.",
    signedOut: "They are being signed out.",
  },

  refusals: {
    domain_taken: "Another organization has proven this domain. Ask whoever runs this service, if it is yours.",
    domain_record_missing:
      "The record is not there yet, or not seen yet. It can take an hour until the whole world sees it.",
    domain_lookup_failed: "No server said whether the record is there. Try again in a few minutes.",
    domain_not_found: "This domain is gone. Load the page again to see which there are.",
    domain_required: "Prove a domain first.",
    provider_not_found: "It is gone already. Load the page again to see what is set.",
    provider_not_enforced: "Nobody has to come by it. Change that first.",
  },
};

export type WaysWords = typeof waysInEnglish;
