import type { Metadata } from "./model.ts";

export interface Login {
  /** A user name or an address. */
  login: string;
  password: string;
  /** Keeps the session when the browser is closed. */
  remember?: boolean;
}

export interface Registration {
  email: string;
  password: string;
  /** Default: the address. */
  username?: string;
  /** Default: the user name. */
  display_name?: string;
  /** A time zone such as `Europe/Berlin`. */
  timezone?: string;
  /** A language such as `de-AT`. Default: the one that the browser asks for. */
  locale?: string;
  /** The version of the terms that the person accepts, where the service has terms. */
  accepted_terms?: string;
  remember?: boolean;
}

/** What completes the account of somebody who came by a provider for the first time. */
export interface ProviderRegistration {
  /** `newcomer` of the address of the page. */
  state: string;
  accepted_terms?: string;
}

/** The choices of a person without an account. A person who is signed in to an account gives the token alone. */
export interface Acceptance extends Partial<Omit<Registration, "email">> {
  /** The token of the mail. */
  token: string;
}

/** A field that is left out stays as it is; null empties it. */
export interface ProfileEdit {
  display_name?: string;
  username?: string;
  /** Needs `current_password`. The address is `pending_email` until its mailbox has confirmed it. */
  email?: string;
  avatar_url?: string | null;
  /** A time zone such as `Europe/Berlin`. */
  timezone?: string | null;
  /** A language such as `de-AT`. */
  locale?: string | null;
  /** A merge patch (RFC 7396) of what you keep for the app: null removes a name. */
  user_metadata?: Metadata | null;
  /** The version of the terms that you accept: see `terms_due` of `getMe`. */
  accepted_terms?: string;
  current_password?: string;
}
