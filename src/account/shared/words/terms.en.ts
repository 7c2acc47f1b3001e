/** The words about the terms of the service. */
export const termsInEnglish = {
  /** The sentence that a person accepts. The names of the documents, which are links, stand between its parts. */
  accept: ["I accept the ", "."] as readonly [string, string],
  acceptBoth: ["I accept the ", " and have read the ", "."] as readonly [string, string, string],
  terms: "terms of use",
  privacy: "privacy policy",
  /** What comes after the sign-in with a provider that brought a person here for the first time. */
  newcomer: {
    title: "One more step",
    lead: (provider: string) =>
      `${provider} says who you are, and you have no account here yet. It is made once you accept the terms.`,
    cancel: "Go back to the sign-in",
  },
  /** Terms that the signed-in person has not accepted yet. */
  due: {
    title: "Our terms",
    lead: "They are new, or have changed since you accepted them.",
    submit: "Accept and go on",
    accept: "Accept",
    later: "Not now",
    done: "You have accepted the terms.",
  },
};
