import { adminRole, type People, type PersonSummary } from "../auth/index.ts";
import { AppError } from "../core/errors.ts";
import { isId } from "../core/ids.ts";
import type { Caller } from "./guard.ts";

export const usersPath = "/api/v1/users";

/** An account's id and nothing else: what is no id could be the name that somebody has chosen. */
export async function find(people: People, id: string): Promise<PersonSummary> {
  const [person] = isId(id) ? (await people.list({ search: id, limit: 1 })).people : [];
  if (person === undefined) throw new AppError("not_found");
  return person;
}

/** Refuses an act on an admin by a service that may make none. */
export async function requireActOn(people: People, id: string, caller: Caller): Promise<void> {
  const { roles } = await find(people, id);
  if (roles.includes(adminRole)) caller.require("users:roles");
}
