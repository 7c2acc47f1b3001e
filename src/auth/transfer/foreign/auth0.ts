import { fieldsOf, identityOf, listOf, nameOf, objectOf, textOf, type Fields, type Foreign } from "./foreign.ts";

/** Returns the id of a user. Files of password hashes have it without the name of the kind of connection, which is always this one there. */
function idOf(user: Fields): string | undefined {
  const stored = textOf(user.get("alt_id")) ?? textOf(fieldsOf(user.get("_id")).get("$oid"));
  return textOf(user.get("user_id")) ?? (stored === undefined ? undefined : `auth0|${stored}`);
}

/** Returns a name of the person. Auth0 sets the address where it was told no name, and the part before the @ as nickname. */
function displayNameOf(user: Fields): string | undefined {
  const name = user.get("name") === user.get("email") ? undefined : user.get("name");
  return nameOf(user.get("given_name"), user.get("family_name")) ?? nameOf(name) ?? nameOf(user.get("nickname"));
}

/** Reads what a job of Auth0 exports, with the hashes of passwords that its support hands out. */
export const auth0: Foreign = {
  layout: "lines",
  convert(user) {
    // Some lines of a file of hashes have the address here alone.
    const identifier = listOf(user.get("identifiers"))
      .map(fieldsOf)
      .find((each) => each.get("type") === "email");
    return {
      sourceId: idOf(user),
      fields: {
        email: user.get("email") ?? identifier?.get("value"),
        email_verified: user.get("email_verified") ?? identifier?.get("verified"),
        username: textOf(user.get("username")),
        display_name: displayNameOf(user),
        avatar_url: textOf(user.get("picture")),
        active: user.get("blocked") !== true,
        created_at: textOf(user.get("created_at")),
        password_hash: textOf(user.get("passwordHash")),
        app_metadata: objectOf(user.get("app_metadata")),
        user_metadata: objectOf(user.get("user_metadata")),
        identities: listOf(user.get("identities"))
          .map(fieldsOf)
          .flatMap((identity) =>
            identityOf(textOf(identity.get("provider"))?.replace(/-oauth2$/, ""), identity.get("user_id")),
          ),
      },
    };
  },
};
