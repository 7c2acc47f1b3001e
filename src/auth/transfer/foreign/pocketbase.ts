import { fieldsOf, identityOf, listOf, nameOf, textOf, unwrapped, type Foreign } from "./foreign.ts";

/** Reads rows of an auth collection, as the program sqlite3 prints them with -json. */
export const pocketbase: Foreign = {
  layout: "documents",
  convert(row) {
    const verified = row.get("verified");
    return {
      sourceId: textOf(row.get("id")),
      fields: {
        email: row.get("email"),
        username: textOf(row.get("username")),
        display_name: nameOf(row.get("name")),
        email_verified: verified === 1 || verified === true,
        created_at: textOf(row.get("created")),
        // The column was named `passwordHash` before release 0.23.
        password_hash: textOf(row.get("password")) ?? textOf(row.get("passwordHash")),
        identities: listOf(unwrapped(row.get("identities")))
          .map(fieldsOf)
          .flatMap((identity) => identityOf(identity.get("provider"), identity.get("providerId"))),
      },
    };
  },
};
