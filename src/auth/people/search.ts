import { invalidFields } from "../../core/errors.ts";
import { FieldFault } from "../../core/fields.ts";
import { emailKey, foldedName } from "../user/identifiers.ts";
import type { Match, PersonRow, Place, SearchedField } from "./people.repository.ts";

/** The fields that a search looks in, each with the beginning that it asks for in the form in which the field is stored. */
export function searchedFields(search: string): readonly SearchedField[] {
  const typed = search.normalize("NFKC").toLowerCase();
  const fields: readonly SearchedField[] = [
    // Of a whole address the domain is in ASCII, of the beginning of one it can't be told.
    { column: "email_key", prefix: emailKey(search) ?? typed },
    { column: "username_key", prefix: emailKey(search) ?? typed },
    { column: "display_name_key", prefix: foldedName(search) },
  ];
  return fields.filter(({ prefix }) => prefix !== "");
}

/** As the database compares texts: by their bytes in UTF-8. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const valueOf = (row: PersonRow, { column }: SearchedField): string =>
  column === "email_key" ? row.emailKey : column === "username_key" ? row.usernameKey : (row.displayNameKey ?? "");

/** Whether one of the fields begins as the search asks; a search for nothing finds everybody. */
export const isFound = (row: PersonRow, fields: readonly SearchedField[]): boolean =>
  fields.length === 0 || fields.some((field) => valueOf(row, field).startsWith(field.prefix));

/** Whether the row stands here for the first time: one that several fields find is shown at the first of them alone. */
export const isFirstPlace = (match: Match, fields: readonly SearchedField[]): boolean =>
  fields.every((field) => {
    const value = valueOf(match, field);
    return !value.startsWith(field.prefix) || compare(value, match.key) >= 0;
  });

/** Opaque to whoever gets it. */
export const cursorOf = ({ key, id }: Place): string => Buffer.from(JSON.stringify([id, key])).toString("base64url");

export function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(place) && typeof place[0] === "string" && typeof place[1] === "string")
      return { id: place[0], key: place[1] };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw invalidFields({ cursor: new FieldFault("invalid_value", "must be the `next` of an earlier page") });
}
