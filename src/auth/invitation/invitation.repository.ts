import type { Millis } from "../../core/clock.ts";
import type { Position } from "../../core/text/position.ts";
import {
  computed,
  sql,
  column,
  tableOf,
  together,
  type Database,
  type RowOf,
  type Statement,
} from "../../drivers/database/index.ts";
import { isAdmin } from "../user/user.repository.ts";

/** Facts about an invitation that are found out as it is read. */
interface InvitationStanding {
  /** 1 while the inviter may still invite; 0 makes the invitation worth as much as a withdrawn one. */
  readonly stands: number;
  /** The user name of the member of staff, for readers who may invite themselves. `inviterDisplayName` is the name that the invited are told. */
  readonly inviterUsername: string | null;
  readonly inviterDisplayName: string | null;
  /** The name of the organization that it is an invitation to. */
  readonly organizationName: string | null;
}

/**
 * An inviter who leaves must leave no way in behind: an invitation stands only while the member of staff who made it is an active admin,
 * the member of an organization may still give what it gives there, or the service has not been revoked. A service that took over the name of a revoked one began later. `table` is the table's name in the
 * statement.
 */
const standsIn = (table: string): string => `(${table}.inviter_user_id is null
    or ${table}.organization_id is null and exists (select 1 from users s where s.id = ${table}.inviter_user_id and ${isAdmin("s")})
    or exists (select 1 from organization_members m join users s on s.id = m.user_id and s.active = 1
      where m.organization_id = ${table}.organization_id and m.user_id = ${table}.inviter_user_id
        and m.rank >= ${table}.organization_rank))
  and (${table}.inviter_service is null or exists (select 1 from services v
    where v.name = ${table}.inviter_service and v.revoked_at is null and v.created_at <= ${table}.invited_at))`;
const stands = standsIn("i");

const stored = tableOf("auth_invitations", {
  id: column<string>("id"),
  /** The address as it was typed. */
  email: column<string>("email"),
  emailKey: column<string>("email_key"),
  /** Role names in their stored form: see user/roles.ts. */
  roles: column<string>("roles"),
  displayName: column<string | null>("display_name"),
  locale: column<string | null>("locale"),
  /** The organization that it is an invitation to, the roles that it gives there, and the rank that somebody needs to give them. */
  organizationId: column<string | null>("organization_id"),
  organizationRoles: column<string | null>("organization_roles"),
  organizationRank: column<number | null>("organization_rank"),
  /** The member of staff, or of the organization, who invited. Where neither this nor a service is set, an operator invited at the command line. */
  inviterUserId: column<string | null>("inviter_user_id"),
  inviterService: column<string | null>("inviter_service"),
  createdAt: column<Millis>("created_at"),
  invitedAt: column<Millis>("invited_at"),
  expiresAt: column<Millis>("expires_at"),
  withdrawnAt: column<Millis | null>("withdrawn_at"),
  acceptedAt: column<Millis | null>("accepted_at"),
  acceptedUserId: column<string | null>("accepted_user_id"),
});
type StoredInvitation = RowOf<typeof stored>;
const columns = together(
  stored.as("i"),
  computed<InvitationStanding>({
    stands: `case when ${stands} then 1 else 0 end`,
    inviterUsername: "(select s.username from users s where s.id = i.inviter_user_id)",
    inviterDisplayName: "(select s.display_name from users s where s.id = i.inviter_user_id)",
    organizationName: "(select o.name from organizations o where o.id = i.organization_id)",
  }),
);
export type InvitationRow = RowOf<typeof columns>;

const withToken = together(columns, computed<{ tokenExpiresAt: Millis }>({ tokenExpiresAt: "t.expires_at" }));
export type TokenRow = RowOf<typeof withToken>;

/** The columns that an invitation and its renewal write. */
export type InvitationTerms = Pick<
  StoredInvitation,
  | "email"
  | "roles"
  | "displayName"
  | "locale"
  | "organizationId"
  | "organizationRoles"
  | "organizationRank"
  | "inviterUserId"
  | "inviterService"
  | "expiresAt"
>;
/** What an invitation to no organization has in place of one. */
export const noOrganization = { organizationId: null, organizationRoles: null, organizationRank: null } as const;

const isWaiting = "i.accepted_at is null and i.withdrawn_at is null";
/** The condition of `isWaiting` for an update, whose table has no alias. */
const waits = "accepted_at is null and withdrawn_at is null";
/** An organization invites people who have an account, too. */
const noAccount =
  "(cast($organizationId as text) is not null or not exists (select 1 from users u where u.email_key = $emailKey))";
const isTo = (table: string): string => `coalesce(${table}.organization_id, '') = $to`;
const mostListed = 1_000;

const found = {
  byId: sql`select ${columns} from auth_invitations i where i.id = $id`,
  waiting: sql`select ${columns} from auth_invitations i where i.email_key = $emailKey and ${isTo("i")} and ${isWaiting}`,
  ofOrganization: sql`select ${columns} from auth_invitations i where i.organization_id = $organizationId and ${isWaiting}
    and (i.invited_at < $at or (i.invited_at = $at and i.id < $id)) order by i.invited_at desc, i.id desc limit $limit`,
  byToken: sql`select ${withToken} from auth_invitation_tokens t
    join auth_invitations i on i.id = t.invitation_id where t.token_hash = $tokenHash`,
  ofAccount: sql`select ${columns} from auth_invitations i where i.accepted_user_id = $userId or i.email_key = $emailKey
    order by i.invited_at desc, i.id desc limit ${mostListed}`,
};

const inserted = stored.insert({
  createdAt: "$now",
  invitedAt: "$now",
  withdrawnAt: "null",
  acceptedAt: "null",
  acceptedUserId: "null",
});
const insertInvitation = `insert into ${inserted.into} select ${inserted.values} where ${noAccount} on conflict do nothing`;

/** Owns `auth_invitations` and `auth_invitation_tokens`. Methods named for a change return the statement of a batch. */
export const createInvitationRepository = (db: Database) => ({
  byId: (id: string) => db.get(found.byId, { id }),

  /** Returns the invitation that waits to be accepted, expired or not: to the organization, or to none. */
  waiting: (emailKey: string, organizationId: string | null = null) =>
    db.get(found.waiting, { emailKey, to: organizationId ?? "" }),

  /** Returns the invitations to an organization that wait, the last renewed first. */
  listOf: (organizationId: string, { at, id }: Position, limit: number) =>
    db.all(found.ofOrganization, { organizationId, at, id, limit: Math.min(limit, mostListed) }),

  byToken: (tokenHash: string) => db.get(found.byToken, { tokenHash }),

  /** A guard: changes nothing where the address has an account that needs none, or an invitation that waits. */
  insert: (id: string, emailKey: string, terms: InvitationTerms, now: Millis): Statement => ({
    guard: true,
    sql: insertInvitation,
    params: { ...inserted.params({ id, emailKey, ...terms }), now },
  }),

  /** A guard, after the insert: holds while the organization has not invited more than `most` people since. */
  room: (organizationId: string, most: number, since: Millis): Statement => ({
    guard: true,
    sql: `update auth_invitations set invited_at = invited_at where organization_id = $organizationId and invited_at > $since
            and (select count(*) from auth_invitations i where i.organization_id = $organizationId and i.invited_at > $since) <= $most`,
    params: { organizationId, most, since },
  }),

  /** A guard: holds while the invitation waits with the roles that were read, and the address has no account. */
  renew: (
    { id, emailKey, roles, organizationRoles }: InvitationRow,
    terms: InvitationTerms,
    now: Millis,
  ): Statement => ({
    guard: true,
    sql: `update auth_invitations set email = $email, roles = $roles, display_name = $displayName, locale = $locale,
            organization_roles = $organizationRoles, organization_rank = $organizationRank,
            inviter_user_id = $inviterUserId, inviter_service = $inviterService, invited_at = $now, expires_at = $expiresAt
          where id = $id and ${waits} and roles = $fromRoles and coalesce(organization_roles, '') = $fromThere
            and ${isTo("auth_invitations")} and ${noAccount}`,
    params: {
      id,
      emailKey,
      fromRoles: roles,
      fromThere: organizationRoles ?? "",
      to: terms.organizationId ?? "",
      ...terms,
      now,
    },
  }),

  /** A guard: holds while the invitation waits with the roles in an organization that were read. */
  withdraw: ({ id, organizationRoles }: Pick<InvitationRow, "id" | "organizationRoles">, now: Millis): Statement => ({
    guard: true,
    sql: `update auth_invitations set withdrawn_at = $now where id = $id and ${waits}
            and coalesce(organization_roles, '') = $fromThere`,
    params: { id, fromThere: organizationRoles ?? "", now },
  }),

  /**
   * Single use: of any number of racing acceptances one changes the row. Holds only while the roles are those that the account is made
   * with, and the inviter may still invite. Each condition is on the row itself: where the row was written meanwhile, PostgreSQL reads
   * nothing else again, and would accept what has just been withdrawn.
   */
  accept: ({ id, roles, organizationRoles }: InvitationRow, userId: string, now: Millis): Statement => ({
    guard: true,
    sql: `update auth_invitations set accepted_at = $now, accepted_user_id = $userId
          where id = $id and ${waits} and expires_at > $now and roles = $roles
            and coalesce(organization_roles, '') = $organizationRoles and ${standsIn("auth_invitations")}`,
    params: { id, roles, organizationRoles: organizationRoles ?? "", userId, now },
  }),

  /** Stores the token of a mail. A guard: no mail is made of an invitation that can't be accepted any more. */
  insertToken: (token: { tokenHash: string; invitationId: string; now: Millis }): Statement => ({
    guard: true,
    sql: `insert into auth_invitation_tokens (token_hash, invitation_id, created_at, expires_at)
          select $tokenHash, i.id, $now, i.expires_at from auth_invitations i
          where i.id = $invitationId and ${isWaiting} and i.expires_at > $now and ${stands}
          on conflict (token_hash) do update set expires_at = excluded.expires_at`,
    params: token,
  }),

  /** Returns waiting invitations, or all that are still stored, the last renewed first. */
  list: ({ all, before }: { all: boolean; before: Position | undefined }, limit: number): Promise<InvitationRow[]> => {
    const where = [
      "i.organization_id is null",
      ...(all ? [] : [isWaiting]),
      ...(before === undefined ? [] : ["(i.invited_at < $at or (i.invited_at = $at and i.id < $id))"]),
    ];
    return db.all(
      sql`select ${columns} from auth_invitations i where ${where.join(" and ")}
       order by i.invited_at desc, i.id desc limit $limit`,
      { limit: Math.min(limit, mostListed), ...(before && { at: before.at, id: before.id }) },
    );
  },

  /** Returns the invitations of one account: those that it accepted, and those that its address was sent. */
  listStored: (userId: string, emailKey: string) => db.all(found.ofAccount, { userId, emailKey }),

  /** Deletes every invitation of an address. The account's own row takes along those that it accepted. */
  forget: (emailKey: string): Statement => ({
    sql: `delete from auth_invitations where email_key = $emailKey`,
    params: { emailKey },
  }),
});

export type InvitationRepository = ReturnType<typeof createInvitationRepository>;
