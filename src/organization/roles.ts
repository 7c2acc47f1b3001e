import { FieldFault } from "../core/fields.ts";
import { isName } from "../core/naming.ts";

/** 2 for an owner, 1 for an admin, 0 for every other member. */
export type Rank = 0 | 1 | 2;

export const owner = 2;
export const admin = 1;

/** The most roles of a member: they travel in a header of every verified request, which has to stay small. */
const mostRoles = 16;

export const rankOf = (roles: readonly string[]): Rank =>
  roles.includes("owner") ? owner : roles.includes("admin") ? admin : 0;

/** Reads roles in their stored form: sorted, with one space between two. */
export const readRoles = (stored: string): string[] => (stored === "" ? [] : stored.split(" "));

export const writeRoles = (roles: readonly string[]): string => [...new Set(roles)].toSorted().join(" ");

/** Says what is wrong with the roles of a member; undefined where nothing is. */
export function rolesFault(roles: readonly string[]): FieldFault | undefined {
  if (roles.length === 0) return new FieldFault("invalid_value", "must have at least one role, such as member");
  if (roles.length > mostRoles) return new FieldFault("too_long", `must be ${mostRoles} roles at most`);
  return roles.every((name) => isName("role", name))
    ? undefined
    : new FieldFault(
        "invalid_value",
        "must be names of a to z, 0 to 9 and -, that begin with a letter and have at most 32 characters",
      );
}
