/** The words of the page where people register. */
export const register = {
  mailComes: "We send a mail there. Its link shows that the address is yours.",
  submit: "Create account",
  have: "Already have an account?",
  closed: "Registration is closed",
  sent: {
    lead: "We have sent a mail to {email}. Open its link to show that the address is yours, then sign in.",
    otherwise: "Nothing there after a few minutes? Look in the spam folder, and check the address.",
    back: "Go to the sign-in",
  },
} as const;

/** The words about the terms of the service. */
export const terms = {
  /** The sentences that a person accepts. The names of the documents become links. */
  accept: "I accept the {terms}.",
  acceptBoth: "I accept the {terms} and have read the {privacy}.",
  terms: "terms of use",
  privacy: "privacy policy",
  /** What comes after the sign-in with a provider that brought a person here for the first time. */
  newcomer: {
    title: "One more step",
    lead: "{provider} says who you are, and you have no account here yet. It is made once you accept the terms.",
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
} as const;
