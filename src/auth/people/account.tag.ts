import { deriveKey, mac } from "../../core/crypto.ts";
import type { Metadata } from "../metadata/metadata.repository.ts";
import type { PersonSummary } from "./summary.ts";

type Tagged = Pick<
  PersonSummary,
  "email" | "emailVerified" | "username" | "displayName" | "avatarUrl" | "timezone" | "locale" | "externalId" | "roles"
>;

/**
 * Makes entity tags of accounts (RFC 9110 §8.8.3). A tag stands for all that a service may write of an account. It is a MAC, since the
 * private metadata goes into it and not everybody who gets a tag may read that.
 */
export function createAccountTags(secret: string) {
  const key = deriveKey(secret, "account-tag");
  return (user: Tagged, { app, user: own, private: hidden }: Metadata): string => {
    const fields = [
      user.email,
      user.emailVerified,
      user.username,
      user.displayName,
      user.avatarUrl,
      user.timezone,
      user.locale,
      user.externalId,
      user.roles,
      app,
      own,
      hidden,
    ];
    return `"${mac(key, JSON.stringify(fields))}"`;
  };
}

export type AccountTags = ReturnType<typeof createAccountTags>;

const tags = /^(?:\*|(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*)$/;

/** Whether a header `If-Match` is one at all: a star, or tags in their quotes. */
export const isTagList = (ifMatch: string): boolean => tags.test(ifMatch.trim());

/** Whether a request that says `If-Match` means this tag (RFC 9110 §13.1.1). A weak tag never matches. Without the header every tag is meant. */
export const isMatch = (ifMatch: string | null, tag: string): boolean =>
  ifMatch === null ||
  ifMatch.trim() === "*" ||
  ifMatch
    .split(",")
    .map((each) => each.trim())
    .includes(tag);
