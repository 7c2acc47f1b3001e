import { t } from "elysia";
import { externalId, type PeopleQuery } from "../auth/index.ts";
import { readTimestamp } from "../core/clock.ts";
import { invalidFields } from "../core/errors.ts";
import { FieldFault, isFault } from "../core/fields.ts";
import { cursorPattern } from "../core/text/place.ts";
import { namePattern } from "../core/naming.ts";

/** The longest search, in characters as readers count them: room for an address in the longest form that the standard allows. */
const longestSearch = 320;
/** Years from 1970 on. */
const sinceEpoch = "^(19[7-9]|[2-9][0-9][0-9])[0-9]-";
const moment = (description: string) =>
  t.Optional(t.String({ maxLength: 40, documented: { format: "date-time", pattern: sinceEpoch }, description }));
export const ListQuery = t.Object({
  search: t.Optional(
    t.String({
      maxLength: 2 * longestSearch,
      documented: { maxLength: longestSearch },
      description: "The beginning of an address, a user name or a display name; or an id",
    }),
  ),
  email: t.Optional(t.String({ minLength: 1, maxLength: longestSearch, description: "The whole address" })),
  username: t.Optional(t.String({ minLength: 1, maxLength: longestSearch, description: "The whole user name" })),
  external_id: t.Optional(t.String({ minLength: 1, maxLength: 256, documented: { maxLength: 128 } })),
  state: t.Optional(
    t.Union([t.Literal("active"), t.Literal("disabled"), t.Literal("locked"), t.Literal("unverified")]),
  ),
  role: t.Optional(t.String({ pattern: namePattern("role") })),
  provider: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 64,
      description: "A provider by which the person can sign in, such as `google`",
    }),
  ),
  created_after: moment("The account was made at this time or later"),
  created_before: moment("The account was made before this time"),
  cursor: t.Optional(
    t.String({
      maxLength: 2_048,
      documented: { format: "cursor", pattern: cursorPattern },
      description: "The `next` of the page before, with the same search and filters",
    }),
  ),
  limit: t.Optional(t.String({ pattern: "^([1-9]\\d?|100)$", description: "1 to 100, by default 50" })),
});

/** Returns a query as lists take it. Throws `invalid_payload` for times and ids that can be none. */
export function readListQuery({ limit = "50", ...query }: typeof ListQuery.static): PeopleQuery {
  const timeOf = (text: string | undefined) =>
    text === undefined
      ? undefined
      : (readTimestamp(text) ?? new FieldFault("invalid_value", "must be a time of RFC 3339"));
  const read = {
    external_id: query.external_id === undefined ? undefined : externalId.read(query.external_id),
    created_after: timeOf(query.created_after),
    created_before: timeOf(query.created_before),
  };
  const { external_id: id, created_after: createdAfter, created_before: createdBefore } = read;
  if (isFault(id) || isFault(createdAfter) || isFault(createdBefore)) throw invalidFields(read);
  const { search, email, username, state, role, provider, cursor } = query;
  const exact = { email, username, externalId: id };
  return { ...exact, search, state, role, provider, createdAfter, createdBefore, cursor, limit: Number(limit) };
}
