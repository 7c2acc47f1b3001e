import type { PersonSummary } from "../../auth/index.ts";
import { withQuery } from "../../http/pages/parts/list.tsx";

/** States that the list can be filtered by. */
export const states = ["disabled", "locked", "unverified"] as const;
type State = (typeof states)[number];

/** The search and the filters of a list. */
export interface Search {
  readonly search?: string | undefined;
  readonly state?: State | undefined;
  readonly role?: string | undefined;
  readonly cursor?: string | undefined;
}

/** Longer than any address, user name or id. A display name may be longer: its beginning finds it. */
const longest = 254;
/** Longer than other texts, since a cursor has the whole name at the end of the previous page. */
const longestCursor = 2_048;

/** Reads the query of the list. A value that is empty or makes no sense filters nothing. */
export function readSearch(query: URLSearchParams): Search {
  const textOf = (name: string, most = longest) => query.get(name)?.trim().slice(0, most) || undefined;
  return {
    search: textOf("search"),
    state: states.find((known) => known === query.get("state")),
    role: textOf("role"),
    cursor: textOf("cursor", longestCursor),
  };
}

/** Returns the address of the list for a search. */
export const listPath = (search: Search): string => withQuery("/people", { ...search });

/** Whether the search is a whole address, user name or id of the account. A beginning that nobody else happens to share does not count. */
export const isExactly = (
  { search }: Search,
  { id, username, email }: Pick<PersonSummary, "id" | "username" | "email">,
): boolean => search !== undefined && [id, username, email].some((name) => name.toLowerCase() === search.toLowerCase());
