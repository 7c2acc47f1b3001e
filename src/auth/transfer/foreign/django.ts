import { fieldsOf, nameOf, NotTaken, textOf, type Foreign } from "./foreign.ts";

/** Reads `manage.py dumpdata auth.user`, of Django's own model of a user or of one that is made from it. */
export const django: Foreign = {
  layout: "lines",
  convert(row) {
    const user = fieldsOf(row.get("fields"));
    const hash = textOf(user.get("password"));
    if (!user.has("password")) throw new NotTaken("it is no user of Django");
    const key = row.get("pk");
    return {
      sourceId: typeof key === "number" ? String(key) : textOf(key),
      fields: {
        email: user.get("email"),
        username: user.get("username"),
        display_name: nameOf(user.get("first_name"), user.get("last_name")),
        active: user.get("is_active"),
        created_at: user.get("date_joined"),
        // An exclamation mark stands for an account without a password.
        password_hash: hash?.startsWith("!") === true ? undefined : hash,
      },
    };
  },
};
