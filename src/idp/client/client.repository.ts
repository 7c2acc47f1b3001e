import { Value } from "@sinclair/typebox/value";
import type { Millis } from "../../core/clock.ts";
import { column, sql, tableOf, type Database, type RowOf, type Statement } from "../../drivers/database/index.ts";
import { ClientSettings, type Client, type ClientOrigin } from "./client.ts";

const stored = tableOf("idp_clients", {
  id: column<string>("id"),
  name: column<string>("name"),
  origin: column<ClientOrigin>("origin"),
  settings: column<string>("settings"),
  secretHash: column<string | null>("secret_hash"),
  logoutUri: column<string | null>("logout_uri"),
  createdAt: column<Millis>("created_at"),
  updatedAt: column<Millis>("updated_at"),
  lastUsedAt: column<Millis | null>("last_used_at"),
});
const columns = stored.except("logoutUri");

const mostListed = 1_000;
const found = {
  byId: sql`select ${columns} from idp_clients where id = $id`,
  byName: sql`select ${columns} from idp_clients where name = $name and origin = 'operator'`,
  ofUser: sql`select ${columns} from idp_clients where id in (select client_id from idp_consents where user_id = $userId
    union select client_id from auth_sessions where user_id = $userId and client_id is not null and revoked_at is null)`,
  list: sql`select ${columns} from idp_clients order by origin, name, id limit ${mostListed}`,
};
const inserted = stored.insert({ lastUsedAt: "null" });
const insertClient = `insert into ${inserted.into} values (${inserted.values}) on conflict do nothing`;

function read({ settings, ...row }: RowOf<typeof columns>): Client {
  const parsed: unknown = JSON.parse(settings);
  if (!Value.Check(ClientSettings, parsed)) throw new Error(`the settings of client ${row.id} are not readable`);
  return { ...row, settings: parsed };
}

/** Owns `idp_clients`. Methods named for a change return the statement of a batch. */
export const createClientRepository = (db: Database) => ({
  async byId(id: string): Promise<Client | undefined> {
    const row = await db.get(found.byId, { id });
    return row && read(row);
  },

  /** Returns the client that an operator has named so. */
  async byName(name: string): Promise<Client | undefined> {
    const row = await db.get(found.byName, { name });
    return row && read(row);
  },

  /** Returns the clients that a person has let in, without those that are gone. */
  ofUser: async (userId: string): Promise<readonly Client[]> => (await db.all(found.ofUser, { userId })).map(read),

  list: async (): Promise<readonly Client[]> => (await db.all(found.list)).map(read),

  /** Changes nothing while another client has the name. */
  insert: ({ settings, ...client }: Omit<Client, "lastUsedAt">): Statement => ({
    guard: true,
    sql: insertClient,
    params: inserted.params({
      ...client,
      settings: JSON.stringify(settings),
      logoutUri: settings.backchannel_logout_uri,
    }),
  }),

  update: (id: string, settings: ClientSettings, now: Millis): Statement => ({
    guard: true,
    sql: "update idp_clients set settings = $settings, logout_uri = $logoutUri, updated_at = $now where id = $id",
    params: { id, settings: JSON.stringify(settings), logoutUri: settings.backchannel_logout_uri, now },
  }),

  setSecret: (id: string, secretHash: string, now: Millis): Statement => ({
    guard: true,
    sql: "update idp_clients set secret_hash = $secretHash, updated_at = $now where id = $id",
    params: { id, secretHash, now },
  }),

  remove: (id: string): Statement => ({ guard: true, sql: "delete from idp_clients where id = $id", params: { id } }),

  used: (id: string, now: Millis, before: Millis): Statement => ({
    sql: "update idp_clients set last_used_at = $now where id = $id and (last_used_at is null or last_used_at < $before)",
    params: { id, now, before },
  }),
});

export type ClientRepository = ReturnType<typeof createClientRepository>;
