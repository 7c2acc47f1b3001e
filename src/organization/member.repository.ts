import type { Millis } from "../core/clock.ts";
import {
  column,
  computed,
  sql,
  tableOf,
  together,
  type Database,
  type RowOf,
  type Statement,
} from "../drivers/database/index.ts";

const stored = tableOf("organization_members", {
  organizationId: column<string>("organization_id"),
  userId: column<string>("user_id"),
  /** Role names in their stored form: see roles.ts. */
  roles: column<string>("roles"),
  /** 2 for an owner, 1 for an admin, 0 for everybody else. */
  rank: column<number>("rank"),
  joinedAt: column<Millis>("joined_at"),
  /** When the organization's own provider was linked to the account without the person's asking. */
  linkedAt: column<Millis | null>("linked_at"),
});
type NewMember = Omit<RowOf<typeof stored>, "joinedAt" | "linkedAt">;

const shown = together(
  stored.as("m").except("organizationId", "linkedAt"),
  computed<{ username: string; email: string; displayName: string; avatarUrl: string | null; userActive: number }>({
    username: "u.username",
    email: "u.email",
    displayName: "u.display_name",
    avatarUrl: "u.avatar_url",
    userActive: "u.active",
  }),
);
export type Member = RowOf<typeof shown>;

/** A member as a file has them. */
const transferred = together(
  stored.as("m").pick("userId", "roles", "joinedAt"),
  computed<{ email: string; externalId: string | null }>({ email: "u.email", externalId: "u.external_id" }),
);
export type TransferredRow = RowOf<typeof transferred>;

const joined = "from organization_members m join users u on u.id = m.user_id where m.organization_id = $id";
const found = {
  one: sql`select ${shown} ${joined} and m.user_id = $userId`,
  count: sql`select ${computed<{ count: number }>({ count: "count(*)" })} from organization_members where user_id = $userId`,
  page: sql`select ${shown} ${joined} and m.user_id > $after order by m.user_id limit $limit`,
  owners: sql`select ${shown} ${joined} and m.rank = 2 order by m.user_id limit $limit`,
  transferred: sql`select ${transferred} ${joined} and m.user_id > $after order by m.user_id limit $limit`,
  transferredOwners: sql`select ${transferred} ${joined} and m.rank = 2 and m.user_id > $after order by m.user_id limit $limit`,
};
const idsAtOnce = 200;
const inserted = stored.insert({ joinedAt: "$now", linkedAt: "null" });
/** Holds only while the person is in fewer organizations than somebody may be in. */
const insertMember = `insert into ${inserted.into} select ${inserted.values}
  where (select count(*) from organization_members c where c.user_id = $userId) < $most on conflict do nothing`;

/** Owns `organization_members`. Methods named for a change return the statement of a batch, in which the organization is locked before. */
export const createMemberRepository = (db: Database) => ({
  find: (id: string, userId: string) => db.get(found.one, { id, userId }),

  /** Returns in how many organizations a person is. */
  countOf: async (userId: string): Promise<number> => (await db.get(found.count, { userId }))?.count ?? 0,

  /** Returns members in the order of their accounts, after this one. */
  page: (id: string, after: string, limit: number) => db.all(found.page, { id, after, limit }),

  owners: (id: string, limit: number) => db.all(found.owners, { id, limit }),

  /** Returns members, or owners alone, as a file has them: in the order of their accounts, after this one. */
  transferred: (id: string, ownersAlone: boolean, after: string, limit: number) =>
    db.all(ownersAlone ? found.transferredOwners : found.transferred, { id, after, limit }),

  /** Returns which of these people are members. */
  async among(id: string, userIds: readonly string[]): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    for (let start = 0; start < userIds.length; start += idsAtOnce) {
      const some = userIds.slice(start, start + idsAtOnce);
      const params = Object.fromEntries(some.map((userId, at) => [`u${at}`, userId]));
      const list = some.map((_, at) => `$u${at}`).join();
      const rows = await db.all(
        sql`select ${stored.pick("userId")} from organization_members where organization_id = $id and user_id in (${list})`,
        { id, ...params },
      );
      for (const { userId } of rows) known.add(userId);
    }
    return known;
  },

  insert: (one: NewMember, most: number, now: Millis): Statement => ({
    guard: true,
    sql: insertMember,
    params: { ...inserted.params(one), most, now },
  }),

  /** Holds only while the member has the roles that were read. */
  setRoles: ({ organizationId, userId, roles, rank }: NewMember, from: string): Statement => ({
    guard: true,
    sql: `update organization_members set roles = $roles, rank = $rank
      where organization_id = $organizationId and user_id = $userId and roles = $from`,
    params: { organizationId, userId, roles, rank, from },
  }),

  /** Holds only while the person is a member of at least this rank: for batches that act by that right. */
  hold: (organizationId: string, userId: string, least: number): Statement => ({
    guard: true,
    sql: `update organization_members set rank = rank
      where organization_id = $organizationId and user_id = $userId and rank >= $least`,
    params: { organizationId, userId, least },
  }),

  /** Holds only while the member has the roles that were read. */
  remove: (organizationId: string, userId: string, from: string): Statement => ({
    guard: true,
    sql: "delete from organization_members where organization_id = $organizationId and user_id = $userId and roles = $from",
    params: { organizationId, userId, from },
  }),
});

export type MemberRepository = ReturnType<typeof createMemberRepository>;
