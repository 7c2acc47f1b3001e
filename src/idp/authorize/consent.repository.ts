import type { Millis } from "../../core/clock.ts";
import { column, sql, tableOf, type Database, type RowOf, type Statement } from "../../drivers/database/index.ts";

const stored = tableOf("idp_consents", {
  userId: column<string>("user_id"),
  clientId: column<string>("client_id"),
  scope: column<string>("scope"),
  /** Addresses of resource servers, apart by blanks, which no address has. */
  resources: column<string>("resources"),
  grantedAt: column<Millis>("granted_at"),
});
export type ConsentRow = RowOf<typeof stored>;

const found = {
  one: sql`select ${stored} from idp_consents where user_id = $userId and client_id = $clientId`,
  ofUser: sql`select ${stored} from idp_consents where user_id = $userId order by granted_at desc limit 1000`,
};
const inserted = stored.insert();

/** Owns `idp_consents`. Methods named for a change return the statement of a batch. */
export const createConsentRepository = (db: Database) => ({
  find: (userId: string, clientId: string) => db.get(found.one, { userId, clientId }),
  ofUser: (userId: string) => db.all(found.ofUser, { userId }),

  /** Remembers what a person lets a client have. Holds only where nothing was remembered. */
  begin: (consent: ConsentRow): Statement => ({
    guard: true,
    sql: `insert into ${inserted.into} values (${inserted.values}) on conflict do nothing`,
    params: inserted.params(consent),
  }),

  /** Writes a row anew. Holds only while it says what was read. */
  replace: (before: ConsentRow, { scope, resources, grantedAt }: ConsentRow): Statement => ({
    guard: true,
    sql: `update idp_consents set scope = $scope, resources = $resources, granted_at = $grantedAt
          where user_id = $userId and client_id = $clientId and scope = $scopeBefore and resources = $resourcesBefore`,
    params: {
      userId: before.userId,
      clientId: before.clientId,
      scopeBefore: before.scope,
      resourcesBefore: before.resources,
      scope,
      resources,
      grantedAt,
    },
  }),

  /** Forgets what everybody has let a client have. */
  forget: (clientId: string): Statement => ({
    sql: "delete from idp_consents where client_id = $clientId",
    params: { clientId },
  }),

  withdraw: (userId: string, clientId: string): Statement => ({
    sql: "delete from idp_consents where user_id = $userId and client_id = $clientId",
    params: { userId, clientId },
  }),
});

export type ConsentRepository = ReturnType<typeof createConsentRepository>;
