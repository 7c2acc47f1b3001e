/**
 * What keeps a person from signing in, as part of a sentence in lower case. `until`, `after` and `from` put what is known besides around
 * what is said.
 */
export const standing = {
  until: "{what} until {moment}",
  after: { one: "{what} after {count} wrong password", other: "{what} after {count} wrong passwords" },
  from: "{what}, the last one from {address}",
  oneAddress: "one address",
  anOrganization: "an organization",
  disabled: "disabled: every session is ended and no sign-in is let in until somebody enables the account",
  locked: "locked",
  browserLocked: "locked in a browser that the account knows",
  blocked: "blocked",
  opened: "{what}, with none right between them: opened by a new password or by unlocking",
  noMore: "no more sign-ins from {address}",
  tried: { one: "{what}: {count} was tried there", other: "{what}: {count} were tried there" },
  tooManyTried: "{what}: too many were tried there",
  noSignIns: "no sign-ins from {address}",
  wrongFromThere: "{what}: too many wrong passwords came from there, over all accounts",
  noCodes: "no more codes of the authenticator app",
  wrongCodes: {
    one: "{what}: {count} wrong one was typed in a day; passkeys and recovery codes go on working",
    other: "{what}: {count} wrong ones were typed in a day; passkeys and recovery codes go on working",
  },
  tooManyCodes: "{what}: too many wrong ones were typed in a day; passkeys and recovery codes go on working",
  addressNotProven: "the email address is not proven, and has to be before the first sign-in",
  providerDemanded:
    "signs in by the provider of {organization} alone, which demands it: no password, link or other provider is let in",
  noPassword: "no password: signs in with {providers}",
  noWayIn: "no password and no linked provider: the person chooses a first password by a mailed link",
} as const;

/** What goes wrong for a person whom nothing keeps from signing in, as part of a sentence in lower case. */
export const troubles = {
  mailbox: "the mailbox does not take mails ({moment}): {answer}",
  mail: "the last mail did not arrive ({moment}): {answer}",
  wrongCodes: {
    one: "{count} wrong code of the authenticator app since the last sign-in, the last one at {moment}",
    other: "{count} wrong codes of the authenticator app since the last sign-in, the last one at {moment}",
  },
  ahead: "{what}: right by a clock that is {length} ahead, so the phone's clock or time zone is off",
  behind: "{what}: right by a clock that is {length} behind, so the phone's clock or time zone is off",
  secondStep: {
    one: "the password was right once, the last time at {moment}, and the second step was not taken: the phone may be lost",
    other:
      "the password was right {count} times, the last time at {moment}, and the second step was not taken: the phone may be lost",
  },
  codesLeft: { one: "{what}; {count} recovery code left", other: "{what}; {count} recovery codes left" },
  wrongPasswords: {
    one: "{count} wrong password since the last sign-in, the last one at {moment}",
    other: "{count} wrong passwords since the last sign-in, the last one at {moment}",
  },
  lastFrom: "{what} from {address}",
  unusedSessions: {
    one: "signed in once since {moment} with {device}, and no session was used after its first minute: the browser keeps no cookies, or is closed each time",
    other:
      "signed in {count} times since {moment} with {device}, and no session was used after its first minute: the browser keeps no cookies, or is closed each time",
  },
} as const;
