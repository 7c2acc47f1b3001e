import { Type } from "@sinclair/typebox";
import { jsonAs } from "../core/text/json.ts";
import type { Profile } from "./exchange/profiles.ts";

/** A longer text of those that say more about a person is left out: it bounds what one newcomer can have stored. */
const longest = 2_048;
const StoredProfile = Type.Object({
  issuer: Type.String(),
  subject: Type.String(),
  email: Type.Optional(Type.String()),
  emailVerified: Type.Boolean(),
  username: Type.Optional(Type.String()),
  displayName: Type.Optional(Type.String()),
  avatarUrl: Type.Optional(Type.String()),
});

const short = (text: string | undefined): string | undefined =>
  text === undefined || text.length > longest ? undefined : text;

/** Returns a profile as it is kept while its person reads the terms. */
export const storedProfile = ({ issuer, subject, emailVerified, ...more }: Profile): string =>
  JSON.stringify({
    issuer,
    subject,
    emailVerified,
    email: short(more.email),
    username: short(more.username),
    displayName: short(more.displayName),
    avatarUrl: short(more.avatarUrl),
  });

/** Returns a profile that was kept. */
export function readProfile(stored: string): Profile {
  const profile = jsonAs(StoredProfile, stored);
  if (profile === undefined) throw new Error("a kept profile can't be read");
  const { issuer, subject, email, emailVerified, username, displayName, avatarUrl } = profile;
  return { issuer, subject, email, emailVerified, username, displayName, avatarUrl };
}
