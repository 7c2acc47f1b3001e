import type { Metadata, Timestamp } from "../model.ts";
import type { CallOptions, Result } from "../result.types.ts";
import type {
  DomainJoin,
  JoinableOrganization,
  LoginProvider,
  OrganizationDomain,
  OrganizationProvider,
} from "./domain.types.ts";

/** A company or team of people. */
export interface Organization {
  id: string;
  /** Unique among organizations, for addresses. */
  slug: string;
  name: string;
  /** What the app keeps on it. */
  metadata: Metadata;
  /** How many members it has. */
  members: number;
  created_at: Timestamp;
}

/** An organization that the user is in. */
export interface OwnOrganization extends Organization {
  /** What the user is in it: `owner`, `admin`, `member` or names of the app's own. */
  roles: string[];
  /** Whether this session acts for it. */
  active: boolean;
}

export interface Member {
  user: {
    id: string;
    username: string;
    display_name: string;
    email: string;
    avatar_url: string | null;
    /** Whether the account is switched on. */
    active: boolean;
  };
  roles: string[];
  joined_at: Timestamp;
}

/** An invitation that was mailed to somebody who is to join an organization. */
export interface OrganizationInvitation {
  id: string;
  email: string;
  roles: string[];
  state: "waiting" | "accepted" | "withdrawn" | "expired" | "void";
  /** The name of the person who invited; null for a program. */
  invited_by: string | null;
  invited_at: Timestamp;
  expires_at: Timestamp;
}

export interface PageQuery {
  /** The `next` of an earlier page. */
  cursor?: string;
  /** 1 to 200; by default 50. */
  limit?: number;
}
export interface OrganizationPatch {
  name?: string;
  slug?: string;
  /** A merge patch (RFC 7396). */
  metadata?: Metadata | null;
}
export interface MemberInvitation {
  email: string;
  /** Without them the person becomes a `member`. */
  roles?: string[];
  locale?: string;
}

/** What people do with organizations. */
export interface OrganizationClient {
  listOrganizations(
    query?: PageQuery,
    options?: CallOptions,
  ): Promise<Result<{ organizations: OwnOrganization[]; joinable: JoinableOrganization[]; next: string | null }>>;
  /** Makes an organization, of which the user is the owner. */
  createOrganization(
    input: { name: string; slug?: string },
    options?: CallOptions,
  ): Promise<Result<{ organization: OwnOrganization }>>;
  getOrganization(id: string, options?: CallOptions): Promise<Result<{ organization: OwnOrganization }>>;
  updateOrganization(
    id: string,
    input: OrganizationPatch,
    options?: CallOptions,
  ): Promise<Result<{ organization: OwnOrganization }>>;
  deleteOrganization(id: string, options?: CallOptions): Promise<Result>;
  /** Has this session act for an organization, or for none. */
  switchOrganization(
    input: { id: string | null },
    options?: CallOptions,
  ): Promise<Result<{ organization: OwnOrganization | null }>>;
  leaveOrganization(id: string, options?: CallOptions): Promise<Result>;
  listMembers(
    id: string,
    query?: PageQuery,
    options?: CallOptions,
  ): Promise<Result<{ members: Member[]; next: string | null }>>;
  /** Gives a member these roles in place of those that they have. */
  setMemberRoles(
    id: string,
    user: string,
    input: { roles: string[] },
    options?: CallOptions,
  ): Promise<Result<{ member: Member }>>;
  removeMember(id: string, user: string, options?: CallOptions): Promise<Result>;
  listOrganizationInvitations(
    id: string,
    query?: PageQuery,
    options?: CallOptions,
  ): Promise<Result<{ invitations: OrganizationInvitation[]; next: string | null }>>;
  /** Mails somebody a link by which they join an organization, with an account or without one. */
  inviteMember(
    id: string,
    input: MemberInvitation,
    options?: CallOptions,
  ): Promise<Result<{ invitation: OrganizationInvitation }>>;
  withdrawOrganizationInvitation(
    id: string,
    invitation: string,
    options?: CallOptions,
  ): Promise<Result<{ invitation: OrganizationInvitation }>>;
  /** Joins an organization that `listOrganizations` has named as joinable. */
  joinOrganization(id: string, options?: CallOptions): Promise<Result<{ organization: OwnOrganization }>>;
  listDomains(id: string, options?: CallOptions): Promise<Result<{ domains: OrganizationDomain[] }>>;
  /** Claims a domain, which counts once it is proven. */
  addDomain(
    id: string,
    input: { domain: string },
    options?: CallOptions,
  ): Promise<Result<{ domain: OrganizationDomain }>>;
  /** Has the proof of a domain looked for now. */
  verifyDomain(id: string, domain: string, options?: CallOptions): Promise<Result<{ domain: OrganizationDomain }>>;
  updateDomain(
    id: string,
    domain: string,
    input: { join: DomainJoin },
    options?: CallOptions,
  ): Promise<Result<{ domain: OrganizationDomain }>>;
  removeDomain(id: string, domain: string, options?: CallOptions): Promise<Result>;
  /** The OpenID provider of an organization's own, for its owners. */
  getProvider(id: string, options?: CallOptions): Promise<Result<{ provider: OrganizationProvider | null }>>;
  setProvider(
    id: string,
    input: { issuer: string; client_id: string; client_secret: string; enforced?: boolean },
    options?: CallOptions,
  ): Promise<Result<{ provider: OrganizationProvider }>>;
  removeProvider(id: string, options?: CallOptions): Promise<Result>;
  /** Signs out every member who has to come by the provider, but the user. Needs a provider that is enforced, and a fresh proof. */
  signMembersOut(id: string, options?: CallOptions): Promise<Result>;
  /** Tells a sign-in page whether an organization signs in people with such an address, before it asks for a password. */
  findLoginProvider(
    input: { login: string },
    options?: CallOptions,
  ): Promise<Result<{ provider: LoginProvider | null }>>;
}

type BackendCall = Omit<CallOptions, "refresh">;

/** What backends do with organizations, by the scopes `organizations:read` and `organizations:write`. */
export interface OrganizationServiceClient {
  listAllOrganizations(
    query?: PageQuery,
    options?: BackendCall,
  ): Promise<Result<{ organizations: Organization[]; next: string | null }>>;
  /** Makes an organization for an account, which is its owner. */
  createOrganizationFor(
    input: { name: string; slug?: string; owner: string },
    options?: BackendCall,
  ): Promise<Result<{ organization: Organization }>>;
  showOrganization(id: string, options?: BackendCall): Promise<Result<{ organization: Organization }>>;
  changeOrganization(
    id: string,
    input: OrganizationPatch,
    options?: BackendCall,
  ): Promise<Result<{ organization: Organization }>>;
  removeOrganization(id: string, options?: BackendCall): Promise<Result>;
  listOrganizationMembers(
    id: string,
    query?: PageQuery,
    options?: BackendCall,
  ): Promise<Result<{ members: Member[]; next: string | null }>>;
  /** Puts an account into an organization, without an invitation. */
  addMember(
    id: string,
    input: { user: string; roles?: string[] },
    options?: BackendCall,
  ): Promise<Result<{ member: Member }>>;
  setOrganizationRoles(
    id: string,
    user: string,
    input: { roles: string[] },
    options?: BackendCall,
  ): Promise<Result<{ member: Member }>>;
  removeOrganizationMember(id: string, user: string, options?: BackendCall): Promise<Result>;
  listInvitationsTo(
    id: string,
    query?: PageQuery,
    options?: BackendCall,
  ): Promise<Result<{ invitations: OrganizationInvitation[]; next: string | null }>>;
  inviteTo(
    id: string,
    input: MemberInvitation,
    options?: BackendCall,
  ): Promise<Result<{ invitation: OrganizationInvitation }>>;
  withdrawInvitationTo(
    id: string,
    invitation: string,
    options?: BackendCall,
  ): Promise<Result<{ invitation: OrganizationInvitation }>>;
  listOrganizationDomains(id: string, options?: BackendCall): Promise<Result<{ domains: OrganizationDomain[] }>>;
  /** Claims a domain, which counts once it is proven. */
  addOrganizationDomain(
    id: string,
    input: { domain: string },
    options?: BackendCall,
  ): Promise<Result<{ domain: OrganizationDomain }>>;
  verifyOrganizationDomain(
    id: string,
    domain: string,
    options?: BackendCall,
  ): Promise<Result<{ domain: OrganizationDomain }>>;
  updateOrganizationDomain(
    id: string,
    domain: string,
    input: { join: DomainJoin },
    options?: BackendCall,
  ): Promise<Result<{ domain: OrganizationDomain }>>;
  removeOrganizationDomain(id: string, domain: string, options?: BackendCall): Promise<Result>;
}
