import type { Millis } from "../core/clock.ts";
import type { Database, Statement } from "../drivers/database/index.ts";

export interface ServiceRow {
  readonly id: string;
  readonly name: string;
  /** Scopes with one space between two. */
  readonly scopes: string;
  readonly createdAt: Millis;
  readonly lastUsedAt: Millis | null;
  readonly revokedAt: Millis | null;
}

const columns = `id, name, scopes, created_at as "createdAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`;
/** More services than any installation has. */
const mostListed = 10_000;

/** Owns `services`. Methods named for a change return a statement for a batch. */
export const createServiceRepository = (db: Database) => ({
  /** Looks for the hash of a secret alone: how long that takes tells nothing about a secret that somebody guesses at. */
  bySecret: (secretHash: string) =>
    db.get<ServiceRow>(`select ${columns} from services where secret_hash = $secretHash`, { secretHash }),

  /** Returns revoked services too, sorted by name, the newest of a name first. */
  list: () =>
    db.all<ServiceRow>(`select ${columns} from services order by name, created_at desc, id desc limit ${mostListed}`),

  /** Changes nothing while another service has the name. */
  insert: (service: Pick<ServiceRow, "id" | "name" | "scopes" | "createdAt">, secretHash: string): Statement => ({
    guard: true,
    sql: `insert into services (id, name, secret_hash, scopes, created_at)
          values ($id, $name, $secretHash, $scopes, $createdAt) on conflict do nothing`,
    params: { ...service, secretHash },
  }),

  /** Changes nothing when there is no such service, or it has been revoked already. */
  revoke: (name: string, now: Millis): Statement => ({
    guard: true,
    sql: "update services set revoked_at = $now where name = $name and revoked_at is null",
    params: { name, now },
  }),

  used: (id: string, now: Millis): Statement => ({
    sql: "update services set last_used_at = $now where id = $id and (last_used_at is null or last_used_at < $now)",
    params: { id, now },
  }),
});

export type ServiceRepository = ReturnType<typeof createServiceRepository>;
