import { loginKey } from "./identifiers.ts";
import type { UserRepository, UserRow } from "./user.repository.ts";

/** Finds the account that a typed login names: by address when it is one, else by name. */
export function findByLogin(users: UserRepository, login: string): Promise<UserRow | undefined> {
  const key = loginKey(login);
  return "email" in key ? users.byEmail(key.email) : users.byUsername(key.username);
}
