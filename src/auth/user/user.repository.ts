import type { Millis } from "../../core/clock.ts";
import { computed, sql, type Database, type Statement } from "../../drivers/database/index.ts";
import { foldedName, type loginKey } from "./identifiers.ts";
import { createReservations, reservedForOthers, type ReservationKind } from "./reservation.repository.ts";
import { staffRoles, type StaffRole } from "../../core/people/staff.ts";
import { adminRole } from "./roles.ts";
import { passwordStatements } from "./user.password.repository.ts";
import { addressStatements, type AddressMove } from "./user.address.repository.ts";
import {
  profileFields,
  storedUser,
  userColumns,
  type ProfileChange,
  type ShownUser,
  type StoredUser,
  type UserRow,
} from "./user.columns.ts";

export type { AddressMove, ProfileChange, ShownUser, StoredUser, UserRow };

const hasRole = (user: string, role: StaffRole): string => `' ' || ${user}.roles || ' ' like '% ${role} %'`;

/** A condition: the user is active and has the role. `user` is the name of the table in the statement. */
export const actsAs = (user: string, role: StaffRole): string =>
  `${user}.active = 1 and ${user}.roles <> '' and ${hasRole(user, role)}`;

/** A condition: the user is an active admin. */
export const isAdmin = (user: string): string => actsAs(user, adminRole);

/** A condition: the user, active or not, has none of the roles that open the pages for staff. */
export const isNoStaff = (user: string): string =>
  `(${user}.roles = '' or not (${staffRoles.map((role) => hasRole(user, role)).join(" or ")}))`;

const found = {
  byId: sql`select ${userColumns} from users where id = $key`,
  byEmail: sql`select ${userColumns} from users where email_key = $key`,
  byUsername: sql`select ${userColumns} from users where username_key = $key`,
  byExternalId: sql`select ${userColumns} from users where external_id = $key`,
  page: sql`select ${userColumns} from users where id > $after order by id limit $limit`,
  /** The index `users_old_hash` has the same condition. */
  oldHash: sql`select ${computed<{ hash: string }>({ hash: "password_hash" })} from users where password_hash not like '_argon2id_%' limit 1`,
};

const inserted = storedUser.insert();
const insertUser = `insert into ${inserted.into} select ${inserted.values}
  where not ${reservedForOthers("email", "$emailKey")} and not ${reservedForOthers("username", "$usernameKey")}
  on conflict do nothing`;

const createLookUps = (db: Database) => ({
  byId: (id: string) => db.get(found.byId, { key: id }),
  byEmail: (key: string) => db.get(found.byEmail, { key }),
  byUsername: (key: string) => db.get(found.byUsername, { key }),
  byExternalId: (key: string) => db.get(found.byExternalId, { key }),
});

const removeUser = `delete from users
  where id = $id and email_key = $emailKey and coalesce(password_hash, '') = $passwordHash
    and not exists (select 1 from organization_members m join organizations o on o.id = m.organization_id
      where m.user_id = users.id and m.rank = 2 and o.owners < 2)`;

const locks = {
  /** The first lock of a batch that looks at what hangs on a user: two such batches take turns on this row. */
  hold: (id: string, now: Millis): Statement => ({
    guard: true,
    sql: `update users set updated_at = $now where id = $id and active = 1`,
    params: { id, now },
  }),

  /** Locks the user's row and leaves it as it is. */
  lock: (id: string): Statement => ({
    guard: true,
    sql: `update users set updated_at = updated_at where id = $id and active = 1`,
    params: { id },
  }),

  /** Locks the user's row. Holds only while the proven address and the roles are those that were read. */
  holdAddress: ({ id, emailKey, roles }: Pick<UserRow, "id" | "emailKey" | "roles">): Statement => ({
    guard: true,
    sql: `update users set updated_at = updated_at where id = $id and active = 1 and email_key = $emailKey
      and email_verified_at is not null and roles = $roles`,
    params: { id, emailKey, roles },
  }),

  /** Locks the user's row. Holds only while the user is active and has the roles that were read. */
  holdRoles: ({ id, roles }: Pick<UserRow, "id" | "roles">): Statement => ({
    guard: true,
    sql: `update users set updated_at = updated_at where id = $id and active = 1 and roles = $roles`,
    params: { id, roles },
  }),

  /** Locks the user's row, active or not, and leaves it as it is. */
  lockAny: (id: string): Statement => ({
    guard: true,
    sql: `update users set updated_at = updated_at where id = $id`,
    params: { id },
  }),
} as const;

/** Owns `users`. Methods named for a change return the statement of a batch. */
export function createUserRepository(db: Database) {
  const reservations = createReservations(db);
  const { byId, byEmail, byUsername, byExternalId } = createLookUps(db);
  const reservedBy = async (kind: ReservationKind, key: string, now: Millis): Promise<UserRow | undefined> => {
    const id = await reservations.reservedFor(kind, key, now);
    return id === undefined ? undefined : byId(id);
  };

  return {
    ...reservations,
    ...addressStatements,
    ...passwordStatements,
    ...locks,
    byId,
    byEmail,
    byExternalId,

    /** Returns the account that a typed login names: by address when it is one, otherwise by name. */
    byLogin: (key: ReturnType<typeof loginKey>) => ("email" in key ? byEmail(key.email) : byUsername(key.username)),

    /** Returns the user who has the address, or has given it up and may still come back to it. */
    async claimantOfEmail(key: string, now: Millis): Promise<UserRow | undefined> {
      return (await byEmail(key)) ?? reservedBy("email", key, now);
    },

    /** Returns the user who has the name, or gave it up a short while ago. */
    async claimantOfUsername(key: string, now: Millis): Promise<UserRow | undefined> {
      return (await byUsername(key)) ?? reservedBy("username", key, now);
    },

    /** Returns a password hash that another system has made, where one is left. */
    anyOldHash: async (): Promise<string | undefined> => (await db.get(found.oldHash))?.hash,

    /** Returns users in the order of their ids, after this one. */
    page: (after: string, limit: number) => db.all(found.page, { after, limit }),

    /** Changes nothing when the address or the name is taken: give it as the guard of its batch. */
    insert: (user: UserRow, now: Millis): Statement => ({
      guard: true,
      sql: insertUser,
      params: {
        ...inserted.params({
          ...user,
          displayNameKey: foldedName(user.displayName),
          pendingEmailSince: null,
          pendingEmailEpoch: 0,
          updatedAt: user.createdAt,
          holdEpoch: 0,
        }),
        now,
      },
    }),

    /** Ends the epoch of whatever is bound to the state of the account until now. */
    endHolds: (id: string): Statement => ({
      sql: `update users set hold_epoch = hold_epoch + 1 where id = $id`,
      params: { id },
    }),

    /**
     * Writes only the fields that `to` holds, so that an edit of other fields or a verification at the same time stays. The
     * guard fails when the address or the name belongs to another user, or when one of them or the password was changed
     * meanwhile.
     */
    changeProfile: (id: string, from: UserRow, to: ProfileChange, now: Millis): Statement => {
      const changes = profileFields.flatMap((field) => {
        const value = to[field];
        return value === undefined ? [] : [{ field, column: storedUser.columnOf(field), value }];
      });
      return {
        guard: true,
        sql: `update users set ${changes.map(({ field, column }) => `${column} = $${field}, `).join("")}updated_at = $now,
              ${to.displayName === undefined ? "" : "display_name_key = $displayNameKey,"}
              pending_email_since = ${to.pendingEmail === undefined ? "pending_email_since" : to.pendingEmail === null ? "null" : "$now"},
              pending_email_epoch = ${to.pendingEmail === undefined ? "pending_email_epoch" : "hold_epoch"}
            where id = $id and active = 1 and email_key = $fromEmailKey and username_key = $fromUsernameKey
              and coalesce(password_hash, '') = $fromPasswordHash
              and not exists (select 1 from users o where o.id <> $id
                and (o.email_key = $emailKey or o.username_key = $usernameKey))
              and not ${reservedForOthers("username", "$usernameKey")}`,
        params: {
          emailKey: from.emailKey,
          usernameKey: from.usernameKey,
          ...Object.fromEntries(changes.map(({ field, value }) => [field, value])),
          ...(to.displayName === undefined ? {} : { displayNameKey: foldedName(to.displayName) }),
          id,
          fromEmailKey: from.emailKey,
          fromUsernameKey: from.usernameKey,
          fromPasswordHash: from.passwordHash ?? "",
          now,
        },
      };
    },

    /**
     * Deletes the account, and by their foreign keys its sessions, grants, identities and states of a sign-in. Holds only while address and
     * password are those that were read, and while no organization would be left without an owner.
     */
    remove: ({ id, emailKey, passwordHash }: UserRow): Statement => ({
      guard: true,
      sql: removeUser,
      params: { id, emailKey, passwordHash: passwordHash ?? "" },
    }),

    /** Holds only while the roles are those that the new ones were made from, so that two changes at once do not undo each other. */
    changeRoles: (id: string, from: string, to: string, now: Millis): Statement => ({
      guard: true,
      sql: `update users set roles = $to, updated_at = $now where id = $id and roles = $from`,
      params: { id, from, to, now },
    }),

    seen: (id: string, now: Millis): Statement => ({
      sql: `update users set last_seen_at = $now where id = $id and (last_seen_at is null or last_seen_at < $now)`,
      params: { id, now },
    }),
  };
}

export type UserRepository = ReturnType<typeof createUserRepository>;
