/** States that the list can be filtered by. */
export const states = ["disabled", "locked", "unverified"] as const;
type State = (typeof states)[number];

/** The search and the filters of a list. */
export interface Search {
  readonly search?: string;
  readonly state?: State;
  readonly role?: string;
  readonly cursor?: string;
}

/** Longer than any address, user name or id. A display name may be longer: its beginning finds it. */
const longest = 254;
/** Longer than other texts, since a cursor has the whole name at the end of the previous page. */
const longestCursor = 2_048;

/** Reads the query of the list. A value that is empty or makes no sense filters nothing. */
export function readSearch(query: URLSearchParams): Search {
  const textOf = (name: string, most = longest): string | undefined =>
    query.get(name)?.trim().slice(0, most) || undefined;
  const [search, role, cursor] = [textOf("search"), textOf("role"), textOf("cursor", longestCursor)];
  const state = states.find((known) => known === query.get("state"));
  return {
    ...(search !== undefined && { search }),
    ...(state !== undefined && { state }),
    ...(role !== undefined && { role }),
    ...(cursor !== undefined && { cursor }),
  };
}

/** Returns the address of the list for a search. */
export function listPath(search: Search): string {
  const query = new URLSearchParams(Object.entries(search)).toString();
  return query === "" ? "/people" : `/people?${query}`;
}

interface Names {
  readonly id: string;
  readonly username: string;
  readonly email: string;
}

/** Whether the search is a whole address, user name or id of the account. A beginning that nobody else happens to share does not count. */
export const isExactly = ({ search }: Search, { id, username, email }: Names): boolean =>
  search !== undefined && [id, username, email].some((name) => name.toLowerCase() === search.toLowerCase());
