/** A moment in the form of RFC 3339, in UTC. */
export type Timestamp = string;

/** A second factor: a proof of identity besides a password or a provider. */
export type FactorName = "totp" | "recovery_code" | "passkey";

export interface User {
  id: string;
  username: string;
  email: string;
  /** A new address that its mailbox has not confirmed yet. */
  pending_email: string | null;
  display_name: string;
  avatar_url: string | null;
  active: boolean;
  email_verified_at: Timestamp | null;
  last_login_at: Timestamp | null;
  last_seen_at: Timestamp | null;
  timezone: string | null;
  locale: string | null;
  created_at: Timestamp;
  /** False for an account that signs in only through a provider. */
  has_password: boolean;
  /** Names of roles, sorted. */
  roles: string[];
}

/** An object of JSON that an app keeps on an account. */
export type Metadata = Record<string, unknown>;

/** An account with what apps keep on it. */
export interface OwnUser extends User {
  /** What services write; you read it. */
  app_metadata: Metadata;
  /** What you write, with `updateProfile`. */
  user_metadata: Metadata;
}

/** The signed-in user. */
export interface Me {
  user: OwnUser;
  /** Whether the session may do nothing but set up a second factor. */
  mfa_setup_required: boolean;
  /** The member of staff who acts in the person's name, and the page that their end leads back to; null for the person. */
  impersonator: { id: string; name: string; return_to: string | null } | null;
  /** The version of the terms to ask the person for: `updateProfile` takes it as `accepted_terms`. Nothing is refused meanwhile. */
  terms_due: string | null;
}

export interface Session {
  id: string;
  /** Whether this session sent the request. */
  current: boolean;
  /** A label for people, such as `Mac · Safari`. */
  device_label: string;
  user_agent: string;
  ip_address: string;
  created_at: Timestamp;
  last_seen_at: Timestamp;
  expires_at: Timestamp;
  remembered: boolean;
  /** The second factor that proved the session; null where none did. */
  factor: FactorName | null;
  /** The program that holds the session for the user; null for a session of a browser, or of an app that signed in by itself. */
  client: ClientName | null;
  /** The member of staff who opened the session in the user's name; null for every other session. */
  impersonator: { id: string; name: string } | null;
}

/** A program that signs people in by their accounts here. */
export interface ClientName {
  id: string;
  name: string;
}

/** The hold of a program on the account. */
export interface ConnectedApp {
  client: ClientName;
  /** What the program may see and do: `openid`, `profile`, `email`, … */
  scopes: string[];
  /** The resource servers that the program may call in the name of the user (RFC 8707). */
  resources: string[];
  /** Whether people are asked before the program sees anything of them. */
  third_party: boolean;
  granted_at: Timestamp;
  /** Null where the program holds no session. */
  last_used_at: Timestamp | null;
  /** The number of sessions that the program holds. */
  sessions: number;
}

/** An invitation as the token of its mail shows it. */
export interface Invitation {
  /** The address that the invitation was mailed to. The account gets it. */
  email: string;
  display_name: string | null;
  /** The member of staff, or of the organization, who invited; null for an operator or a program. */
  invited_by: string | null;
  /** The name of the organization that it is an invitation to. */
  organization: string | null;
  expires_at: Timestamp;
  /** `none`: accepting makes the account. `own`: you are signed in to the account that has the address. `other`: sign in to it first. */
  account: "none" | "own" | "other";
}

/** A token that a person has made for their own scripts. */
export interface PersonalToken {
  id: string;
  name: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  last_used_at: Timestamp | null;
}

/** A provider by which people can sign in. */
export interface Provider {
  /** The name that `startProviderLogin` and `startProviderLink` take. */
  name: string;
  /** The name for a button. */
  display_name: string;
  /** `openid`: a provider that the operator has configured by its issuer. */
  kind: "github" | "google" | "microsoft" | "apple" | "openid";
}

/** An account at a provider by which the user can sign in. */
export interface Identity {
  id: string;
  provider: string;
  /** What people call the provider, such as the name of an organization. Null where it signs nobody in any more. */
  label: string | null;
  email: string | null;
  username: string | null;
  linked_at: Timestamp;
  last_login_at: Timestamp | null;
}

/** An identity or a second factor that a password reset removes, because it was added a short while ago. */
export interface Added {
  kind: "identity" | "totp" | "passkey";
  id: string;
  /** The account at the provider, or the name of the passkey. */
  name: string;
  at: Timestamp;
}

/** What a mailed link is for. `kind` is null where the link is not good any more. */
export interface MailedLink<Kind extends string> {
  good: boolean;
  kind: Kind | null;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  token_type: "Bearer";
  /** Seconds. */
  expires_in: number;
  refresh_expires_at: Timestamp;
}

/** The owner and the session of an access token (RFC 7662). */
export type Introspection =
  | { active: false }
  | {
      active: true;
      /** The user's id. */
      sub: string;
      username: string;
      email: string;
      email_verified: boolean;
      roles: string[];
      /** The display name, where the operator has it written into tokens, as the next two. */
      name?: string;
      external_id?: string;
      app_metadata?: Metadata;
      /** The session's id; a personal token has none. */
      sid?: string;
      /** The id of a personal token. */
      jti?: string;
      /** How the session was proven (RFC 8176). */
      amr?: string[];
      /** How strongly: `aal2` by a second factor or a passkey. A personal token has none of the two. */
      acr?: "aal1" | "aal2";
      /** When its user was last proven, in seconds since 1970. */
      auth_time?: number;
      aud: string;
      iss: string;
      /** Seconds since 1970, as in `exp`. */
      iat: number;
      exp: number;
    }
  | ProgramIntrospection;

/** What is behind an access token that a program of others got for a person, or for itself. */
export interface ProgramIntrospection {
  active: true;
  client_id: string;
  /** What it may have, separated by spaces. It decides which of the next ones are there. */
  scope: string;
  username?: string;
  email?: string;
  email_verified?: boolean;
  roles?: string[];
  /** Whom the token is for: the program, or the addresses that it asked for. */
  aud: string | string[];
  iss: string;
  /** The user's id, or the program's where it acts for itself. */
  sub: string;
  /** The session of the program; one that acts for itself has none. */
  sid?: string;
  /** The key that the token is bound to (RFC 9449). */
  cnf?: { jkt: string };
  token_type: string;
  jti: string;
  iat: number;
  exp: number;
}

/** A public key that verifies access tokens or ID tokens (RFC 7517). */
export interface PublicKey {
  kid: string;
  kty: string;
  crv?: string;
  x?: string;
  y?: string;
  n?: string;
  e?: string;
  alg: "EdDSA" | "ES256" | "RS256";
  use: "sig";
}

/** The part of a session that a client without a browser keeps. */
export interface Kept {
  /** Undefined while nobody is signed in. */
  session?: Tokens & {
    /** When the access token ends by the clock of this machine, in milliseconds since 1970. */
    access_expires_at: number;
  };
  /** Shows that the account has signed in here before: wrong passwords of strangers don't lock it out here. Outlives the session. */
  device_token?: string;
}

/** Keeps the tokens, all of them secret, in a place such as the keychain of a phone. An error that a function throws reaches the caller. */
export interface TokenStorage {
  load(): Kept | null | Promise<Kept | null>;
  save(kept: Kept): void | Promise<void>;
  clear(): void | Promise<void>;
}
