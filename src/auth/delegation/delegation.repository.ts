import type { AddressBits } from "../../core/address/address.ts";
import type { Millis } from "../../core/clock.ts";
import type { SessionEnd } from "../../core/flaws.ts";
import {
  computed,
  noColumns,
  sql,
  together,
  type Columns,
  type Database,
  type Statement,
} from "../../drivers/database/index.ts";
import { sessionColumns, shortAddressOf, shortened, type SessionRecord } from "../session/session.columns.ts";
import {
  delegated,
  delegatedApp,
  delegatedSecret,
  organizationsOfPerson,
  type DelegatedRow,
} from "./delegation.columns.ts";

export interface NewDelegation extends Pick<
  SessionRecord,
  | "id"
  | "userId"
  | "secretHash"
  | "remembered"
  | "userAgent"
  | "ipAddress"
  | "expiresAt"
  | "cameBy"
  | "factor"
  | "provedAt"
> {
  readonly clientId: string;
  readonly parentId: string;
  readonly standing: 0 | 1;
  readonly delegation: string;
  readonly now: Millis;
}

const from = `from auth_sessions s cross join users u left join auth_sessions p on p.id = s.parent_id
  where u.id = s.user_id and s.client_id is not null and s.id in ($id)`;
/** Returns the statements that read one session. Organizations are read only where there are some. */
function findersOf(hasOrganizations: boolean) {
  const row: Columns<DelegatedRow> = together(delegated, hasOrganizations ? organizationsOfPerson : noColumns);
  return {
    one: sql`select ${row} ${from}`,
    refreshable: sql`select ${row}, ${delegatedSecret} ${from}`,
  };
}
const found = {
  ofUser: sql`select ${together(
    sessionColumns.pick("id", "createdAt", "lastSeenAt", "delegation"),
    computed<{ clientId: string }>({ clientId: "client_id" }),
  )} from auth_sessions where user_id = $userId and client_id is not null and revoked_at is null and expires_at > $now
    and (remembered = 1 or last_seen_at > $idleSince) order by created_at desc, id desc limit 1000`,
  consents: sql`select ${computed<{
    clientId: string;
    clientName: string | null;
    scope: string;
    resources: string;
    grantedAt: Millis;
  }>({
    clientId: "k.client_id",
    clientName: "c.name",
    scope: "k.scope",
    resources: "k.resources",
    grantedAt: "k.granted_at",
  })} from idp_consents k left join idp_clients c on c.id = k.client_id and c.origin = 'operator' where k.user_id = $userId
    order by k.granted_at desc limit 1000`,
};

const inserted = sessionColumns.insert({
  app: `'${delegatedApp}'`,
  generation: "1",
  createdAt: "$now",
  lastSeenAt: "$now",
  rotatedAt: "null",
  revokedAt: "null",
  revokedReason: "null",
  organizationId: "null",
  // Below a session of staff in somebody's name there is no session that does not say so.
  impersonatorId: "(select p.impersonator_id from auth_sessions p where p.id = $parentId)",
});
const insertDelegation = `insert into ${inserted.into} values (${inserted.values})`;

/** Owns the rows of `auth_sessions` that programs hold. Methods named for a change return the statement of a batch. */
export const createDelegationRepository = (
  db: Database,
  hasOrganizations = false,
  bits?: AddressBits,
  finders = findersOf(hasOrganizations),
) => ({
  find: (id: string) => db.get(finders.one, { id }),
  findRefreshable: (id: string) => db.get(finders.refreshable, { id }),

  /** Returns the live sessions that programs hold for a person, newest first, at most 1,000. */
  ofUser: (userId: string, now: Millis, idleSince: Millis) => db.all(found.ofUser, { userId, now, idleSince }),

  /** Returns what a person has let programs have when they were asked, newest first, at most 1,000. */
  consentsOf: (userId: string) => db.all(found.consents, { userId }),

  insert: ({ now, ...session }: NewDelegation): Statement => ({
    sql: insertDelegation,
    params: { ...inserted.params({ ...session, shortAddress: shortAddressOf(session.ipAddress, bits) }), now },
  }),

  /** Ends what a program holds, for one person or for everybody. What it has left by itself counts as taken back, too. */
  revokeOfClient: (clientId: string, userId: string | undefined, now: Millis): Statement => ({
    sql: `update auth_sessions set revoked_at = coalesce(revoked_at, $now), revoked_reason = $reason,
            ${shortened}
          where client_id = $clientId and (revoked_at is null or revoked_reason = $left) and ($userId = '' or user_id = $userId)`,
    params: {
      clientId,
      userId: userId ?? "",
      now,
      reason: "client_withdrawn" satisfies SessionEnd,
      left: "client_ended" satisfies SessionEnd,
    },
  }),
});

export type DelegationRepository = ReturnType<typeof createDelegationRepository>;
