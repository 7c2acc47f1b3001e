import { invalidFields } from "../../core/errors.ts";
import { afterAllIds } from "../../core/ids.ts";
import { cursorOf, placeOf, type Place } from "../../core/text/place.ts";
import { unknownPosition } from "../../core/text/position.ts";
import type { Locks } from "../pressure/locks.ts";
import { readRoles } from "../user/roles.ts";
import {
  exactFields,
  exactKeysOf,
  countFilters,
  fits,
  isLed,
  asksForTime,
  type ExactKeys,
  type PeopleQuery,
} from "./list.query.ts";
import type { PeopleRepository, PersonRow } from "./people.repository.ts";
import { summaryOf } from "./summary.ts";
import { isFirstPlace, matchesAmong, searchedFields } from "./search.ts";

interface ListOptions {
  readonly people: PeopleRepository;
  readonly locks: Pick<Locks, "ofAll" | "candidates">;
  readonly identities: ListedIdentities;
}

/** The part of the store of identities that lists need; it belongs to another feature. */
export interface ListedIdentities {
  /** Returns the ids of accounts that have an identity at the provider, the greatest first, less than `before`. */
  usersAt(provider: string, before: string, limit: number): Promise<readonly string[]>;
  ofUsers(ids: readonly string[]): Promise<readonly { readonly userId: string; readonly provider: string }[]>;
}

type Placed = PersonRow & Place;

/** Some rows that fit, and the place of the last row that was looked at; without a place there are no more. */
interface Read {
  readonly rows: readonly Placed[];
  readonly last: Place | undefined;
}
type Reader = (after: Place | undefined) => Promise<Read>;

const mostListed = 100;
/** How many rows are read at once where each must be looked at, and how often for one page. */
const rowsARead = 1_000;
const mostReads = 4;
/** How many people a filter may leave for a search to look at each of them. */
const mostLookedAt = 2_000;

/** Makes a row of a list that is ordered only by id. */
const byAge = (row: PersonRow): Placed => ({ ...row, key: "" });
const newestFirst = (a: PersonRow, b: PersonRow): number => (a.id < b.id ? 1 : -1);

/** Reads until the page is full, a bounded number of times. */
async function fill(limit: number, after: Place | undefined, read: Reader): Promise<Read> {
  const rows: Placed[] = [];
  let last = after;
  for (let reads = 0; reads < mostReads; reads += 1) {
    const some = await read(last);
    rows.push(...some.rows);
    if (rows.length > limit) return { rows: rows.slice(0, limit), last: rows[limit - 1] };
    last = some.last;
    if (last === undefined) break;
  }
  return { rows, last };
}

/**
 * Lists accounts page by page: the results of a search by the text found, all others by age. Each way is led by an index of its own.
 * Conditions without an index are checked row by row, a bounded number of rows for each page: such a page may be short, or empty, and have
 * a `next` all the same.
 */
export function createList({ people, locks, identities }: ListOptions) {
  /** Makes a page of rows of which those stay that fit. A page that was not full is the last one. */
  const sifted = (query: PeopleQuery, looked: readonly Placed[], most: number): Read => ({
    rows: looked.filter((row) => fits(query, row)),
    last: looked.length < most ? undefined : looked.at(-1),
  });

  const newest =
    (query: PeopleQuery, most: number): Reader =>
    async (after) => {
      const which = query.state === "disabled" || query.state === "unverified" ? query.state : "all";
      return sifted(query, (await people.newest(which, after?.id ?? afterAllIds, most)).map(byAge), most);
    };

  /** Reads accounts by the time at which they were made: imported ones are older than their ids. */
  const made =
    (query: PeopleQuery, most: number): Reader =>
    async (after) => {
      if (after !== undefined && !/^\d{1,15}$/.test(after.key)) throw invalidFields({ cursor: unknownPosition });
      const within = { from: query.createdAfter ?? 0, to: query.createdBefore ?? Number.MAX_SAFE_INTEGER };
      const rows = await people.createdWithin(within, after, most);
      return sifted(
        query,
        rows.map((row) => ({ ...row, key: String(row.createdAt) })),
        most,
      );
    };

  const signingInBy =
    (query: PeopleQuery, provider: string): Reader =>
    async (after) => {
      const ids = await identities.usersAt(provider, after?.id ?? afterAllIds, mostListed);
      const rows = (await people.byIds(ids))
        .toSorted(newestFirst)
        .map(byAge)
        .filter((row) => fits(query, row));
      const last = ids.length < mostListed ? undefined : ids.at(-1);
      return { rows, last: last === undefined ? undefined : { key: "", id: last } };
    };

  /** Keeps those who can sign in by the provider, where the query asks for one. */
  const atProvider =
    ({ provider }: PeopleQuery, read: Reader): Reader =>
    async (after) => {
      const { rows, last } = await read(after);
      if (provider === undefined || rows.length === 0) return { rows, last };
      const held = await identities.ofUsers(rows.map(({ id }) => id));
      const ids = new Set(held.flatMap((identity) => (identity.provider === provider ? [identity.userId] : [])));
      return { rows: rows.filter(({ id }) => ids.has(id)), last };
    };

  function searching(query: PeopleQuery, search: string, limit: number): Reader {
    const fields = searchedFields(search);
    const isFiltered = countFilters(query) > 0;
    // A row is found once for each of its fields that begins so.
    const most = isFiltered ? rowsARead : fields.length * (limit + 1);
    const seen = new Set<string>();
    return async (after) => {
      if (fields.length === 0) return { rows: [], last: undefined };
      const matches = await people.matching(fields, after, most);
      const rows = matches.filter((match) => {
        if (seen.has(match.id) || !isFirstPlace(match, fields) || !fits(query, match)) return false;
        seen.add(match.id);
        return true;
      });
      return { rows, last: matches.length < most ? undefined : matches.at(-1) };
    };
  }

  const combinationsWith = async (role: string): Promise<readonly string[]> =>
    (await people.combinations()).filter((roles) => readRoles(roles).includes(role));

  async function havingRole(query: PeopleQuery, role: string, limit: number): Promise<Reader> {
    const combinations = await combinationsWith(role);
    const most = countFilters(query) === 1 ? limit + 1 : rowsARead;
    return async (after) => {
      const before = after?.id ?? afterAllIds;
      const each = await Promise.all(combinations.map((roles) => people.withRoles(roles, before, most)));
      return sifted(query, each.flat().toSorted(newestFirst).slice(0, most).map(byAge), most);
    };
  }

  /** Reads the people whom a counter keeps out now; few enough that a search may look at each. */
  const lockedOut =
    (query: PeopleQuery): Reader =>
    async (after) => {
      const ids = await locks.candidates(after?.id ?? afterAllIds, mostListed);
      const some = await people.byIds(ids);
      const held = await locks.ofAll(some);
      const rows = (query.search === undefined ? some : matchesAmong(some, query.search, undefined))
        .filter((row) => (held.get(row.id) ?? []).length > 0 && fits(query, row))
        .toSorted(newestFirst)
        .map(byAge);
      const last = ids.length < mostListed ? undefined : ids.at(-1);
      return { rows, last: last === undefined ? undefined : { key: "", id: last } };
    };

  /** Returns everybody whom the filter leaves, where they are so few that a search may look at each; otherwise undefined. */
  async function few(query: PeopleQuery): Promise<readonly PersonRow[] | undefined> {
    if (query.role !== undefined) {
      const combinations = await combinationsWith(query.role);
      const counts = await Promise.all(combinations.map((roles) => people.countWithRoles(roles, mostLookedAt)));
      if (counts.reduce((sum, n) => sum + n, 0) >= mostLookedAt) return undefined;
      const each = combinations.map((roles) => people.withRoles(roles, afterAllIds, mostLookedAt));
      return (await Promise.all(each)).flat().filter((row) => fits(query, row));
    }
    if (query.state !== "disabled" && query.state !== "unverified") return undefined;
    if ((await people.count(query.state, mostLookedAt)) >= mostLookedAt) return undefined;
    return (await people.newest(query.state, afterAllIds, mostLookedAt)).filter((row) => fits(query, row));
  }

  async function searchingFor(query: PeopleQuery, search: string, limit: number): Promise<Reader> {
    const rows = await few(query);
    if (rows === undefined) return searching(query, search, limit);
    return async (after) => ({ rows: matchesAmong(rows, search, after), last: undefined });
  }

  /** Reads the account that the keys name: one of them finds it, and it has to have the others. */
  const exactly =
    (query: PeopleQuery, keys: ExactKeys): Reader =>
    async () => {
      const named = exactFields.flatMap((field) => (keys[field] === undefined ? [] : [{ field, key: keys[field] }]));
      const [first] = named;
      const found = first === undefined ? [] : await people.exactly(first.field, first.key);
      const fitting = found.filter((row) => named.every(({ field, key }) => row[field] === key) && fits(query, row));
      const { search } = query;
      const rows = search === undefined || keys.id !== undefined ? fitting : matchesAmong(fitting, search, undefined);
      if (query.state !== "locked") return { rows: rows.map(byAge), last: undefined };
      const held = await locks.ofAll(rows);
      return { rows: rows.filter(({ id }) => (held.get(id) ?? []).length > 0).map(byAge), last: undefined };
    };

  /** Chooses what leads the read: the narrowest that has an index. What else the query asks for is looked at row by row. */
  async function readerOf(query: PeopleQuery, limit: number): Promise<Reader> {
    const keys = exactKeysOf(query);
    if (keys === undefined) return async () => ({ rows: [], last: undefined });
    if (Object.keys(keys).length > 0) return atProvider(query, exactly(query, keys));
    if (query.state === "locked") return atProvider(query, lockedOut(query));
    if (query.search !== undefined) return atProvider(query, await searchingFor(query, query.search, limit));
    if (query.role !== undefined) return atProvider(query, await havingRole(query, query.role, limit));
    if (query.provider !== undefined) return signingInBy(query, query.provider);
    const most = countFilters(query) === 0 || isLed(query) ? limit + 1 : rowsARead;
    return asksForTime(query) ? made(query, most) : newest(query, most);
  }

  return async (query: PeopleQuery) => {
    const trimmed = query.search?.trim();
    const limit = Math.min(Math.max(1, query.limit), mostListed);
    const read = await readerOf({ ...query, search: trimmed === "" ? undefined : trimmed }, limit);
    const { rows, last } = await fill(limit, placeOf(query.cursor), read);
    const held = await locks.ofAll(rows);
    return {
      people: rows.map((row) => summaryOf(row, held.get(row.id))),
      /** Where the next page begins; undefined after the last one. Even an earlier page may hold fewer people than were asked for. */
      next: last === undefined ? undefined : cursorOf(last),
    };
  };
}

export type PeoplePage = Awaited<ReturnType<ReturnType<typeof createList>>>;
