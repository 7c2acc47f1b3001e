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

const stored = tableOf("organization_providers", {
  organizationId: column<string>("organization_id"),
  issuer: column<string>("issuer"),
  clientId: column<string>("client_id"),
  /** Sealed: see core/keys/seal.ts. */
  secret: column<string>("secret"),
  enforced: column<number>("enforced"),
  createdAt: column<Millis>("created_at"),
  updatedAt: column<Millis>("updated_at"),
});
export type ProviderRow = RowOf<typeof stored>;

const inForce = together(
  stored.as("p"),
  computed<{ slug: string; name: string; members: number }>({ slug: "o.slug", name: "o.name", members: "o.members" }),
);

const inserted = stored.insert({ createdAt: "$now", updatedAt: "$now" });
const provenDomain = `exists (select 1 from organization_domains d where d.organization_id = p.organization_id
  and d.verified_at is not null)`;
const withOrganization = "organization_providers p join organizations o on o.id = p.organization_id";
const required = together(
  stored.as("p").pick("organizationId"),
  computed<{ slug: string; name: string; rank: number }>({ slug: "o.slug", name: "o.name", rank: "m.rank" }),
);
const speaking = together(stored.as("p").pick("organizationId"), computed<{ name: string }>({ name: "o.name" }));
const ofDomain = together(
  stored.as("p").pick("organizationId", "enforced"),
  computed<{ slug: string; name: string }>({ slug: "o.slug", name: "o.name" }),
);

const found = {
  one: sql`select ${stored} from organization_providers where organization_id = $id`,
  bySlug: sql`select ${inForce} from ${withOrganization} where o.slug = $slug and ${provenDomain}`,
  byId: sql`select ${inForce} from ${withOrganization} where o.id = $id and ${provenDomain}`,
  domains: sql`select ${computed<{ domain: string }>({ domain: "d.domain" })} from organization_domains d
    where d.organization_id = $id and d.verified_at is not null`,
  // An identity at the provider itself is what it asks for.
  required: sql`select ${required} from organization_domains d
    join organization_providers p on p.organization_id = d.organization_id and p.enforced = 1
    join organizations o on o.id = p.organization_id
    join organization_members m on m.organization_id = o.id and m.user_id = $userId
    where d.domain = $domain and d.verified_at is not null
      and not exists (select 1 from auth_identities i
        where i.id = $identityId and i.user_id = $userId and i.provider = 'org-' || o.id)`,
  ofDomain: sql`select ${ofDomain} from organization_domains d
    join organization_providers p on p.organization_id = d.organization_id
    join organizations o on o.id = p.organization_id
    where d.domain = $domain and d.verified_at is not null`,
  ofUser: sql`select ${speaking} from organization_members m join organizations o on o.id = m.organization_id
    join organization_providers p on p.organization_id = m.organization_id
    where m.user_id = $userId and ${provenDomain}`,
  page: sql`select ${stored} from organization_providers where organization_id > $after order by organization_id limit $limit`,
  memberships: sql`select ${computed<{ organizationId: string }>({ organizationId: "organization_id" })}
    from organization_members where user_id = $userId order by organization_id limit 2`,
};

/** Owns `organization_providers`. Methods named for a change return the statement of a batch, in which the organization is locked before. */
export const createProviderRepository = (db: Database) => ({
  find: (id: string) => db.get(found.one, { id }),

  /** Returns a provider that may sign people in: its organization has a proven domain. */
  inForceBySlug: (slug: string) => db.get(found.bySlug, { slug }),
  inForceById: (id: string) => db.get(found.byId, { id }),

  domainsOf: async (id: string): Promise<readonly string[]> =>
    (await db.all(found.domains, { id })).map(({ domain }) => domain),

  /** Returns the provider by which a member has to sign in, unless this identity is one of it. */
  required: (userId: string, domain: string, identityId: string) =>
    db.get(found.required, { userId, domain, identityId }),

  ofDomain: (domain: string) => db.get(found.ofDomain, { domain }),

  /** Returns the organizations whose provider signs the person in. */
  ofUser: (userId: string) => db.all(found.ofUser, { userId }),

  /** Returns at most two of the organizations that somebody is in. */
  membershipsOf: async (userId: string): Promise<readonly string[]> =>
    (await db.all(found.memberships, { userId })).map(({ organizationId }) => organizationId),

  page: (after: string, limit: number) => db.all(found.page, { after, limit }),

  /** Holds only while the organization has a proven domain. */
  put: (row: Omit<ProviderRow, "createdAt" | "updatedAt">, now: Millis): Statement => ({
    guard: true,
    sql: `insert into ${inserted.into} select ${inserted.values}
      where exists (select 1 from organization_domains d where d.organization_id = $organizationId and d.verified_at is not null)
      on conflict (organization_id) do update set issuer = $issuer, client_id = $clientId, secret = $secret,
        enforced = $enforced, updated_at = $now`,
    params: { ...inserted.params(row), now },
  }),

  /** Sets the provider of an organization that has none, proven domain or not: without one it signs nobody in. */
  bring: (row: Omit<ProviderRow, "createdAt" | "updatedAt">, now: Millis): Statement => ({
    guard: true,
    sql: `insert into ${inserted.into} select ${inserted.values} on conflict do nothing`,
    params: { ...inserted.params(row), now },
  }),

  remove: (id: string): Statement => ({
    guard: true,
    sql: "delete from organization_providers where organization_id = $id",
    params: { id },
  }),

  /** Replaces a sealed secret by the same secret, sealed anew. Changes nothing where somebody has set another one meanwhile. */
  reseal: (id: string, from: string, to: string): Statement => ({
    sql: "update organization_providers set secret = $to where organization_id = $id and secret = $from",
    params: { id, from, to },
  }),

  /** Locks the organization. Holds only while its provider may speak for addresses below this domain. */
  hold: (id: string, domain: string): Statement => ({
    guard: true,
    sql: `update organizations set members = members where id = $id and exists (select 1 from organization_domains d
      join organization_providers p on p.organization_id = d.organization_id
      where d.organization_id = $id and d.domain = $domain and d.verified_at is not null)`,
    params: { id, domain },
  }),

  /**
   * Notes that the provider is linked to a member's account without their asking. Holds only while the person is in no other organization,
   * and once, unless the provider is the only way in.
   */
  link: (id: string, userId: string, now: Millis): Statement => ({
    guard: true,
    sql: `update organization_members set linked_at = $now where organization_id = $id and user_id = $userId
      and (linked_at is null or exists (select 1 from organization_providers p where p.organization_id = $id and p.enforced = 1))
      and (select count(*) from organization_members c where c.user_id = $userId) = 1`,
    params: { id, userId, now },
  }),
});

export type ProviderRepository = ReturnType<typeof createProviderRepository>;
