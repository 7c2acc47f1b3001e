/** What can be wrong with an account. */
export const states = ["disabled", "locked", "unverified"] as const;
type State = (typeof states)[number];

/** Which people a list shows. */
export interface Search {
  readonly search?: string;
  readonly state?: State;
  readonly role?: string;
  readonly cursor?: string;
}

/** Longer than any address, user name or id. A display name may be longer: it is found by its beginning. */
const longest = 254;
/** A cursor has the whole name that the page before ends with. */
const longestCursor = 2_048;

/** Reads the query of the list. What is empty or makes no sense filters nothing. */
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

/** The address of the list that a search shows. */
export function listPath(search: Search): string {
  const query = new URLSearchParams(Object.entries(search)).toString();
  return query === "" ? "/people" : `/people?${query}`;
}

interface Names {
  readonly id: string;
  readonly username: string;
  readonly email: string;
}

/** Whether somebody was looked for by a whole address, user name or id, and not by a beginning that nobody else happens to share. */
export const isExactly = ({ search }: Search, { id, username, email }: Names): boolean =>
  search !== undefined && [id, username, email].some((name) => name.toLowerCase() === search.toLowerCase());
