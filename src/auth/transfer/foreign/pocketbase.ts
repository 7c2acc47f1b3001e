import {
  fieldsOf,
  identityOf,
  listOf,
  metadataOf,
  nameOf,
  NotTaken,
  textOf,
  unwrapped,
  type ConvertSettings,
  type Fields,
  type Foreign,
} from "./foreign.ts";

/** Columns that PocketBase keeps for itself in any release, or that are other fields of an account. */
const ownColumns = new Set([
  "id",
  "created",
  "updated",
  "username",
  "name",
  "email",
  "emailVisibility",
  "verified",
  "password",
  "passwordHash",
  "tokenKey",
  "identities",
  "lastResetSentAt",
  "lastVerificationSentAt",
  "lastLoginAlertSentAt",
]);

/** Reads lists and objects, which stand in the database as texts, from a column. No other text is taken for JSON. */
function valueOf(column: unknown): unknown {
  if (typeof column !== "string") return column;
  const read = unwrapped(column);
  return typeof read === "object" ? read : column;
}

/** Returns an app's own columns that hold something. A column that is set to nothing is an empty text, or null. */
const columnsOf = (row: Fields): readonly (readonly [string, unknown])[] =>
  Array.from(row).flatMap(([name, column]) => {
    const value = ownColumns.has(name) ? null : valueOf(column);
    return value === null || value === "" ? [] : [[name, value]];
  });

/** Every row has all columns, so that one which is missing was misspelt. Without this, everybody would see what was to be private. */
function requireColumns(row: Fields, { userFields, privateFields }: ConvertSettings): void {
  for (const name of [...userFields, ...privateFields])
    if (!row.has(name) || ownColumns.has(name)) throw new NotTaken(`it has no column ${name} of your own`);
}

/** Reads rows of an auth collection, as the program sqlite3 prints them with -json. */
export const pocketbase: Foreign = {
  layout: "documents",
  convert(row, settings) {
    requireColumns(row, settings);
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
        ...metadataOf(columnsOf(row), settings),
        identities: listOf(unwrapped(row.get("identities")))
          .map(fieldsOf)
          .flatMap((identity) => identityOf(identity.get("provider"), identity.get("providerId"))),
      },
    };
  },
};
