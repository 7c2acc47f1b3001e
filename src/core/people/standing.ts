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
