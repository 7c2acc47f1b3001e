/** The claims that an operator can have written into access tokens, besides single members of `app_metadata`. */
const plainClaims = ["roles", "email", "email_verified", "name", "external_id", "org"] as const;
export type PlainClaim = (typeof plainClaims)[number];

const memberPrefix = "app_metadata.";
/** The names of members that a setting can name: no comma or space separates them, and no shell or proxy reads them differently. */
const member = /^[A-Za-z0-9_-]{1,64}$/;

/** A claim by its name in the setting: one of the plain ones, or a member of `app_metadata`. */
export type ClaimName = PlainClaim | `app_metadata.${string}`;

export const isClaimName = (text: string): text is ClaimName =>
  plainClaims.some((name) => name === text) ||
  (text.startsWith(memberPrefix) && member.test(text.slice(memberPrefix.length)));

/** Returns the member of `app_metadata` that a claim names; undefined for a plain one. */
export const memberOf = (name: ClaimName): string | undefined =>
  name.startsWith(memberPrefix) ? name.slice(memberPrefix.length) : undefined;

export const claimsInWords = `${plainClaims.join(", ")}, ${memberPrefix}<key>`;
