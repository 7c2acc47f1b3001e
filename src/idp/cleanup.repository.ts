import { hour } from "../core/clock.ts";
import type { StaleRows } from "../core/module.ts";
import { oldRows, type Database } from "../drivers/database/index.ts";
import { unusedClient } from "./client/client.repository.ts";

/** A used code is kept for a day: who shows it again ends what came of it. */
const keepMs = 24 * hour;

/** Programs that no operator has registered go after a month without use, unless somebody has let them in. */
const monthMs = 30 * 24 * hour;
const isForgotten = `origin <> 'operator' and coalesce(last_used_at, created_at) <= $before and ${unusedClient}`;

/** Returns the rows of the provider that nobody needs any more. */
export function staleIdpRows(db: Database): readonly StaleRows[] {
  const old = (
    name: string,
    table: string,
    key: string,
    keptMs: number,
    condition = "expires_at <= $before",
  ): StaleRows => {
    const { deleteSome, count } = oldRows(db, table, key, condition);
    return {
      name,
      deleteSome: (now, limit) => deleteSome(now - keptMs, limit),
      count: (now) => count(now - keptMs),
    };
  };
  return [
    old("unused_clients", "idp_clients", "id", monthMs, isForgotten),
    old("expired_codes", "idp_codes", "code_hash", keepMs),
    old("expired_requests", "idp_requests", "id", 0),
    old("expired_devices", "idp_devices", "device_hash", keepMs),
    old("expired_proofs", "idp_proofs", "proof_hash", 0),
  ];
}
