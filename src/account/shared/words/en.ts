import type { Path } from "../settings.ts";

/** What the account pages say. Every other language has the same shape: a sentence that it lacks does not compile. */
export type Words = typeof english;

const titles: Readonly<Record<Path, string>> = {
  "/login": "Sign in",
  "/register": "Create an account",
  "/forgot-password": "Forgot your password?",
  "/reset-password": "Choose a new password",
  "/verify-email": "Confirm your address",
  "/undo-email-change": "Put your old address back",
  "/account": "Your account",
};

export const english = {
  /** For dates and numbers. */
  tag: "en",
  name: "English",
  titles,
  noScript:
    "This page works with JavaScript, and this browser does not run it. Allow it for this site, then load the page again.",
  toContent: "Skip to the content",
  loading: "Loading",
  slow: "This takes longer than usual. Your connection may be slow.",
  optional: "optional",

  /** What is true of the whole service, or of the way to it. */
  trouble: {
    offline: "You are offline. What you typed stays here; try again once you are connected.",
    unreachable: "The service can't be reached. Check your connection, or try again in a moment.",
    unavailable: "The service is not available right now. Try again in a moment.",
    maintenance: "The service is down for maintenance. It will be back shortly.",
    broken: "Something went wrong on our side. Try again in a moment.",
    sessionEnded: "You have been signed out. Sign in again to go on.",
    /** Shown with a failure, for whoever has to look it up. */
    reference: (id: string) => `Reference for support: ${id}`,
    again: "Try again",
  },

  fields: {
    login: "Email or user name",
    email: "Email",
    name: "Name",
    password: "Password",
    newPassword: "New password",
    remember: "Keep me signed in on this device",
  },

  /** What is wrong with a field, by the code of the fault. */
  faults: {
    required: (label: string) => `${label} is missing.`,
    invalid_email: "This is not an email address. One looks like ada@example.com.",
    too_long: "This is too long.",
    invalid_characters: "This has characters that can't be used here.",
    email_taken: "There is an account with this address already.",
    username_taken: "This user name is taken.",
    other: "This can't be used.",
  },

  password: {
    show: "Show",
    hide: "Hide",
    showLabel: "Show the password",
    hideLabel: "Hide the password",
    tooShort: (least: number) => `At least ${least} characters.`,
    missing: (count: number) => (count === 1 ? "One more character." : `${count} more characters.`),
    tooLong: (most: number) => `At most ${most} characters.`,
    upper: "Add an upper-case letter.",
    lower: "Add a lower-case letter.",
    number: "Add a digit.",
    symbol: "Add a symbol, such as ! or #.",
    tooCommon: "This is one of the most common passwords. Choose one that others don't have.",
    containsIdentity: "Choose something other than your name, your address or the name of this service.",
    advice: "Several words that don't belong together are strong, and easy to keep in mind.",
    good: "Good password.",
    strong: "Strong password.",
  },

  time: {
    now: "just now",
    until: (time: string) => `until ${time}`,
  },
};
