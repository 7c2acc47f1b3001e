import type { Millis } from "../core/clock.ts";
import type { Place } from "../core/text/place.ts";
import {
  column,
  computed,
  sql,
  tableOf,
  together,
  unionAll,
  type Database,
  type RowOf,
  type Statement,
} from "../drivers/database/index.ts";

const stored = tableOf("organizations", {
  id: column<string>("id"),
  slug: column<string>("slug"),
  /** The slug with characters that look alike made the same. */
  slugKey: column<string>("slug_key"),
  name: column<string>("name"),
  /** The name in the form in which it is searched by its beginning. */
  nameKey: column<string>("name_key"),
  /** An object as a text of JSON; null where nothing is kept. */
  metadata: column<string | null>("metadata"),
  members: column<number>("members"),
  owners: column<number>("owners"),
  createdAt: column<Millis>("created_at"),
  updatedAt: column<Millis>("updated_at"),
});
const shown = stored.except("slugKey", "nameKey", "owners", "updatedAt");
export type Organization = RowOf<typeof shown>;

/** What an organization is to one of its members. `active` is 1 where the session acts for it. */
const own = together(
  shown.as("o"),
  computed<{ roles: string; rank: number; active: number }>({
    roles: "m.roles",
    rank: "m.rank",
    active: "(select count(*) from auth_sessions s where s.id = $sessionId and s.organization_id = o.id)",
  }),
);
export type OwnOrganization = RowOf<typeof own>;

const activeOwners = `(select count(*) from organization_members m join users u on u.id = m.user_id
  where m.organization_id = organizations.id and m.rank = 2 and u.active = 1)`;
const withOwners = together(shown, computed<{ activeOwners: number }>({ activeOwners }));
export type FoundOrganization = RowOf<typeof withOwners>;

/** The organization with the text by which it was found: its name or its slug. */
const foundBy = (column: "name_key" | "slug") => together(computed<{ key: string }>({ key: column }), withOwners);
/** A row that its name finds is found there alone. */
const byName = "name_key >= $name and name_key < $nameEnd";
const pageBy = (column: "name_key" | "slug", from: string, condition: string) =>
  sql`select * from (select ${foundBy(column)} from organizations
    where (${column}, id) > ($${from}, $${from}Id) and ${condition} order by ${column}, id limit $limit) as by_${column}`;
/** Returns a text that sorts after every text that begins with the prefix. */
const afterAll = (prefix: string): string => `${prefix}\u{10ffff}`;

/** A membership as others are shown it. */
const membership = together(
  shown.as("o").pick("id", "slug", "name"),
  computed<{ roles: string; joinedAt: Millis }>({ roles: "m.roles", joinedAt: "m.joined_at" }),
);
const mostMemberships = 1_000;
const names = stored.pick("id", "slug", "name");
const mostNames = 200;

const memberOf = `from organization_members m join organizations o on o.id = m.organization_id where m.user_id = $userId`;
const found = {
  byId: sql`select ${withOwners} from organizations where id = $id`,
  bySlug: sql`select ${withOwners} from organizations where slug = $slug`,
  matching: unionAll(
    [pageBy("name_key", "fromName", byName), pageBy("slug", "fromSlug", `slug < $slugEnd and not (${byName})`)],
    "order by key, id limit $limit",
  ),
  memberships: sql`select ${membership} ${memberOf} order by m.organization_id limit ${mostMemberships}`,
  byKey: sql`select ${shown} from organizations where slug_key = $key`,
  lastOwned: sql`select ${stored.as("o").pick("id")} from organization_members m join organizations o on o.id = m.organization_id
    where m.user_id = $userId and m.rank = 2 and o.owners < 2 limit 1`,
  count: sql`select ${computed<{ organizations: number }>({ organizations: "count(*)" })} from organizations`,
  page: sql`select ${shown} from organizations where id > $after order by id limit $limit`,
  ofMember: sql`select ${own} ${memberOf} and m.organization_id = $id`,
  ofUser: sql`select ${own} ${memberOf} and m.organization_id > $after order by m.organization_id limit $limit`,
};
const inserted = stored.insert({ members: "1", owners: "1", createdAt: "$now", updatedAt: "$now" });
const insertOrganization = `insert into ${inserted.into} values (${inserted.values}) on conflict do nothing`;

type Changed = Partial<Pick<RowOf<typeof stored>, "name" | "nameKey" | "slug" | "slugKey" | "metadata">>;
const columnNames: Readonly<Record<string, string>> = { slugKey: "slug_key", nameKey: "name_key" };

/** Owns `organizations`. Methods named for a change return the statement of a batch, which locks the organization. */
export const createOrganizationRepository = (db: Database) => ({
  byId: (id: string) => db.get(found.byId, { id }),
  bySlug: (slug: string) => db.get(found.bySlug, { slug }),
  byKey: (key: string) => db.get(found.byKey, { key }),

  /** Whether an organization has no owner but this person. */
  isLastOwner: async (userId: string): Promise<boolean> => (await db.get(found.lastOwned, { userId })) !== undefined,

  count: async (): Promise<number> => (await db.get(found.count))?.organizations ?? 0,

  /** Returns organizations in the order of their ids, after this one. */
  page: (after: string, limit: number) => db.all(found.page, { after, limit }),

  /** Returns organizations whose name or slug begins so, by that text and then by id, after this place. */
  matching: (
    { name, slug }: { readonly name: string; readonly slug: string },
    after: Place | undefined,
    limit: number,
  ) => {
    const from = (prefix: string) => (after !== undefined && after.key >= prefix ? after : { key: prefix, id: "" });
    const [fromName, fromSlug] = [from(name), from(slug)];
    return db.all(found.matching, {
      name,
      nameEnd: afterAll(name),
      slugEnd: afterAll(slug),
      fromName: fromName.key,
      fromNameId: fromName.id,
      fromSlug: fromSlug.key,
      fromSlugId: fromSlug.id,
      limit,
    });
  },

  /** Returns what a person is in organizations, by the ids of those. */
  memberships: (userId: string) => db.all(found.memberships, { userId }),

  /** Returns what the organizations with these ids are called, at most 200 of them. */
  async namesOf(ids: readonly string[]) {
    const wanted = ids.slice(0, mostNames);
    if (wanted.length === 0) return [];
    const among = wanted.map((_, index) => `$i${index}`).join();
    const params = Object.fromEntries(wanted.map((id, index) => [`i${index}`, id]));
    return db.all(sql`select ${names} from organizations where id in (${among})`, params);
  },

  /** Returns the organization as this person sees it; undefined for who is no member. */
  ofMember: (id: string, userId: string, sessionId: string) => db.get(found.ofMember, { id, userId, sessionId }),

  ofUser: (userId: string, sessionId: string, after: string, limit: number) =>
    db.all(found.ofUser, { userId, sessionId, after, limit }),

  /** With its first owner, whose row the same batch has to insert. Changes nothing where the slug is taken. */
  insert: (
    organization: Pick<RowOf<typeof stored>, "id" | "slug" | "slugKey" | "name" | "nameKey" | "metadata">,
    now: Millis,
  ): Statement => ({
    guard: true,
    sql: insertOrganization,
    params: { ...inserted.params(organization), now },
  }),

  /** Holds only while nobody else has the slug, and while the metadata is what was read. */
  update: (id: string, changed: Changed, fromMetadata: string | null, now: Millis): Statement => {
    const sets = Object.keys(changed).map((field) => `${columnNames[field] ?? field} = $${field}, `);
    return {
      guard: true,
      sql: `update organizations set ${sets.join("")}updated_at = $now
        where id = $id and coalesce(metadata, '') = $fromMetadata
          and not exists (select 1 from organizations o where o.id <> $id and o.slug_key = $key)`,
      params: { id, ...changed, key: changed.slugKey ?? "", fromMetadata: fromMetadata ?? "", now },
    };
  },

  /** Locks the organization, and counts one more member. Holds only while there is room for one. */
  countMember: (id: string, isOwner: boolean, most: number): Statement => ({
    guard: true,
    sql: `update organizations set members = members + 1, owners = owners + $more where id = $id and members < $most`,
    params: { id, more: isOwner ? 1 : 0, most },
  }),

  /** Locks the organization, and counts several more members at once. */
  countMembers: (id: string, more: number, moreOwners: number, most: number): Statement => ({
    guard: true,
    sql: `update organizations set members = members + $more, owners = owners + $moreOwners
      where id = $id and members + $more <= $most`,
    params: { id, more, moreOwners, most },
  }),

  /** Locks the organization, and counts owners anew. Holds only while it has an owner afterwards. */
  countOwners: (id: string, more: -1 | 0 | 1): Statement => ({
    guard: true,
    sql: `update organizations set owners = owners + $more where id = $id and owners + $more > 0`,
    params: { id, more },
  }),

  /** Locks the organization. Holds only while it has more owners than are about to go; what takes their rows away counts them. */
  hold: (id: string, goingOwners: 0 | 1): Statement => ({
    guard: true,
    sql: `update organizations set owners = owners where id = $id and owners > $going`,
    params: { id, going: goingOwners },
  }),

  remove: (id: string): Statement => ({ guard: true, sql: "delete from organizations where id = $id", params: { id } }),
});

export type OrganizationRepository = ReturnType<typeof createOrganizationRepository>;
