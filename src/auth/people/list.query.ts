import type { Millis } from "../../core/clock.ts";
import { isId } from "../../core/ids.ts";
import { emailKey, usernameKey } from "../user/identifiers.ts";
import { readRoles } from "../user/roles.ts";
import type { ExactField, PersonRow } from "./people.repository.ts";

export interface PeopleQuery {
  /** The beginning of an address, a user name or a display name, in any spelling of its letters; or an id. */
  readonly search?: string | undefined;
  /** A whole address. */
  readonly email?: string | undefined;
  /** A whole user name. */
  readonly username?: string | undefined;
  readonly externalId?: string | undefined;
  readonly state?: "active" | "disabled" | "locked" | "unverified" | undefined;
  readonly role?: string | undefined;
  /** A provider by which the person can sign in. */
  readonly provider?: string | undefined;
  /** The account was made at this time or later. */
  readonly createdAfter?: Millis | undefined;
  /** The account was made before this time. */
  readonly createdBefore?: Millis | undefined;
  /** `next` of the last page, asked for with the same search and filters. */
  readonly cursor?: string | undefined;
  /** At most 100. */
  readonly limit: number;
}

export type ExactKeys = Readonly<Partial<Record<ExactField, string>>>;

/** Returns the keys by which a query names one account; undefined where one of them can be nobody's. */
export function exactKeysOf({ search = "", email, username, externalId }: PeopleQuery): ExactKeys | undefined {
  const keys: readonly (readonly [ExactField, string | undefined])[] = [
    ...(isId(search) ? [["id", search] as const] : []),
    ...(email === undefined ? [] : [["emailKey", emailKey(email)] as const]),
    ...(username === undefined ? [] : [["usernameKey", usernameKey(username)] as const]),
    ...(externalId === undefined ? [] : [["externalId", externalId] as const]),
  ];
  return keys.some(([, key]) => key === undefined) ? undefined : Object.fromEntries(keys);
}

const statesFit: Readonly<Record<NonNullable<PeopleQuery["state"]>, (row: PersonRow) => boolean>> = {
  active: ({ active }) => active === 1,
  disabled: ({ active }) => active === 0,
  unverified: ({ emailVerifiedAt }) => emailVerifiedAt === null,
  // The counters that keep a person out are no part of the row.
  locked: () => true,
};

/** Whether a row has what the filters ask for, as far as the row tells: its locks and providers stand elsewhere. */
export const fits = ({ state, role, createdAfter = 0, createdBefore }: PeopleQuery, row: PersonRow): boolean =>
  (state === undefined || statesFit[state](row)) &&
  (role === undefined || readRoles(row.roles).includes(role)) &&
  row.createdAt >= createdAfter &&
  (createdBefore === undefined || row.createdAt < createdBefore);

export const asksForTime = ({ createdAfter, createdBefore }: PeopleQuery): boolean =>
  createdAfter !== undefined || createdBefore !== undefined;

export const exactFields = ["id", "emailKey", "usernameKey", "externalId"] as const satisfies readonly ExactField[];

/** Returns how many filters a query has, besides what names an account and the search. */
export const countFilters = (query: PeopleQuery): number =>
  [query.state, query.role, query.provider, asksForTime(query) || undefined].filter((filter) => filter !== undefined)
    .length;
/** Whether the only filter of a query has an index of its own, so that every row that is read fits. */
export const isLed = (query: PeopleQuery): boolean => countFilters(query) === 1 && query.state !== "active";
