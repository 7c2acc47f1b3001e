import { isName } from "../../core/naming.ts";
import { AppError } from "../../core/errors.ts";

/** Roles travel in a header of every verified request, which has to stay small. */
const mostRoles = 32;

export interface RoleChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** The names that `users.roles` holds: sorted, with one space between two. */
export const readRoles = (stored: string): string[] => (stored === "" ? [] : stored.split(" "));

/** Throws `invalid_payload` on a name that is none, on one that is to come and to go, and on too many. */
export function applyRoles(stored: string, { add, remove }: RoleChange) {
  const fault = [...add, ...remove].find((name) => !isName("role", name));
  if (fault !== undefined)
    throw refusal("a role is a to z, 0 to 9 and -, begins with a letter, and has 32 characters at most");
  if (add.some((name) => remove.includes(name))) throw refusal("a role can't be added and removed at once");
  const before = new Set(readRoles(stored));
  const after = new Set(before).union(new Set(add)).difference(new Set(remove));
  if (after.size > mostRoles) throw refusal(`a user has ${mostRoles} roles at most`);
  return {
    stored: [...after].toSorted().join(" "),
    added: [...after.difference(before)],
    removed: [...before.difference(after)],
  };
}

const refusal = (complaint: string): AppError => new AppError("invalid_payload", { fields: { roles: complaint } });
