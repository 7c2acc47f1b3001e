import type { Introspection, Timestamp } from "./model.ts";
import type { CallOptions, ClientOptions, Result } from "./types.ts";

export interface ServiceClientOptions extends Pick<ClientOptions, "fetch" | "timeoutMs"> {
  /** Such as `https://auth.example.com`. */
  baseUrl: string;
  /** As `service:create` printed it. It is for a backend alone: whoever reads it can do what its scopes say. */
  secret: string;
}

/** An account in a list. */
export interface UserSummary {
  id: string;
  username: string;
  email: string;
  email_verified: boolean;
  display_name: string;
  /** False while the account is disabled. */
  active: boolean;
  locked_until: Timestamp | null;
  /** Whether signing in takes a second factor. */
  mfa: boolean;
  /** Sorted. */
  roles: string[];
  created_at: Timestamp;
  last_login_at: Timestamp | null;
  last_seen_at: Timestamp | null;
}

/** What keeps a person from signing in now. */
export interface Hindrance {
  /** `disabled`, `locked`, `address_not_proven`, …; more may come. */
  why: string;
  /** The same for people, in English. */
  message: string;
  until?: Timestamp;
  /** Wrong passwords that have led to it. */
  failures?: number;
  /** The client address that they came from last. */
  address?: string;
  /** By which the person can sign in without a password. */
  providers?: string[];
}

export interface UserSession {
  id: string;
  app: string;
  user_agent: string;
  ip_address: string;
  created_at: Timestamp;
  last_seen_at: Timestamp;
  expires_at: Timestamp;
  remembered: boolean;
}

/** A provider by which a person can sign in. */
export interface UserIdentity {
  provider: string;
  email: string | null;
  username: string | null;
  linked_at: Timestamp;
  last_login_at: Timestamp | null;
}

/** A second factor; nothing that it could be copied by. */
export interface UserFactor {
  /** `totp` or `passkey`; more may come. */
  method: string;
  /** What its owner calls it. */
  name: string | null;
  added_at: Timestamp;
  last_used_at: Timestamp | null;
}

/** An account with what a service may know of it. */
export interface UserDetails extends UserSummary {
  /** A new address that its mailbox has not confirmed yet. */
  pending_email: string | null;
  avatar_url: string | null;
  timezone: string | null;
  locale: string | null;
  has_password: boolean;
  factors: UserFactor[];
  recovery_codes_left: number;
  /** Why the person can't sign in now; empty where nothing is in the way. */
  standing: Hindrance[];
  /** Where the person is signed in. */
  sessions: UserSession[];
  identities: UserIdentity[];
}

export interface UserQuery {
  /** The beginning of an address, a user name or a display name; or an id. */
  search?: string;
  state?: "disabled" | "locked" | "unverified";
  role?: string;
  /** The `next` of the page before, with the same search and filters. */
  cursor?: string;
  /** 1 to 100. Default: 50. */
  limit?: number;
}

export interface NewUser {
  email: string;
  /** Default: the address. */
  username?: string;
  /** Default: the user name. */
  display_name?: string;
  /** Such as `Europe/Berlin`. */
  timezone?: string;
  /** Such as `de-AT`. */
  locale?: string;
  /** Whether the address counts as verified. */
  email_verified?: boolean;
  /** Takes the scope `users:roles`. */
  roles?: string[];
}

export interface Invitee {
  email: string;
  /** Takes the scope `users:roles`. `admin` is for operators and staff alone. */
  roles?: string[];
  display_name?: string;
  /** Such as `de-AT`: the language of the mail. */
  locale?: string;
  /** How long the link works. Default: 7. */
  days?: number;
}

/** An invitation, as whoever sends it sees it. */
export interface SentInvitation {
  id: string;
  email: string;
  roles: string[];
  display_name: string | null;
  locale: string | null;
  state: "waiting" | "accepted" | "withdrawn" | "expired" | "void";
  invited_by: { actor: "operator" | "staff" | "service"; name: string | null };
  invited_at: Timestamp;
  expires_at: Timestamp;
  withdrawn_at: Timestamp | null;
  accepted_at: Timestamp | null;
  /** The account that accepted. */
  user_id: string | null;
}

type Options = Omit<CallOptions, "refresh">;
/** `changed` is false where it was so already. */
type Change = Promise<Result<{ changed: boolean }>>;

/** A function a route for services, by the operation ids of the OpenAPI document. Accounts are named by their id. */
export interface ServiceClient {
  /** Whose access token it is. Takes the scope `introspect`. */
  introspect(input: { token: string }, options?: Options): Promise<Result<Introspection>>;
  /** A page may have fewer users than `limit`, or none, and a `next` all the same: the last page alone has none. */
  listUsers(query?: UserQuery, options?: Options): Promise<Result<{ users: UserSummary[]; next: string | null }>>;
  getUser(id: string, options?: Options): Promise<Result<{ user: UserDetails }>>;
  /** An account without a password. No mail is sent: see `sendUserPasswordReset`. */
  createUser(input: NewUser, options?: Options): Promise<Result<{ user: UserSummary }>>;
  /** Ends the sessions of the account, too. */
  disableUser(id: string, options?: Options): Change;
  enableUser(id: string, options?: Options): Change;
  /** Forgets the wrong passwords and codes that keep the person out. */
  unlockUser(id: string, options?: Options): Change;
  /** Counts the address as verified, without a mail. */
  verifyUser(id: string, options?: Options): Change;
  /** Removes every second factor and ends every session: for a person who has lost them. */
  resetUserFactors(id: string, options?: Options): Change;
  /** All of them, or one. */
  revokeUserSessions(
    id: string,
    input?: { session_id?: string },
    options?: Options,
  ): Promise<Result<{ sessions_ended: number }>>;
  /** Mails the person a link by which they choose a password. */
  sendUserPasswordReset(id: string, options?: Options): Promise<Result>;
  /** For good. */
  deleteUser(id: string, options?: Options): Promise<Result>;
  /** Mails a link that makes an account. An address that is invited already gets another mail. */
  inviteUser(input: Invitee, options?: Options): Promise<Result<{ invitation: SentInvitation }>>;
  /** Those that wait; with `all` also those that were accepted or withdrawn lately. */
  listInvitations(
    query?: { all?: boolean; cursor?: string; limit?: number },
    options?: Options,
  ): Promise<Result<{ invitations: SentInvitation[]; next: string | null }>>;
  withdrawInvitation(id: string, options?: Options): Promise<Result<{ invitation: SentInvitation }>>;
}
