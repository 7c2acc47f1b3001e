import { jsonAs } from "../../core/text/json.ts";
import type { Millis } from "../../core/clock.ts";
import { column, sql, tableOf, type Database, type RowOf, type Statement } from "../../drivers/database/index.ts";
import { ClientSettings, KeySet, type Client, type ClientOrigin } from "./client.ts";
import { writeOrigins } from "./origin.repository.ts";

const stored = tableOf("idp_clients", {
  id: column<string>("id"),
  name: column<string>("name"),
  origin: column<ClientOrigin>("origin"),
  settings: column<string>("settings"),
  secretHash: column<string | null>("secret_hash"),
  logoutUri: column<string | null>("logout_uri"),
  jwks: column<string | null>("jwks"),
  freshUntil: column<Millis | null>("fresh_until"),
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
  list: sql`select ${columns} from idp_clients order by case when origin = 'operator' then 0 else 1 end, origin, name, id limit ${mostListed}`,
};
const inserted = stored.insert({ lastUsedAt: "null", freshUntil: "null" });
const insertClient = `insert into ${inserted.into} values (${inserted.values}) on conflict do nothing`;

const insertedDocument = stored.insert({ secretHash: "null", logoutUri: "null" });
const keepDocument = `insert into ${insertedDocument.into} values (${insertedDocument.values})
  on conflict (id) do update set name = excluded.name, settings = excluded.settings, jwks = excluded.jwks,
    fresh_until = excluded.fresh_until, updated_at = excluded.updated_at, last_used_at = excluded.last_used_at
  where idp_clients.origin = 'document'`;
/** A program that somebody has let in stays, so that they can see and end it. */
export const unusedClient = `id not in (select client_id from idp_consents)
  and id not in (select client_id from auth_sessions where client_id is not null and revoked_at is null)`;
/** Documents are read anew when they are wanted; beyond so many the oldest that nobody uses go. */
const mostDocuments = 1_000;
const dropOldDocuments = `delete from idp_clients where origin = 'document' and id in
  (select id from idp_clients where origin = 'document' and ${unusedClient}
    order by fresh_until desc, id limit 100 offset ${mostDocuments})`;

const jwksOf = (text: string) => {
  const jwks = jsonAs(KeySet, text);
  if (jwks === undefined) throw new Error("the keys of a client are not readable");
  return jwks;
};

function read({ settings, jwks, ...row }: RowOf<typeof columns>): Client {
  const parsed = jsonAs(ClientSettings, settings);
  if (parsed === undefined) throw new Error(`the settings of client ${row.id} are not readable`);
  return { ...row, settings: parsed, ...(jwks !== null && { jwks: jwksOf(jwks) }) };
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
  insert: ({ settings, jwks, ...client }: Omit<Client, "lastUsedAt" | "freshUntil">): readonly Statement[] => [
    {
      guard: true,
      sql: insertClient,
      params: inserted.params({
        ...client,
        settings: JSON.stringify(settings),
        logoutUri: settings.backchannel_logout_uri,
        jwks: jwks === undefined ? null : JSON.stringify(jwks),
      }),
    },
    ...writeOrigins({ id: client.id, settings }),
  ],

  /** Keeps what the document of a client says, until it is read again. */
  async keepDocument(client: Omit<Client, "lastUsedAt" | "freshUntil">, freshUntil: Millis): Promise<void> {
    const { id, name, origin, settings, jwks, createdAt, updatedAt } = client;
    const row = { id, name, origin, settings: JSON.stringify(settings), createdAt, updatedAt };
    const keys = jwks === undefined ? null : JSON.stringify(jwks);
    const params = insertedDocument.params({ ...row, jwks: keys, freshUntil, lastUsedAt: updatedAt });
    await db.batch([{ sql: keepDocument, params }, ...writeOrigins(client)]);
    await db.run(dropOldDocuments);
  },

  /** Changes nothing while another client has the name. */
  update: ({ id, name, settings }: Pick<Client, "id" | "name" | "settings">, now: Millis): readonly Statement[] => [
    {
      guard: true,
      sql: `update idp_clients set name = $name, settings = $settings, logout_uri = $logoutUri, updated_at = $now where id = $id
        and (name = $name or not exists (select 1 from idp_clients where name = $name and origin = 'operator'))`,
      params: { id, name, settings: JSON.stringify(settings), logoutUri: settings.backchannel_logout_uri, now },
    },
    ...writeOrigins({ id, settings }),
  ],

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
