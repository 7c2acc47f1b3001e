import type { OrganizationServiceClient } from "./organization/types.ts";
import type { ExportedInvitation, ExportedSession } from "./export.model.ts";
import type { Registration } from "./inputs.ts";
import type { Identity, Introspection, Metadata, Timestamp, User } from "./model.ts";
import type { CallOptions, Result } from "./result.types.ts";
import type { ClientOptions } from "./types.ts";

export interface ServiceClientOptions extends Pick<ClientOptions, "fetch" | "timeoutMs"> {
  /** The address of the service, such as `https://auth.example.com`. */
  baseUrl: string;
  /** The secret that `service:create` printed. Only a backend may hold it: anybody who reads it can do what its scopes say. */
  secret: string;
}

/** An account as a list shows it. */
export interface UserSummary extends Pick<
  User,
  | "id"
  | "username"
  | "email"
  | "display_name"
  | "avatar_url"
  | "timezone"
  | "locale"
  | "roles"
  | "created_at"
  | "last_login_at"
  | "last_seen_at"
> {
  /** The id by which your own programs know the account. */
  external_id: string | null;
  /** The terms that the person has accepted last. */
  terms_version: string | null;
  terms_accepted_at: string | null;
  /** What services write; the person and tokens read it. */
  app_metadata: Metadata;
  /** What the person writes. */
  user_metadata: Metadata;
  /** What services keep to themselves; only with the scope `users:read`. */
  private_metadata?: Metadata;
  email_verified: boolean;
  /** False while the account is disabled. */
  active: boolean;
  locked_until: Timestamp | null;
  /** Whether a sign-in takes a second factor. */
  mfa: boolean;
}

/** A reason why a person can't sign in now. */
export interface Hindrance {
  /** `disabled`, `locked`, `address_not_proven`, …; later releases may add more. */
  why: string;
  /** The reason in English, for people. */
  message: string;
  until?: Timestamp;
  /** How many wrong passwords led to it. */
  failures?: number;
  /** The client address of the last wrong password. */
  address?: string;
  /** Providers by which the person can sign in without a password. */
  providers?: string[];
}

export type UserSession = Omit<
  ExportedSession,
  "came_by" | "factor" | "proved_at" | "revoked_at" | "revoked_reason" | "delegation" | "organization_id"
>;

/** An account at a provider by which a person can sign in. */
export type UserIdentity = Omit<Identity, "id" | "label">;

/** A second factor, without any secret of it. */
export interface UserFactor {
  /** `totp` or `passkey`; later releases may add more. */
  method: string;
  /** The name that its owner gave it. */
  name: string | null;
  added_at: Timestamp;
  last_used_at: Timestamp | null;
}

/** An account with everything that a service may know of it. */
export interface UserDetails extends UserSummary, Pick<User, "pending_email" | "has_password"> {
  factors: UserFactor[];
  recovery_codes_left: number;
  /** Reasons why the person can't sign in now; empty where nothing is in the way. */
  standing: Hindrance[];
  /** Sessions in which the person is signed in. */
  sessions: UserSession[];
  identities: UserIdentity[];
  /** The organizations that the person is in. */
  organizations: { id: string; slug: string; name: string; roles: string[] }[];
}

export interface UserQuery {
  /** The beginning of an address, a user name or a display name; or a whole id. */
  search?: string;
  /** The whole address. */
  email?: string;
  /** The whole user name. */
  username?: string;
  external_id?: string;
  state?: "active" | "disabled" | "locked" | "unverified";
  role?: string;
  /** A provider by which the person can sign in, such as `google`. */
  provider?: string;
  /** The account was made at this time or later. */
  created_after?: Timestamp;
  /** The account was made before this time. */
  created_before?: Timestamp;
  /** The `next` of the previous page; search and filters must stay as they were. */
  cursor?: string;
  /** The size of a page, from 1 to 100. Default: 50. */
  limit?: number;
}

export interface NewUser extends Pick<Registration, "email" | "username" | "display_name" | "timezone"> {
  /** A language such as `de-AT`. */
  locale?: string;
  avatar_url?: string | null;
  /** Without a password or its hash, the person chooses one by a mailed link. */
  password?: string;
  /** A hash of the password that another system has made, in place of the password. */
  password_hash?: string;
  /** `invitation` mails a link by which the person chooses their first password. Default: `none`. */
  send?: "invitation" | "none";
  /** Whether the address counts as verified. */
  email_verified?: boolean;
  /** Roles need the scope `users:roles`. */
  roles?: string[];
  external_id?: string | null;
  app_metadata?: Metadata | null;
  user_metadata?: Metadata | null;
  private_metadata?: Metadata | null;
}

/** A change of an account. What is left out stays; null empties a field. */
export interface UserPatch {
  /** A new address counts as unverified, unless `email_verified` is true. */
  email?: string;
  email_verified?: boolean;
  username?: string;
  display_name?: string;
  avatar_url?: string | null;
  /** A time zone such as `Europe/Berlin`. */
  timezone?: string | null;
  /** A language such as `de-AT`. */
  locale?: string | null;
  external_id?: string | null;
  /** The whole list; needs the scope `users:roles`. */
  roles?: string[];
  /** Merge patches (RFC 7396), as are the other two: null removes a name. */
  app_metadata?: Metadata | null;
  user_metadata?: Metadata | null;
  private_metadata?: Metadata | null;
}

export interface Invitee {
  email: string;
  /** Roles need the scope `users:roles`. Only operators and staff can give `admin`. */
  roles?: string[];
  display_name?: string;
  /** The language of the mail, such as `de-AT`. */
  locale?: string;
  /** How many days the link works. Default: 7. */
  days?: number;
}

/** An invitation as its sender sees it. */
export interface SentInvitation extends Omit<
  ExportedInvitation,
  "created_at" | "organization_id" | "organization_roles"
> {
  id: string;
  state: "waiting" | "accepted" | "withdrawn" | "expired" | "void";
  invited_by: { actor: "operator" | "staff" | "service"; name: string | null };
  /** The account that accepted the invitation. */
  user_id: string | null;
}

type Options = Omit<CallOptions, "refresh">;
/** `changed` is false where the account was in that state already. */
type Change = Promise<Result<{ changed: boolean }>>;

/** The routes for services, one function each, named by the operation ids of the OpenAPI document. Functions take the ids of accounts. */
export interface ServiceClient extends OrganizationServiceClient {
  /** Resolves to the owner of an access token. Needs the scope `introspect`. */
  introspect(input: { token: string }, options?: Options): Promise<Result<Introspection>>;
  /** A page may have fewer users than `limit`, or none at all, and still have a `next`. Only the last page has none. */
  listUsers(query?: UserQuery, options?: Options): Promise<Result<{ users: UserSummary[]; next: string | null }>>;
  /** `etag` stands for all of the account that `updateUser` can change. */
  getUser(id: string, options?: Options): Promise<Result<{ user: UserDetails; etag: string }>>;
  /** Creates an account. Sends no mail, unless `send` is `invitation`. */
  createUser(input: NewUser, options?: Options): Promise<Result<{ user: UserSummary; etag: string }>>;
  /**
   * Changes an account as a whole or not at all. With `ifMatch`, the `ETag` of an answer, it fails with `precondition_failed` where
   * somebody else has changed the account since.
   */
  updateUser(
    id: string,
    input: UserPatch,
    options?: Options & { ifMatch?: string },
  ): Promise<Result<{ user: UserSummary; etag: string }>>;
  /** Disables the account and ends its sessions. */
  disableUser(id: string, options?: Options): Change;
  enableUser(id: string, options?: Options): Change;
  /** Forgets the wrong passwords and codes that keep the person out. */
  unlockUser(id: string, options?: Options): Change;
  /** Counts the address as verified, without a mail. */
  verifyUser(id: string, options?: Options): Change;
  /** Removes every second factor and ends every session, for a person who has lost the factors. */
  resetUserFactors(id: string, options?: Options): Change;
  /** Ends all sessions of the person, or the one with `session_id`. */
  revokeUserSessions(
    id: string,
    input?: { session_id?: string },
    options?: Options,
  ): Promise<Result<{ sessions_ended: number }>>;
  /** Mails the person a link by which they choose a password: one that is good for days where it is their first. */
  sendUserPasswordReset(id: string, options?: Options): Promise<Result>;
  /** Deletes the account for good. */
  deleteUser(id: string, options?: Options): Promise<Result>;
  /** Mails a link that makes an account. An address that is invited already gets another mail. */
  inviteUser(input: Invitee, options?: Options): Promise<Result<{ invitation: SentInvitation }>>;
  /** Lists the waiting invitations; with `all` also those accepted or withdrawn lately. */
  listInvitations(
    query?: { all?: boolean; cursor?: string; limit?: number },
    options?: Options,
  ): Promise<Result<{ invitations: SentInvitation[]; next: string | null }>>;
  withdrawInvitation(id: string, options?: Options): Promise<Result<{ invitation: SentInvitation }>>;
}
