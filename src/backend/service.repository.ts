import type { Millis } from "../core/clock.ts";
import { sql, tableOf, type Database, type RowOf, type Statement } from "../drivers/database/index.ts";

/** A whole row of `services`. */
interface StoredService {
  readonly id: string;
  readonly name: string;
  readonly secretHash: string;
  /** With one space between two. */
  readonly scopes: string;
  readonly createdAt: Millis;
  readonly lastUsedAt: Millis | null;
  readonly revokedAt: Millis | null;
}

const stored = tableOf<StoredService>("services", {
  id: "id",
  name: "name",
  secretHash: "secret_hash",
  scopes: "scopes",
  createdAt: "created_at",
  lastUsedAt: "last_used_at",
  revokedAt: "revoked_at",
});
const columns = stored.except("secretHash");
export type ServiceRow = RowOf<typeof columns>;

/** More than any installation has. */
const mostListed = 10_000;

const found = {
  bySecret: sql`select ${columns} from services where secret_hash = $secretHash`,
  list: sql`select ${columns} from services order by name, created_at desc, id desc limit ${mostListed}`,
};
const inserted = stored.insert({ lastUsedAt: "null", revokedAt: "null" });
const insertService = `insert into ${inserted.into} values (${inserted.values}) on conflict do nothing`;

/** Owns `services`. Methods named for a change return the statement of a batch. */
export const createServiceRepository = (db: Database) => ({
  /** Looks for the hash of a secret alone: how long that takes tells nothing about a secret that somebody guesses at. */
  bySecret: (secretHash: string) => db.get(found.bySecret, { secretHash }),

  /** Revoked ones too, the newest of a name first. */
  list: () => db.all(found.list),

  /** Changes nothing while another service has the name. */
  insert: (service: Pick<ServiceRow, "id" | "name" | "scopes" | "createdAt">, secretHash: string): Statement => ({
    guard: true,
    sql: insertService,
    params: inserted.params({ ...service, secretHash }),
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
