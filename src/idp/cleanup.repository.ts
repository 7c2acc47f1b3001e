import { hour, type Millis } from "../core/clock.ts";
import type { StaleRows } from "../core/module.ts";
import { unusedClient } from "./client/client.repository.ts";
import { computed, sql, type Database } from "../drivers/database/index.ts";

/** A used code is kept for a day: who shows it again ends what came of it. */
const keepMs = 24 * hour;

const monthMs = 30 * 24 * hour;

/** Programs that no operator has registered go after a month without use, unless somebody has let them in. */
function strangers(db: Database): StaleRows {
  const condition = `origin <> 'operator' and coalesce(last_used_at, created_at) <= $before and ${unusedClient}`;
  const counted = sql`select ${computed<{ found: number }>({ found: "count(*)" })} from idp_clients where ${condition}`;
  return {
    name: "unused_clients",
    deleteSome: async (now: Millis, limit: number) =>
      (
        await db.run(
          `delete from idp_clients where id in (select id from idp_clients where ${condition} limit $limit)`,
          { before: now - monthMs, limit },
        )
      ).changes,
    count: async (now: Millis) => (await db.get(counted, { before: now - monthMs }))?.found ?? 0,
  };
}

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
    strangers(db),
    old("expired_codes", "idp_codes", "code_hash", keepMs),
    old("expired_requests", "idp_requests", "id", 0),
    old("expired_devices", "idp_devices", "device_hash", keepMs),
    old("expired_proofs", "idp_proofs", "proof_hash", 0),
  ];
}
