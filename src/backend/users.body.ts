import { AccountFields } from "../auth/index.ts";
import type { FieldFaults } from "../core/fields.ts";
import { FieldFault } from "../core/fields.ts";
import { isName, namePattern } from "../core/naming.ts";
import { bodyOf, field } from "../http/index.ts";

/** Returns why no account can be made with the given fields. Implemented by `auth`. */
export type RegistrationFaults = (form: { email?: string; username?: string | undefined }) => Promise<FieldFaults>;

const role = field.text({
  most: 32,
  rule: (name) => (isName("role", name) ? name : new FieldFault("invalid_value", "must be names of roles")),
  schema: { pattern: namePattern("role") },
});

export const roleNames = field.optional(field.list(role, 32));

export const createUserBody = (faults: RegistrationFaults) =>
  bodyOf(
    {
      ...AccountFields,
      email_verified: field.optional(field.flag({ description: "Whether the address counts as verified" })),
      roles: roleNames,
    },
    { example: { email: "ada@example.com", username: "ada", display_name: "Ada Lovelace", email_verified: true } },
    faults,
  );
export type CreateUserBody = ReturnType<typeof createUserBody>;

export const RevokeSessionsBody = bodyOf({
  session_id: field.optional(field.text({ most: 64, schema: { description: "Default: all of them" } })),
});
