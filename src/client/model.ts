/** A moment as RFC 3339 writes it, in UTC. */
export type Timestamp = string;

/** By what somebody shows, besides a password or a provider, that it is them. */
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
  /** False for an account that signs in through a provider alone. */
  has_password: boolean;
  /** Names of roles, sorted. */
  roles: string[];
}

export interface Session {
  id: string;
  /** Whether it is the session that asks. */
  current: boolean;
  /** Such as `Mac · Safari`. */
  device_label: string;
  user_agent: string;
  ip_address: string;
  created_at: Timestamp;
  last_seen_at: Timestamp;
  expires_at: Timestamp;
  remembered: boolean;
  /** The second factor that the session was proven by, if by any. */
  factor: FactorName | null;
}

/** What somebody is invited to, by the token of the mail. */
export interface Invitation {
  /** The address that it was mailed to, which the account will have. */
  email: string;
  display_name: string | null;
  /** The member of staff who invited; null for an operator or a program. */
  invited_by: string | null;
  expires_at: Timestamp;
  /** `none`: accepting makes the account. `own`: you are signed in to the account that has the address. `other`: sign in to it first. */
  account: "none" | "own" | "other";
}

/** A provider by which people can sign in. */
export interface Provider {
  /** For `startProviderLogin` and the like. */
  name: string;
  /** What a button says. */
  display_name: string;
  /** `openid`: one that the operator has configured by its issuer. */
  kind: "github" | "google" | "microsoft" | "apple" | "openid";
}

/** A provider by which the user can sign in. */
export interface Identity {
  id: string;
  provider: string;
  email: string | null;
  username: string | null;
  linked_at: Timestamp;
  last_login_at: Timestamp | null;
}

/** An identity or a second factor that a reset of the password removes, because it was added a short while ago. */
export interface Added {
  kind: "identity" | "totp" | "passkey";
  id: string;
  /** The account at a provider, or the name of a passkey. */
  name: string;
  at: Timestamp;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  token_type: "Bearer";
  /** Seconds. */
  expires_in: number;
  refresh_expires_at: Timestamp;
}

/** Whose access token it is (RFC 7662). */
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
      /** The session's id. */
      sid: string;
      /** How it was proven (RFC 8176). */
      amr?: string[];
      aud: string;
      iss: string;
      /** Seconds since 1970, as `exp`. */
      iat: number;
      exp: number;
    };

/** A public key of access tokens (RFC 7517). */
export interface PublicKey {
  kid: string;
  kty: string;
  crv: string;
  x: string;
  y?: string;
  alg: "EdDSA" | "ES256";
  use: "sig";
}

/** Everything that is kept of the user. */
export interface AccountExport {
  exported_at: Timestamp;
  user: User;
  sessions: ExportedSession[];
  identities: ExportedIdentity[];
  /** Second factors; nothing that one could be copied by. */
  factors: { method: string; name: string | null; added_at: Timestamp; last_used_at: Timestamp | null }[];
  recovery_codes_left: number;
  mailed_links: ExportedLink[];
  invitations: ExportedInvitation[];
  /** What became of the mails to the account in the last 30 days, newest first. */
  mails: ExportedMail[];
  /** Mails that wait to be sent, or could not be. */
  jobs: { name: string; state: string; attempts: number; created_at: Timestamp }[];
  /** What the audit log has of the account, newest first, 2,000 at most. */
  events: ExportedEvent[];
  /** `events_before` of the call for older events. */
  next: string | null;
}

export interface ExportedSession {
  id: string;
  app: string;
  user_agent: string;
  ip_address: string;
  remembered: boolean;
  /** `password`, `provider`, … */
  came_by: string | null;
  factor: string | null;
  created_at: Timestamp;
  proved_at: Timestamp;
  last_seen_at: Timestamp;
  expires_at: Timestamp;
  revoked_at: Timestamp | null;
  /** Why it was ended: `logged_out`, `password_reset`, … */
  revoked_reason: string | null;
}

export interface ExportedMail {
  kind: string;
  app: string;
  state: "waiting" | "sent" | "refused" | "gave_up" | "withheld";
  /** Why it was withheld. */
  reason: string | null;
  /** What the mail relay said last. */
  answer: string | null;
  attempts: number;
  /** How many mails alike it stands for. */
  count: number;
  requested_at: Timestamp;
  changed_at: Timestamp;
}

export interface ExportedIdentity {
  provider: string;
  issuer: string;
  subject: string;
  email: string | null;
  username: string | null;
  linked_at: Timestamp;
  last_login_at: Timestamp | null;
}

export interface ExportedLink {
  purpose: string;
  email: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  redeemed_at: Timestamp | null;
  voided_at: Timestamp | null;
}

export interface ExportedInvitation {
  email: string;
  roles: string[];
  display_name: string | null;
  locale: string | null;
  created_at: Timestamp;
  invited_at: Timestamp;
  expires_at: Timestamp;
  withdrawn_at: Timestamp | null;
  accepted_at: Timestamp | null;
}

export interface ExportedEvent {
  id: string;
  at: Timestamp;
  app: string;
  action: string;
  outcome: string;
  reason: string | null;
  actor: string;
  session_id: string | null;
  ip_address: string | null;
  user_agent: string | null;
  count: number;
  /** When what it is about ends by itself, such as a lock. */
  ends_at: Timestamp | null;
}

/** What a client that is no browser keeps of a session. */
export interface Kept {
  /** Undefined while nobody is signed in. */
  session?: Tokens & {
    /** By the clock of this machine, in milliseconds since 1970. */
    access_expires_at: number;
  };
  /** Shows that the account has signed in here before, so that wrong passwords of strangers don't lock it out here. Outlives the session. */
  device_token?: string;
}

/** Where it keeps that, such as the keychain of a phone. All of it is secret. What these functions throw, the calls throw. */
export interface TokenStorage {
  load(): Kept | null | Promise<Kept | null>;
  save(kept: Kept): void | Promise<void>;
  clear(): void | Promise<void>;
}
