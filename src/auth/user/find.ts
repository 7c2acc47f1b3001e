import { AppError } from "../../core/errors.ts";
import type { Millis } from "../../core/clock.ts";
import { isId } from "../../core/ids.ts";
import { text } from "../../core/text/text.ts";
import { loginKey } from "./identifiers.ts";
import type { UserRepository, UserRow } from "./user.repository.ts";

/**
 * Finds the account of that id, address or user name. An id is looked for first: somebody may have chosen the id of another account as a
 * name.
 */
export async function findNamed(users: UserRepository, login: string): Promise<UserRow | undefined> {
  const key = text("login", login);
  return (isId(key) ? await users.byId(key) : undefined) ?? users.byLogin(loginKey(key));
}

/**
 * Returns `email_taken`, `username_taken` or `external_id_taken` where another account has the address, name or external id of `user`;
 * undefined when none has it, or none any longer.
 */
export async function findConflict(
  users: UserRepository,
  user: {
    readonly id: string;
    readonly emailKey: string;
    readonly usernameKey: string;
    readonly externalId?: string | null | undefined;
  },
  now: Millis,
): Promise<AppError | undefined> {
  const byEmail = await users.claimantOfEmail(user.emailKey, now);
  const byName = await users.claimantOfUsername(user.usernameKey, now);
  if (byEmail !== undefined && byEmail.id !== user.id) return new AppError("email_taken");
  if (byName !== undefined && byName.id !== user.id) return new AppError("username_taken");
  const byExternalId = typeof user.externalId === "string" ? await users.byExternalId(user.externalId) : undefined;
  if (byExternalId !== undefined && byExternalId.id !== user.id) return new AppError("external_id_taken");
  return undefined;
}
