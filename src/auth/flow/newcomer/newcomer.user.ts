import { newId } from "../../../core/ids.ts";
import type { Client } from "../../client.ts";
import { usernameKey } from "../../user/identifiers.ts";
import type { UserRow } from "../../user/user.repository.ts";
import { freshUser } from "../../user/user.row.ts";
import { shownName, usablePicture, wishedName } from "./newcomer.fields.ts";
import type { Parts } from "../parts.ts";
import type { RegistrationRules } from "../registration.rules.ts";

export interface Newcomer {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly username: string | undefined;
  readonly displayName: string | undefined;
  readonly avatarUrl: string | undefined;
  /** The version of the terms that the person has accepted. */
  readonly acceptedTerms: string | undefined;
}

const numberedNames = 5;

/** Returns what makes the row of a user without a password. It resolves to undefined when no name is free. */
export function createNewcomers({
  users,
  rules,
  clock,
}: Parts<"users" | "clock"> & { readonly rules: RegistrationRules }) {
  async function freeName(wish: string): Promise<{ username: string; usernameKey: string } | undefined> {
    for (let number = 1; number <= numberedNames + 1; number += 1) {
      const suffix = number <= numberedNames ? String(number) : String(crypto.getRandomValues(new Uint32Array(1))[0]);
      const username = number === 1 ? wish : `${wish}${suffix}`;
      const key = usernameKey(username);
      if (key !== undefined && (await users.claimantOfUsername(key, clock.now())) === undefined)
        return { username, usernameKey: key };
    }
    return undefined;
  }

  return async function newUser(newcomer: Newcomer, key: string, { locale }: Client): Promise<UserRow | undefined> {
    const { email, displayName } = newcomer;
    const name = await freeName(wishedName(newcomer.username) ?? wishedName(email.split("@")[0]) ?? "user");
    if (name === undefined) return undefined;
    const now = clock.now();
    return freshUser({
      id: newId(),
      ...name,
      email: email.normalize("NFC"),
      emailKey: key,
      displayName: shownName(displayName ?? "") || name.username,
      avatarUrl: usablePicture(newcomer.avatarUrl),
      emailVerifiedAt: newcomer.emailVerified ? now : null,
      locale,
      createdAt: now,
      ...rules.accepted(newcomer.acceptedTerms),
    });
  };
}
