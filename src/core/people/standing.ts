import type { Millis } from "../clock.ts";

/** The obstacle that keeps a person from signing in now. An absent field is unknown. */
export interface Hindrance {
  readonly why:
    | "disabled"
    | "locked"
    | "browser_locked"
    | "blocked"
    | "rate_limited"
    | "address_limited"
    | "codes_used_up"
    | "address_not_proven"
    | "provider_demanded"
    | "no_password"
    | "no_way_in";
  /** When the obstacle ends by itself. */
  readonly until?: Millis;
  /** Wrong passwords that led to the obstacle; for `codes_used_up` wrong codes, and for `rate_limited` all attempts. */
  readonly failures?: number;
  /** The client address of the last failure, or the address whose limit is reached. */
  readonly address?: string;
  /** With `no_password`: the providers by which the person can sign in. */
  readonly providers?: readonly string[];
  /** With `provider_demanded`: the name of the organization whose provider alone signs the person in. */
  readonly organization?: string;
}

/** Formats a moment, in the reader's time zone where that is known. */
type Moment = (at: Millis) => string;

const wrongPasswords = ({ failures = 0, address }: Hindrance): string =>
  `${failures === 0 ? "" : ` after ${failures} wrong ${failures === 1 ? "password" : "passwords"}`}${address === undefined ? "" : `, the last one from ${address}`}`;
const until = ({ until: end }: Hindrance, moment: Moment): string => (end === undefined ? "" : ` until ${moment(end)}`);

const words: Readonly<Record<Hindrance["why"], (hindrance: Hindrance, moment: Moment) => string>> = {
  disabled: () => "disabled: every session is ended and no sign-in is let in until somebody enables the account",
  locked: (hindrance, moment) => `locked${until(hindrance, moment)}${wrongPasswords(hindrance)}`,
  browser_locked: (hindrance, moment) =>
    `locked in a browser that the account knows${until(hindrance, moment)}${wrongPasswords(hindrance)}`,
  blocked: (hindrance) =>
    `blocked${wrongPasswords(hindrance)}, with none right between them: opened by a new password or by unlocking`,
  rate_limited: (hindrance, moment) =>
    `no more sign-ins from ${hindrance.address ?? "one address"}${until(hindrance, moment)}: ${hindrance.failures ?? "too many"} were tried there`,
  address_limited: (hindrance, moment) =>
    `no sign-ins from ${hindrance.address ?? "one address"}${until(hindrance, moment)}: too many wrong passwords came from there, over all accounts`,
  codes_used_up: (hindrance, moment) =>
    `no more codes of the authenticator app${until(hindrance, moment)}: ${hindrance.failures ?? "too many"} wrong ones were typed in a day; passkeys and recovery codes go on working`,
  address_not_proven: () => "the email address is not proven, and has to be before the first sign-in",
  provider_demanded: ({ organization = "an organization" }) =>
    `signs in by the provider of ${organization} alone, which demands it: no password, link or other provider is let in`,
  no_password: ({ providers = [] }) => `no password: signs in with ${providers.join(", ")}`,
  no_way_in: () => "no password and no linked provider: the person chooses a first password by a mailed link",
};

/** The only wording of a hindrance, for pages, commands and the API: part of a sentence, in lower case. */
export const hindranceWords = (hindrance: Hindrance, moment: Moment): string => words[hindrance.why](hindrance, moment);
