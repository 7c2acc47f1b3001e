import type { Kind } from "../kinds/kinds.ts";
import { variablesOf, type Section } from "../kinds/variable.ts";

/** A role of staff that can be let act in somebody's name. */
export type Impersonator = "admin" | "support";

const values: ReadonlyMap<string, readonly Impersonator[]> = new Map([
  ["false", []],
  ["admin", ["admin"]],
  ["support", ["admin", "support"]],
  ["true", ["admin"]],
]);

/** The roles of which one is needed; none where nobody may. */
const impersonators: Kind<readonly Impersonator[]> = {
  complaint: (value) => (values.has(value) ? undefined : "must be false, admin or support"),
  read: (value) => values.get(value) ?? [],
};

export const impersonationVariables = {
  impersonators: variablesOf("Staff in somebody's name")("AUTH_IMPERSONATION_ENABLED", impersonators, {
    fallback: "false",
    description:
      "Whether staff may open a session as somebody, for 15 minutes: admin lets admins, support lets admins and support. Both apps need it, with APP_URL and ADMIN_APP_URL",
  }),
} as const satisfies Section;
