import type { Place } from "../../core/text/place.ts";
import {
  type Database,
  type RowOf,
  type Sql,
  type SqlValue,
  type Statement,
  computed,
  sql,
  together,
  unionAll,
} from "../../drivers/database/index.ts";
import { storedUser } from "../user/user.columns.ts";

const columns = storedUser.pick(
  "id",
  "username",
  "usernameKey",
  "email",
  "emailKey",
  "displayName",
  "displayNameKey",
  "avatarUrl",
  "timezone",
  "locale",
  "active",
  "emailVerifiedAt",
  "factors",
  "roles",
  "externalId",
  "termsVersion",
  "termsAcceptedAt",
  "createdAt",
  "lastLoginAt",
  "lastSeenAt",
);
export type PersonRow = RowOf<typeof columns>;

/** People's names for places where an id alone says nothing. An account that is gone has no name. */
const names = storedUser.pick("id", "username", "displayName");
export type AccountName = RowOf<typeof names>;
const mostNames = 200;

/** The row with the text by which it was found: the one of its searched fields that matched. */
const matchBy = (column: SearchedField["column"]) => together(computed<{ key: string }>({ key: column }), columns);
export type Match = RowOf<ReturnType<typeof matchBy>>;

export interface SearchedField {
  readonly column: "email_key" | "username_key" | "display_name_key";
  readonly prefix: string;
}

/** Returns a text that sorts after every text that begins with the prefix. */
const afterAll = (prefix: string): string => `${prefix}\u{10ffff}`;
/** How many combinations of roles are searched for one role. */
const mostCombinations = 1_000;

const conditions = { all: "true", disabled: "active = 0", unverified: "email_verified_at is null" } as const;

const newest = (condition: string) =>
  sql`select ${columns} from users where ${condition} and id < $before order by id desc limit $limit`;
const count = (condition: string) =>
  sql`select ${computed<{ found: number }>({ found: "count(*)" })} from (select 1 from users where ${condition} limit $limit) as found`;
/** The fields by which at most one account is found. */
export type ExactField = "id" | "emailKey" | "usernameKey" | "externalId";
const exactly = (field: ExactField) => sql`select ${columns} from users where ${storedUser.columnOf(field)} = $key`;
const hasRoles = "roles = $roles and roles <> ''";

const found = {
  newest: {
    all: newest(conditions.all),
    disabled: newest(conditions.disabled),
    unverified: newest(conditions.unverified),
  },
  count: {
    all: count(conditions.all),
    disabled: count(conditions.disabled),
    unverified: count(conditions.unverified),
  },
  exactly: {
    id: exactly("id"),
    emailKey: exactly("emailKey"),
    usernameKey: exactly("usernameKey"),
    externalId: exactly("externalId"),
  },
  createdWithin: sql`select ${columns} from users
    where created_at >= $from and created_at < $to and (created_at, id) < ($at, $before) order by created_at desc, id desc limit $limit`,
  withRoles: newest(hasRoles),
  countWithRoles: count(hasRoles),
  combinations: sql`with recursive held (roles) as (
      select min(roles) from users where roles <> ''
      union all
      select (select min(u.roles) from users u where u.roles <> '' and u.roles > held.roles) from held where held.roles is not null
    )
    select ${storedUser.pick("roles")} from held where roles is not null limit ${mostCombinations}`,
  unfolded: sql`select ${storedUser.pick("id", "displayName")} from users where display_name_key is null limit $limit`,
};

const countOf = async (
  db: Database,
  text: Sql<{ found: number }>,
  params: Readonly<Record<string, SqlValue>>,
): Promise<number> => (await db.get(text, params))?.found ?? 0;

/** The parameters of a list of values, and their values. */
const among = (values: readonly string[]): string => values.map((_, index) => `$i${index}`).join();
const valuesOf = (values: readonly string[]) => Object.fromEntries(values.map((value, index) => [`i${index}`, value]));

/** Reads accounts for staff, services and operators. Every statement is bounded, and led by an index. */
export const createPeopleRepository = (db: Database) => ({
  /** Returns accounts, the greatest id first, less than `before`: the newest account comes first, since ids grow with time. */
  newest: (which: keyof typeof conditions, before: string, limit: number) =>
    db.all(found.newest[which], { before, limit }),

  /** Returns matches by the text found and then by id. A row is found once for each of its fields that begins so. */
  matching: (fields: readonly SearchedField[], after: Place | undefined, limit: number) => {
    const params: Record<string, SqlValue> = { limit };
    const parts = fields.map(({ column, prefix }, index) => {
      const isLater = after !== undefined && after.key >= prefix;
      params[`from${index}`] = isLater ? after.key : prefix;
      params[`after${index}`] = isLater ? after.id : "";
      params[`to${index}`] = afterAll(prefix);
      return sql`select * from (select ${matchBy(column)} from users
        where (${column}, id) > ($from${index}, $after${index}) and ${column} < $to${index}
        order by ${column}, id limit $limit) as found${index}`;
    });
    return db.all(unionAll(parts, `order by "key", id limit $limit`), params);
  },

  /** Returns the account that has this value, if there is one. */
  exactly: (field: ExactField, key: string) => db.all(found.exactly[field], { key }),

  /** Returns accounts made from `from` on and before `to`, the newest first, after the place. */
  createdWithin: (
    { from, to }: { readonly from: number; readonly to: number },
    after: Place | undefined,
    limit: number,
  ) =>
    db.all(found.createdWithin, {
      from,
      to,
      at: after === undefined ? to : Number(after.key),
      before: after?.id ?? "",
      limit,
    }),

  byIds: async (ids: readonly string[]): Promise<readonly PersonRow[]> =>
    ids.length === 0 ? [] : db.all(sql`select ${columns} from users where id in (${among(ids)})`, valuesOf(ids)),

  /** Returns names by id, for at most 200 ids. */
  async namesOf(ids: Iterable<string>): Promise<ReadonlyMap<string, AccountName>> {
    const wanted = [...new Set(ids)].slice(0, mostNames);
    if (wanted.length === 0) return new Map();
    const rows = await db.all(sql`select ${names} from users where id in (${among(wanted)})`, valuesOf(wanted));
    return new Map(rows.map((row) => [row.id, row]));
  },

  /** Returns every combination of roles that a user has, with one step in the index for each. */
  async combinations(): Promise<readonly string[]> {
    const rows = await db.all(found.combinations);
    return rows.map(({ roles }) => roles);
  },

  count: (which: keyof typeof conditions, limit: number): Promise<number> => countOf(db, found.count[which], { limit }),

  /** Returns how many people have exactly these roles, up to `limit`. */
  countWithRoles: (roles: string, limit: number): Promise<number> =>
    countOf(db, found.countWithRoles, { roles, limit }),

  withRoles: (roles: string, before: string, limit: number) => db.all(found.withRoles, { roles, before, limit }),

  /** Returns accounts of earlier releases whose display name can't be searched yet. */
  unfolded: (limit: number) => db.all(found.unfolded, { limit }),

  /** Stores the folded name, unless the name was changed meanwhile. */
  fold: (id: string, displayName: string, key: string): Statement => ({
    sql: `update users set display_name_key = $key where id = $id and display_name = $displayName`,
    params: { id, displayName, key },
  }),
});

export type PeopleRepository = ReturnType<typeof createPeopleRepository>;
