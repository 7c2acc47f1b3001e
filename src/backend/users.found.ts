import type { People, PersonSummary } from "../auth/index.ts";
import { AppError } from "../core/errors.ts";
import { isId } from "../core/ids.ts";
import { isStaff } from "../core/people/staff.ts";
import type { Caller } from "./guard.ts";

export const usersPath = "/api/v1/users";

/** Returns the account with this id, and with nothing else: what is no id could be the name that somebody has chosen. */
export async function personOf(people: Pick<People, "list">, id: string): Promise<PersonSummary | undefined> {
  const [person] = isId(id) ? (await people.list({ search: id, limit: 1 })).people : [];
  return person;
}

/** Throws `not_found`. */
export async function find(people: Pick<People, "list">, id: string): Promise<PersonSummary> {
  const person = await personOf(people, id);
  if (person === undefined) throw new AppError("not_found");
  return person;
}

/** Refuses an act on one of the staff by a service that may make nobody that. */
export async function requireActOn(people: People, id: string, caller: Caller): Promise<void> {
  const { roles } = await find(people, id);
  if (isStaff(roles)) caller.require("users:roles");
}
