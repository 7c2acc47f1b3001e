import { column, sql, tableOf, type Database } from "../../drivers/database/index.ts";
import { newPrivateKey } from "../../core/keys/signing.keys.ts";

const stored = tableOf("idp_local_keys", {
  name: column<string>("name"),
  /** PKCS #8. */
  pem: column<string>("pem"),
});
const found = sql`select ${stored.pick("pem")} from idp_local_keys where name = $name`;
const inserted = stored.insert();

const algorithms = { access: "ES256", rsa: "RS256" } as const;

/**
 * Returns a key that is made once for a developer's machine, in PEM (PKCS #8). Of several processes that need it at the same time one
 * makes it, and the others read what that one has stored.
 */
export async function localKey(db: Database, name: keyof typeof algorithms): Promise<string> {
  const known = await db.get(found, { name });
  if (known !== undefined) return known.pem;
  const pem = newPrivateKey(algorithms[name]);
  await db.run(`insert into ${inserted.into} values (${inserted.values}) on conflict do nothing`, { name, pem });
  const kept = await db.get(found, { name });
  if (kept === undefined) throw new Error("a key that was stored is not there");
  return kept.pem;
}
