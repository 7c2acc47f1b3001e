import type { Millis } from "../../core/clock.ts";
import type { Database, SqlValue, Statement } from "../../drivers/database/index.ts";

/** What lists show of an account, and what they find it by. */
export interface PersonRow {
  readonly id: string;
  readonly username: string;
  readonly usernameKey: string;
  readonly email: string;
  readonly emailKey: string;
  readonly displayName: string;
  readonly displayNameKey: string | null;
  readonly active: number;
  readonly emailVerifiedAt: Millis | null;
  readonly factors: number;
  readonly roles: string;
  readonly createdAt: Millis;
  readonly lastLoginAt: Millis | null;
  readonly lastSeenAt: Millis | null;
}

/** A row that was found by this text, which one of its searched fields begins with. */
export interface Match extends PersonRow {
  readonly key: string;
}

export interface SearchedField {
  readonly column: "email_key" | "username_key" | "display_name_key";
  readonly prefix: string;
}

/** Where a page begins: after the row that was found by this text. */
export interface Place {
  readonly key: string;
  readonly id: string;
}

const columns = `id, username, username_key as "usernameKey", email, email_key as "emailKey", display_name as "displayName",
  display_name_key as "displayNameKey", active, email_verified_at as "emailVerifiedAt", factors, roles, created_at as "createdAt",
  last_login_at as "lastLoginAt", last_seen_at as "lastSeenAt"`;

/** Comes after every text that begins with the prefix. */
const afterAll = (prefix: string): string => `${prefix}\u{10ffff}`;
/** Combinations of roles that are looked through for those with one role. */
const mostCombinations = 1_000;

const conditions = { all: "true", disabled: "active = 0", unverified: "email_verified_at is null" } as const;

/** How many rows a query with a limit finds. */
async function countOf(db: Database, sql: string, params: Readonly<Record<string, SqlValue>>): Promise<number> {
  const row = await db.get<{ n: number }>(`select count(*) as n from (${sql}) as found`, params);
  return row?.n ?? 0;
}

/** Reads accounts for those who look after them. Every statement is bounded, and led by an index. */
export const createPeopleRepository = (db: Database) => ({
  /** The greatest id first, less than `before`: the newest account, since ids grow with time. */
  newest: (which: keyof typeof conditions, before: string, limit: number) =>
    db.all<PersonRow>(
      `select ${columns} from users where ${conditions[which]} and id < $before order by id desc limit $limit`,
      { before, limit },
    ),

  /** By the text that was found and then by id. A row is found once for each of its fields that begins so. */
  matching: (fields: readonly SearchedField[], after: Place | undefined, limit: number) => {
    const params: Record<string, SqlValue> = { limit };
    const parts = fields.map(({ column, prefix }, index) => {
      const isLater = after !== undefined && after.key >= prefix;
      params[`from${index}`] = isLater ? after.key : prefix;
      params[`after${index}`] = isLater ? after.id : "";
      params[`to${index}`] = afterAll(prefix);
      return `select * from (select ${column} as "key", ${columns} from users
        where (${column}, id) > ($from${index}, $after${index}) and ${column} < $to${index}
        order by ${column}, id limit $limit) as found${index}`;
    });
    return db.all<Match>(`${parts.join(" union all ")} order by "key", id limit $limit`, params);
  },

  /** In any order. */
  byIds: async (ids: readonly string[]): Promise<readonly PersonRow[]> =>
    ids.length === 0
      ? []
      : db.all<PersonRow>(
          `select ${columns} from users where id in (${ids.map((_, index) => `$i${index}`).join()})`,
          Object.fromEntries(ids.map((id, index) => [`i${index}`, id])),
        ),

  /** Every combination of roles that somebody has, found by as many steps in the index. */
  async combinations(): Promise<readonly string[]> {
    const rows = await db.all<{ roles: string }>(
      `with recursive held (roles) as (
         select min(roles) from users where roles <> ''
         union all
         select (select min(u.roles) from users u where u.roles <> '' and u.roles > held.roles) from held where held.roles is not null
       )
       select roles from held where roles is not null limit ${mostCombinations}`,
    );
    return rows.map(({ roles }) => roles);
  },

  /** Stops at `limit`. */
  count: (which: keyof typeof conditions, limit: number): Promise<number> =>
    countOf(db, `select 1 from users where ${conditions[which]} limit $limit`, { limit }),

  /** How many people have just these roles. Stops at `limit`. */
  countWithRoles: (roles: string, limit: number): Promise<number> =>
    countOf(db, `select 1 from users where roles = $roles and roles <> '' limit $limit`, { roles, limit }),

  withRoles: (roles: string, before: string, limit: number) =>
    db.all<PersonRow>(
      `select ${columns} from users where roles = $roles and roles <> '' and id < $before order by id desc limit $limit`,
      { roles, before, limit },
    ),

  /** Accounts of earlier releases whose display name is not searched yet. */
  unfolded: (limit: number) =>
    db.all<{ id: string; displayName: string }>(
      `select id, display_name as "displayName" from users where display_name_key is null limit $limit`,
      { limit },
    ),

  /** Leaves a name alone that was changed meanwhile. */
  fold: (id: string, displayName: string, key: string): Statement => ({
    sql: `update users set display_name_key = $key where id = $id and display_name = $displayName`,
    params: { id, displayName, key },
  }),
});

export type PeopleRepository = ReturnType<typeof createPeopleRepository>;
