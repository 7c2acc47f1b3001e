import type { Millis } from "../core/clock.ts";
import type { Database } from "../drivers/database/index.ts";

/** Rows deleted in one statement: few enough that no other writer waits for long. */
const batchSize = 100;

const within = (table: string, key: string, stale: string): string =>
  `delete from ${table} where ${key} in (select ${key} from ${table} where ${stale} limit ${batchSize})`;

/** Deletes stale auth rows in small steps. A step resolves to how many it deleted; fewer than it may is the end. */
export const createCleanupRepository = (db: Database) => {
  const step = async (sql: string, params: Record<string, Millis>): Promise<boolean> =>
    (await db.run(sql, params)).changes === batchSize;

  return {
    expiredSessions: (before: Millis) => step(within("auth_sessions", "id", "expires_at <= $before"), { before }),
    revokedSessions: (before: Millis) =>
      step(within("auth_sessions", "id", "revoked_at is not null and revoked_at <= $before"), { before }),
    idleSessions: (before: Millis) =>
      step(within("auth_sessions", "id", "remembered = 0 and last_seen_at <= $before"), { before }),
    grants: (before: Millis) => step(within("auth_grants", "id", "expires_at <= $before"), { before }),
    oauthStates: (before: Millis) => step(within("oauth_states", "state_hash", "expires_at <= $before"), { before }),
    attempts: (before: Millis) => step(within("auth_attempts", "attempt_key", "expires_at <= $before"), { before }),
  };
};

export type CleanupRepository = ReturnType<typeof createCleanupRepository>;
