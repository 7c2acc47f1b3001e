import type { JWTPayload } from "jose";
import { organizationOf, organizationsOf, type DelegatedRow } from "../../auth/index.ts";
import { scopesOf } from "../client/client.ts";
import type { Delegation } from "./delegation.ts";

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** The claims that clients get of a person, by name. What has no value is left out (OpenID Connect Core §5.3.2). */
const makers: Readonly<Record<string, (row: DelegatedRow) => Json>> = {
  name: ({ displayName, username }) => (displayName === "" ? username : displayName),
  preferred_username: ({ username }) => username,
  picture: ({ avatarUrl }) => avatarUrl,
  locale: ({ locale }) => locale,
  zoneinfo: ({ timezone }) => timezone,
  updated_at: ({ updatedAt }) => Math.floor(updatedAt / 1000),
  email: ({ email }) => email,
  email_verified: ({ emailVerifiedAt }) => emailVerifiedAt !== null,
  roles: ({ roles }) => scopesOf(roles),
  org_id: (row) => organizationOf(row)?.id ?? null,
  org_slug: (row) => organizationOf(row)?.slug ?? null,
  org_roles: (row) => organizationOf(row)?.roles ?? null,
  organizations: ({ organizations }) => organizationsOf(organizations),
};

const ofScopes: Readonly<Record<string, readonly string[]>> = {
  profile: ["name", "preferred_username", "picture", "locale", "zoneinfo", "updated_at"],
  email: ["email", "email_verified"],
  roles: ["roles"],
  organizations: ["org_id", "org_slug", "org_roles", "organizations"],
};

export const claimNames: readonly string[] = Object.keys(makers);

/** Returns the scope that has a claim; undefined for a claim that nobody is given. */
export const scopeWith = (claim: string): string | undefined =>
  Object.keys(ofScopes).find((scope) => ofScopes[scope]?.includes(claim) === true);

/** What is too long for every ID token. */
const ofUserinfo: ReadonlySet<string> = new Set(["organizations"]);

/** Returns what an ID token says of a person: no long list, unless the client has asked for that claim by its name. */
export const idTokenClaims = (row: DelegatedRow, delegation: Delegation): JWTPayload =>
  Object.fromEntries(
    Object.entries(personClaims(row, delegation, delegation.id_token)).filter(
      ([name]) => !ofUserinfo.has(name) || delegation.id_token?.includes(name) === true,
    ),
  );

/** Returns what a client may know of a person. `named` are claims that it was granted by their names. */
export function personClaims(row: DelegatedRow, { scope }: Delegation, named: readonly string[] = []): JWTPayload {
  const names = new Set([...scopesOf(scope).flatMap((each) => ofScopes[each] ?? []), ...named]);
  const claims: JWTPayload = {};
  for (const name of names) {
    const value = makers[name]?.(row) ?? null;
    if (value !== null) claims[name] = value;
  }
  return claims;
}
