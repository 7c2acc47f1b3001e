import { fieldsOf, identityOf, listOf, nameOf, NotTaken, objectOf, textOf, type Foreign } from "./foreign.ts";

/** What Supabase itself keeps in its metadata: how people sign in, and copies of the account's columns that a provider has written. */
const bookkeeping = {
  app: ["provider", "providers"],
  user: ["iss", "sub", "provider_id", "email", "email_verified", "phone_verified"],
};

/** Reads rows of auth.users, each as one object of JSON, with those of auth.identities under `identities`. */
export const supabase: Foreign = {
  layout: "lines",
  convert(row) {
    if (textOf(row.get("deleted_at")) !== undefined) throw new NotTaken("it was deleted there");
    const person = fieldsOf(row.get("raw_user_meta_data"));
    const until = textOf(row.get("banned_until"));
    return {
      sourceId: textOf(row.get("id")),
      fields: {
        id: row.get("id"),
        email: row.get("email"),
        display_name: nameOf(person.get("full_name")) ?? nameOf(person.get("name")),
        email_verified: textOf(row.get("email_confirmed_at")) !== undefined,
        active: until === undefined || Date.parse(until) <= Date.now(),
        created_at: row.get("created_at"),
        password_hash: textOf(row.get("encrypted_password")),
        app_metadata: objectOf(row.get("raw_app_meta_data"), bookkeeping.app),
        user_metadata: objectOf(row.get("raw_user_meta_data"), bookkeeping.user),
        identities: listOf(row.get("identities"))
          .map(fieldsOf)
          .flatMap((identity) =>
            identityOf(
              identity.get("provider"),
              // Earlier releases have the subject only in `identity_data`.
              identity.get("provider_id") ?? fieldsOf(identity.get("identity_data")).get("sub"),
            ),
          ),
      },
    };
  },
};
