import type { Place } from "../../core/text/place.ts";
import { emailKey, foldedName } from "../user/identifiers.ts";
import type { Match, PersonRow, SearchedField } from "./people.repository.ts";

/** The length of the longest address (RFC 5321 §4.5.3.1). */
const longestSearch = 320;

/** Returns the fields that a search looks in, each with the searched beginning in the form in which the field is stored. */
export function searchedFields(search: string): readonly SearchedField[] {
  if (search.length > longestSearch) return [];
  const typed = search.normalize("NFKC").toLowerCase();
  const fields: readonly SearchedField[] = [
    // The domain of a whole address is compared in ASCII; the beginning of an address can't be converted.
    { column: "email_key", prefix: emailKey(search) ?? typed },
    { column: "username_key", prefix: emailKey(search) ?? typed },
    { column: "display_name_key", prefix: foldedName(search) },
  ];
  return fields.filter(({ prefix }) => prefix !== "");
}

/** Compares texts as the database does: by their bytes in UTF-8. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const valueOf = (row: PersonRow, { column }: SearchedField): string =>
  column === "email_key" ? row.emailKey : column === "username_key" ? row.usernameKey : (row.displayNameKey ?? "");

/** Returns the text by which the search finds the row: of several fields the first in order. Undefined where none begins so. */
function firstKey(row: PersonRow, fields: readonly SearchedField[]): string | undefined {
  const found = fields.filter((field) => valueOf(row, field).startsWith(field.prefix));
  return found.map((field) => valueOf(row, field)).toSorted(compare)[0];
}

/** Returns whether the row appears here for the first time: a row that several fields find is shown only at the first of them. */
export const isFirstPlace = (match: Match, fields: readonly SearchedField[]): boolean =>
  firstKey(match, fields) === match.key;

const isBefore = (a: Place, b: Place): boolean => (compare(a.key, b.key) || compare(a.id, b.id)) < 0;

/** Returns the rows that the search finds, in the order in which the database finds them. */
export const matchesAmong = (
  rows: readonly PersonRow[],
  search: string,
  after: Place | undefined,
): readonly Match[] => {
  const fields = searchedFields(search);
  return rows
    .flatMap((row) => {
      const key = firstKey(row, fields);
      return key === undefined ? [] : [{ ...row, key }];
    })
    .filter((match) => after === undefined || isBefore(after, match))
    .toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
};
