import type { Millis } from "../../core/clock.ts";
import { column, sql, tableOf, type Database, type RowOf, type Statement } from "../../drivers/database/index.ts";

const stored = tableOf("idp_consents", {
  userId: column<string>("user_id"),
  clientId: column<string>("client_id"),
  scope: column<string>("scope"),
  grantedAt: column<Millis>("granted_at"),
});
export type Consent = RowOf<typeof stored>;

const found = {
  one: sql`select ${stored} from idp_consents where user_id = $userId and client_id = $clientId`,
  ofUser: sql`select ${stored} from idp_consents where user_id = $userId order by granted_at desc limit 1000`,
};
const inserted = stored.insert();

/** Owns `idp_consents`. Methods named for a change return the statement of a batch. */
export const createConsentRepository = (db: Database) => ({
  find: (userId: string, clientId: string) => db.get(found.one, { userId, clientId }),
  ofUser: (userId: string) => db.all(found.ofUser, { userId }),

  /** Remembers what a person has let a client have, in place of what the row says. */
  grant: (consent: Consent): Statement => ({
    sql: `insert into ${inserted.into} values (${inserted.values})
          on conflict (user_id, client_id) do update set scope = excluded.scope, granted_at = excluded.granted_at`,
    params: inserted.params(consent),
  }),

  /** Holds only while what a person has let a client have is still what was read. */
  hold: ({ userId, clientId, scope }: Pick<Consent, "userId" | "clientId" | "scope">): Statement => ({
    guard: true,
    sql: "update idp_consents set scope = scope where user_id = $userId and client_id = $clientId and scope = $scope",
    params: { userId, clientId, scope },
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
