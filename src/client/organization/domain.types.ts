import type { Timestamp } from "../model.ts";

/** An organization that the user may join by the proven domain of their address. */
export interface JoinableOrganization {
  id: string;
  slug: string;
  name: string;
}

/** Who joins by a proven address below a domain: nobody, those who are offered it and accept, or everybody who signs in. */
export type DomainJoin = "none" | "invite" | "auto";

/** A domain that an organization claims. */
export interface OrganizationDomain {
  id: string;
  /** In lower case and ASCII, as it stands in addresses. */
  domain: string;
  /** Whether the organization has proven that the domain is its own. */
  verified: boolean;
  join: DomainJoin;
  /** What has to stand among the records of the domain, and to stay there. */
  record: { type: "TXT"; name: string; value: string };
  /** When the proof was found gone. */
  lost_at: Timestamp | null;
  created_at: Timestamp;
}

/** An OpenID provider of an organization's own. Its client secret is never shown. */
export interface OrganizationProvider {
  issuer: string;
  client_id: string;
  /** Whether members with an address below a proven domain sign in in no other way. */
  enforced: boolean;
  /** Where a browser begins to sign in. */
  start: string;
  /** The redirect URI to register at the provider. */
  callback: string;
  updated_at: Timestamp;
}

/** What a sign-in page may know of the domain of an address. */
export interface LoginProvider {
  /** What people call the organization. */
  name: string;
  /** Where the browser begins to sign in. */
  start: string;
  /** Whether members of the organization sign in in no other way. */
  enforced: boolean;
}
