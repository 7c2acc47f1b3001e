import type { Millis } from "../../core/clock.ts";
import {
  column,
  computed,
  sql,
  tableOf,
  together,
  type Database,
  type RowOf,
  type Statement,
} from "../../drivers/database/index.ts";

/** Who joins by the domain: nobody, those who say that they want to, or everybody with an address below it. */
export const joinModes = ["none", "invite", "auto"] as const;
export type JoinMode = (typeof joinModes)[number];

const stored = tableOf("organization_domains", {
  id: column<string>("id"),
  organizationId: column<string>("organization_id"),
  domain: column<string>("domain"),
  token: column<string>("token"),
  joinMode: column<JoinMode>("join_mode"),
  verifiedAt: column<Millis | null>("verified_at"),
  /** When the proof was found last. */
  seenAt: column<Millis | null>("seen_at"),
  checkedAt: column<Millis | null>("checked_at"),
  /** How many looks in a row have found it gone. */
  missed: column<number>("missed"),
  lostAt: column<Millis | null>("lost_at"),
  createdAt: column<Millis>("created_at"),
});
export type Domain = RowOf<typeof stored>;

const inserted = stored.insert({
  verifiedAt: "null",
  seenAt: "null",
  checkedAt: "null",
  missed: "0",
  lostAt: "null",
  createdAt: "$now",
});
const provenElsewhere = `exists (select 1 from organization_domains p
  where p.domain = $domain and p.verified_at is not null and p.organization_id <> $organizationId)`;

const carries = (
  table: string,
): string => `${table}.verified_at is not null and exists (select 1 from organization_providers p
  where p.organization_id = ${table}.organization_id)`;

/** An organization that somebody can join by the domain of their address. */
const joinable = together(
  stored.as("d").pick("id", "organizationId", "joinMode", "domain"),
  computed<{ slug: string; name: string }>({ slug: "o.slug", name: "o.name" }),
);
export type Joinable = RowOf<typeof joinable>;

const found = {
  one: sql`select ${stored} from organization_domains where organization_id = $organizationId and id = $id`,
  list: sql`select ${stored} from organization_domains where organization_id = $organizationId order by domain`,
  proven: sql`select ${stored} from organization_domains where domain = $domain and verified_at is not null`,
  carrying: sql`select ${stored.as("d").pick("id")} from organization_domains d where d.id = $id and ${carries("d")}`,
  due: sql`select ${stored} from organization_domains
    where verified_at is not null and checked_at <= $before order by checked_at, id limit $limit`,
  // Somebody who was removed joins by an invitation alone, and somebody who has left is not put back.
  joinable: sql`select ${joinable} from organization_domains d join organizations o on o.id = d.organization_id
    where d.domain = $domain and d.verified_at is not null and d.join_mode in ($mode, $other)
      and not exists (select 1 from organization_members m where m.organization_id = o.id and m.user_id = $userId)
      and not exists (select 1 from organization_leavers l
        where l.organization_id = o.id and l.user_id = $userId and l.removed >= $leavers)
      and not exists (select 1 from organization_providers p where p.organization_id = o.id and p.enforced = 1 and o.id <> $provider)`,
};

/** Whom a look at what can be joined is for. */
interface Looker {
  readonly domain: string;
  readonly userId: string;
  /** The organization whose provider has just signed them in; empty for another way in. */
  readonly provider: string;
}

/** Owns `organization_domains`. Methods named for a change return the statement of a batch, in which the organization is locked before. */
export const createDomainRepository = (db: Database) => ({
  find: (organizationId: string, id: string) => db.get(found.one, { organizationId, id }),
  list: (organizationId: string) => db.all(found.list, { organizationId }),
  /** Returns the one proven claim of a domain. */
  proven: (domain: string) => db.get(found.proven, { domain }),
  /** Returns proven domains that were looked at longest ago. */
  due: (before: Millis, limit: number) => db.all(found.due, { before, limit }),

  /** Returns the organization that takes everybody with such an address. */
  joinsItself: (looker: Looker) => db.get(found.joinable, { ...looker, mode: "auto", other: "auto", leavers: 0 }),
  /** Returns the organization that somebody with such an address may join. */
  mayJoin: (looker: Looker) => db.get(found.joinable, { ...looker, mode: "auto", other: "invite", leavers: 1 }),

  /** Holds only while the organization has room for a claim, and while nobody else has proven the domain. */
  insert: (
    claim: Pick<Domain, "id" | "organizationId" | "domain" | "token" | "joinMode">,
    most: number,
    now: Millis,
  ): Statement => ({
    guard: true,
    sql: `insert into ${inserted.into} select ${inserted.values}
      where (select count(*) from organization_domains c where c.organization_id = $organizationId) < $most
        and not ${provenElsewhere} on conflict do nothing`,
    params: { ...inserted.params(claim), most, now },
  }),

  /** Holds only while nobody else has proven the domain. */
  prove: ({ id, organizationId, domain }: Domain, now: Millis): Statement => ({
    guard: true,
    sql: `update organization_domains set verified_at = $now, seen_at = $now, checked_at = $now, missed = 0, lost_at = null
      where id = $id and verified_at is null and not ${provenElsewhere}`,
    params: { id, organizationId, domain, now },
  }),

  setJoin: (id: string, joinMode: JoinMode): Statement => ({
    guard: true,
    sql: "update organization_domains set join_mode = $joinMode where id = $id",
    params: { id, joinMode },
  }),

  /** Whether the domain is proven, and its organization has a provider, which speaks for addresses below it. */
  carriesProvider: async ({ id }: Pick<Domain, "id">): Promise<boolean> =>
    (await db.get(found.carrying, { id })) !== undefined,

  /** Holds, unless `evenCarrying`, only while no provider speaks for addresses below the domain. */
  remove: (id: string, evenCarrying: boolean): Statement => ({
    guard: true,
    sql: `delete from organization_domains where id = $id${evenCarrying ? "" : ` and not (${carries("organization_domains")})`}`,
    params: { id },
  }),

  /** Holds only while the domain is proven and lets people join in this way. */
  holdJoin: ({ id, joinMode }: Pick<Domain, "id" | "joinMode">): Statement => ({
    guard: true,
    sql: `update organization_domains set missed = missed
      where id = $id and verified_at is not null and join_mode = $joinMode`,
    params: { id, joinMode },
  }),

  /** Notes that the proof was found, or that nobody could tell. */
  checked: ({ id, checkedAt }: Domain, isSeen: boolean, now: Millis): Statement => ({
    sql: `update organization_domains set checked_at = $now${isSeen ? ", seen_at = $now, missed = 0" : ""}
      where id = $id and verified_at is not null and checked_at = $checkedAt`,
    params: { id, checkedAt, now },
  }),

  missed: ({ id, checkedAt }: Domain, now: Millis): Statement => ({
    sql: `update organization_domains set checked_at = $now, missed = missed + 1
      where id = $id and verified_at is not null and checked_at = $checkedAt`,
    params: { id, checkedAt, now },
  }),

  lose: ({ id, checkedAt }: Domain, now: Millis): Statement => ({
    guard: true,
    sql: `update organization_domains set verified_at = null, checked_at = $now, missed = 0, lost_at = $now
      where id = $id and verified_at is not null and checked_at = $checkedAt`,
    params: { id, checkedAt, now },
  }),
});

export type DomainRepository = ReturnType<typeof createDomainRepository>;
