import { factors } from "./factors.ts";
import { register, terms } from "./register.ts";

/** The titles of the pages. */
const titles = {
  signIn: "Sign in",
  register: "Create an account",
  forgotPassword: "Forgot your password?",
  resetPassword: "Choose a new password",
  verifyEmail: "Verify your email",
  undoEmailChange: "Put your old address back",
  acceptInvitation: "Your invitation",
  emailLogin: "Sign in by mail",
  account: "Your account",
  organization: "Organization",
} as const;

/** The words that all account pages need. */
export const pages = {
  titles,
  noScript:
    "This page works with JavaScript, and this browser does not run it. Allow it for this site, then load the page again.",
  loading: "Loading",
  slow: "This takes longer than usual. Your connection may be slow.",

  /** Trouble with the whole service, or with the connection to it. */
  trouble: {
    unloaded: "This page did not load",
    changing: "The service may be changing to a new version just now. Try again in a moment.",
    offline: "You are offline. What you typed stays here: try again once you are connected.",
    unreachable: "The service can't be reached. Check your connection, or try again in a moment.",
    unavailable: "The service is not available right now. Try again in a moment.",
    maintenance: "The service is down for maintenance. It will be back shortly.",
    broken: "Something went wrong on our side. Try again in a moment.",
    /** A reference for a person who looks the failure up. */
    reference: "Reference for support: {id}",
    again: "Try again",
  },

  /** Above every page, while somebody of the staff looks at a person's account. */
  impersonation: {
    acting: "{staff} is looking at the account of {person}, and can change nothing.",
    end: "End",
  },

  fields: {
    login: "Email or user name",
    email: "Email",
    name: "Name (optional)",
    password: "Password",
    newPassword: "New password",
    remember: "Keep me signed in",
  },

  /** Faults of a field, by code. */
  faults: {
    required: "{label} is missing.",
    invalid_email: "This is not an email address. One looks like ada@example.com.",
    look_alike_email:
      "Before the @ are characters that only look like ordinary letters. Type the address with a keyboard.",
    too_long: "This is too long.",
    invalid_characters: "This has characters that can't be used here.",
    email_taken: "There is an account with this address already. Sign in, or reset its password.",
    username_taken: "This user name is taken.",
    domain_not_allowed: "Addresses of this domain can't be used here. Take another one, such as that of your work.",
    terms_required: "Accept them to go on.",
    invalid_username: "A user name has 1 to 64 letters, digits, spaces or . _ - and begins with a letter or digit.",
    foreign_address: "An address can be the user name only of the account that it belongs to.",
    invalid_url: "This is not an address of a picture. One looks like https://example.com/ada.jpg.",
    wrong_password: "This is not your current password.",
    missing_upper: "Add an upper-case letter.",
    missing_lower: "Add a lower-case letter.",
    missing_number: "Add a digit.",
    missing_symbol: "Add a symbol, such as ! or #.",
    too_common: "This is one of the most common passwords. Choose one that others don't have.",
    breached_password:
      "This password is known from data breaches elsewhere, so attackers try it early. Choose another one.",
    contains_identity: "Choose something other than your name, your address or the name of this service.",
    other: "This can't be used.",
  },

  password: {
    show: "Show",
    hide: "Hide",
    showLabel: "Show the password",
    hideLabel: "Hide the password",
    advice: "At least {least} characters. A few words that don't belong together are easy to keep in mind.",
    missing: { one: "One more character.", other: "{count} more characters." },
    tooLong: "At most {most} characters.",
    good: "Good password.",
    strong: "Strong password.",
  },

  /** The words for a wait after too many attempts. */
  waits: {
    locked: "Too many wrong passwords",
    lockedUntil: "You can sign in again at {time}, or at once with a new password.",
    limited: "Too many attempts",
    limitedUntil: "You can try again at {time}.",
    left: "{clock} left",
    awake: "You can try again now.",
  },

  /** The sentence of a refusal, by its code. */
  refusals: {
    invalid_credentials: "This password does not belong to this email or user name. Check both and try again.",
    account_inactive: "This account is disabled. Whoever runs this service can enable it again.",
    denied_by_hook: "This was not allowed. Ask whoever runs this service.",
    domain_not_allowed:
      "The provider gave us an address whose domain can't be used here. Take an account there that has another address.",
    terms_required: "Nobody gets an account here before they have accepted the terms.",
    registration_closed: "Only whoever runs this service makes new accounts at the moment.",
    oauth_denied: "The sign-in was cancelled at the provider. Nothing has changed.",
    oauth_email_missing:
      "The provider gave us no email address that is verified. Verify one there, or sign in another way.",
    identity_link_required:
      "There is an account with this email already. Sign in to it with its password, then link the provider on your account page.",
    identity_already_linked: "This sign-in is linked to another account. Unlink it there first.",
    invalid_oauth_state: "That sign-in took too long, or was begun in another browser. Begin it again.",
    oauth_exchange_failed: "The provider can't be used right now. Try again in a moment, or sign in another way.",
    reauthentication_required: "Sign in again before you link a provider: it is a while since you last did.",
    authenticator_not_allowed:
      "This service takes passkeys of certain security keys alone. Use one that you were given for it.",
    last_auth_method:
      "This is the only way in that you have, so it stays. Set a password or link another provider first.",
    invitation_sign_in_required:
      "There is an account with the invited address already. Sign in to it, and accept the invitation there.",
    invalid_code: "This was not accepted. Try again, or take another way.",
    invalid_challenge: "This took too long, or was begun in another browser. Begin again.",
    impersonated: "Only the person can do this.",
    mfa_setup_required: "Set up a second step first.",
    factor_exists: "This is set up already. Load the page again to see it.",
    factor_not_found: "This has been removed meanwhile, or its time is up. Load the page again, and begin anew.",
    passkey_limit: "There is no room for more passkeys. Remove one that you don't use first.",
    passkey_cancelled:
      "No passkey came from your device: its question was closed, or not answered in time. Try again whenever you like.",
    passkey_exists: "This device has a passkey for your account already.",
    passkey_unsupported: "This browser can't use a passkey here. Take another way, or another browser.",
    wrong_address: "This page is open at an address where that can't be done. Open it at its usual address.",
    email_login_disabled: "Nobody signs in by mail here any more. Take another way.",
    other: "That did not work. Try again.",
  },

  signIn: {
    goOn: "to go on to {place}",
    forDevice: "to sign a device in",
    submit: "Sign in",
    forgot: "Forgot password?",
    or: "or",
    provider: "Continue with {label}",
    /** Beside the way by which this browser signed in last. */
    last: "last used",
    newHere: "No account yet?",
    register: "Create one",
    farewell: {
      ended: "You have been signed out. Sign in again to go on.",
      everywhere: "You are signed out on every device.",
      deleted: "Your account is deleted.",
    },
    signedInAs: "You are signed in as {name}.",
    continueAs: "Continue",
    another: "Use another account",
    back: "Back to the sign-in",
    unverified: {
      title: "Verify your email first",
      lead: "Your password is right. This service lets you in once you have shown that the address is yours.",
      sent: "We have sent you a mail with a link that works for {duration}. Look in the spam folder, too.",
    },
  },

  register,

  terms,

  /** A mailed link that is of no use. */
  forgot: {
    lead: "Say who you are, and we send a link to the address of the account.",
    submit: "Send the link",
    sent: {
      title: "Look in your mail",
      lead: "If there is an account for {login}, a mail with a link is on its way.",
      validity: "The link works once, for {duration}.",
      otherwise: "Nothing there after a few minutes? Look in the spam folder, or check what you typed.",
      again: "Try another address",
      local: "This app runs locally and answers with the link instead of mailing it:",
      open: "Choose a new password",
    },
  },

  link: {
    title: "This link does not work any more",
    reset: "It has been used, has run out, or was replaced by a newer one. Ask for a new one.",
    resetAgain: "Ask for a new link",
    resetPassword: "Reset the password",
    verify: "It has been used, has run out, or was replaced by a newer one. Sign in, and you can have a new one sent.",
    undo: "It has been used or has run out. If your account is not safe, reset its password.",
    incompleteTitle: "This link is incomplete",
    incomplete: "A part of this address is missing. Open the link in the mail again, or copy the whole address.",
    taken: "Another account has this address by now, so nothing was changed.",
  },

  /** The words of acts and questions that several pages have. */
  acts: {
    signOut: "Sign out",
    onThisPage: "On this page",
    save: "Save",
    cancel: "Cancel",
    notLoaded: "This could not be loaded.",
    download: "Download",
    exported: "{name} is in your downloads.",
    keep: "Keep it",
    currentPassword: "Current password",
    /** The question before an act that would hurt in other hands. */
    proof: {
      title: "Is it you?",
      lead: "It is a while since you signed in. Show once more that it is you, and this goes on.",
      byProvider: "It is a while since you signed in. Sign in once more, come back here, and do it again.",
      provider: "Sign in with {label}",
    },
  },

  factors,

  time: {
    now: "just now",
    minutes: { one: "one minute", other: "{count} minutes" },
    hours: { one: "one hour", other: "{count} hours" },
  },
} as const;
