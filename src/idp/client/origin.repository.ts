import { column, sql, tableOf, type Database, type Statement } from "../../drivers/database/index.ts";
import type { Client } from "./client.ts";

const stored = tableOf("idp_browser_origins", {
  clientId: column<string>("client_id"),
  origin: column<string>("origin"),
});

const found = sql`select ${stored} from idp_browser_origins where origin = $origin limit 1`;
const inserted = stored.insert();
const insertOrigin = `insert into ${inserted.into} values (${inserted.values}) on conflict do nothing`;

const originsOf = ({ settings }: Pick<Client, "settings">): ReadonlySet<string> =>
  new Set(settings.type === "browser" ? settings.redirect_uris.map((uri) => new URL(uri).origin) : []);

/**
 * Owns `idp_browser_origins`: where the pages of clients are that run in browsers. Each is found by itself, so that however many strangers
 * have registered, none takes the place of another.
 */
export const createOriginRepository = (db: Database) => ({
  /** Whether a client runs in pages of this origin, whose scripts may read answers then. */
  isOfBrowser: async (origin: string): Promise<boolean> => (await db.get(found, { origin })) !== undefined,
});

/** Returns the statements that write down where the pages of a client are, in the batch that writes the client itself. */
export const writeOrigins = (client: Pick<Client, "id" | "settings">): readonly Statement[] => [
  { sql: "delete from idp_browser_origins where client_id = $clientId", params: { clientId: client.id } },
  ...[...originsOf(client)].map((origin) => ({
    sql: insertOrigin,
    params: inserted.params({ clientId: client.id, origin }),
  })),
];
