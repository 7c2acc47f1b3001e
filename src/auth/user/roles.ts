import { isName } from "../../core/naming.ts";
import { invalidFields, type AppError } from "../../core/errors.ts";
import { FieldFault } from "../../core/fields.ts";
import { isStaff } from "../../core/people/staff.ts";

/** The role whose last active holder stays one. */
export const adminRole = "admin";

/** The most roles of a user: they travel in a header of every verified request, which has to stay small. */
const mostRoles = 32;

export interface RoleChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Reads the names in `users.roles`: sorted, with one space between two. */
export const readRoles = (stored: string): string[] => (stored === "" ? [] : stored.split(" "));

/** Whether `users.roles` makes an admin. */
export const hasAdmin = (stored: string): boolean => readRoles(stored).includes(adminRole);

/** Whether `users.roles` has a role that opens the staff pages. */
export const hasStaffRole = (stored: string): boolean => isStaff(readRoles(stored));

/** Adds and removes roles. Throws `invalid_payload` on an impossible name, on one that is both added and removed, and on too many. */
export function applyRoles(stored: string, { add, remove }: RoleChange) {
  const fault = [...add, ...remove].find((name) => !isName("role", name));
  if (fault !== undefined)
    throw refusal("must be names of a to z, 0 to 9 and -, that begin with a letter and have at most 32 characters");
  if (add.some((name) => remove.includes(name))) throw refusal("must not be added and removed at once");
  const before = new Set(readRoles(stored));
  const after = new Set(before).union(new Set(add)).difference(new Set(remove));
  if (after.size > mostRoles) throw refusal(`must be ${mostRoles} roles at most`);
  return {
    stored: [...after].toSorted().join(" "),
    added: [...after.difference(before)],
    removed: [...before.difference(after)],
  };
}

const refusal = (complaint: string): AppError => invalidFields({ roles: new FieldFault("invalid_value", complaint) });
