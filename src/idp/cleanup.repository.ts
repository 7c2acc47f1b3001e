import { hour, type Millis } from "../core/clock.ts";
import type { StaleRows } from "../core/module.ts";
import { computed, sql, type Database } from "../drivers/database/index.ts";

/** A used code is kept for a day: who shows it again ends what came of it. */
const keepMs = 24 * hour;

/** Returns the rows of the provider that nobody needs any more. */
export function staleIdpRows(db: Database): readonly StaleRows[] {
  const old = (name: string, table: string, key: string, keptMs: number): StaleRows => {
    const condition = "expires_at <= $before";
    const counted = sql`select ${computed<{ found: number }>({ found: "count(*)" })} from ${table} where ${condition}`;
    return {
      name,
      deleteSome: async (now: Millis, limit: number) =>
        (
          await db.run(
            `delete from ${table} where ${key} in (select ${key} from ${table} where ${condition} limit $limit) and ${condition}`,
            { before: now - keptMs, limit },
          )
        ).changes,
      count: async (now: Millis) => (await db.get(counted, { before: now - keptMs }))?.found ?? 0,
    };
  };
  return [
    old("expired_codes", "idp_codes", "code_hash", keepMs),
    old("expired_requests", "idp_requests", "id", 0),
    old("expired_devices", "idp_devices", "device_hash", keepMs),
    old("expired_proofs", "idp_proofs", "proof_hash", 0),
  ];
}
