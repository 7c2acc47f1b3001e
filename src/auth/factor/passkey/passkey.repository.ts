import type { Millis } from "../../../core/clock.ts";
import {
  computed,
  sql,
  column,
  tableOf,
  together,
  type Database,
  type RowOf,
  type Statement,
} from "../../../drivers/database/index.ts";
import { factorBits } from "../method.ts";
import type { StoredFactor } from "../stored.factors.ts";

const stored = tableOf("auth_passkeys", {
  id: column<string>("id"),
  userId: column<string>("user_id"),
  credentialId: column<string>("credential_id"),
  /** The key in COSE form, in base64url. */
  publicKey: column<string>("public_key"),
  counter: column<number>("counter"),
  name: column<string>("name"),
  aaguid: column<string>("aaguid"),
  /** Words of WebAuthn with spaces between them. */
  transports: column<string>("transports"),
  /** 1 where the passkey may be copied to other devices, and below where it has been, as far as the authenticator says. */
  backupEligible: column<number>("backup_eligible"),
  backedUp: column<number>("backed_up"),
  createdAt: column<Millis>("created_at"),
  lastUsedAt: column<Millis | null>("last_used_at"),
  /**
   * The relying party that the passkey was made for. The service itself is another one once AUTH_WEBAUTHN_RP_ID has changed, and in the
   * other app.
   */
  rpId: column<string>("rp_id"),
});
/** The id by which the authenticator knows the account. */
const handle = computed<{ handle: string }>({ handle: "h.handle" });
const columns = together(stored.as("p"), handle);
export type PasskeyRow = RowOf<typeof columns>;

export const mostPasskeys = 20;

const from = "from auth_passkeys p join auth_passkey_handles h on h.user_id = p.user_id";
const found = {
  byCredential: sql`select ${columns} ${from} where p.credential_id = $credentialId and p.rp_id = $rpId`,
  byId: sql`select ${columns} ${from} where p.id = $id and p.user_id = $userId`,
  list: sql`select ${columns} ${from} where p.user_id = $userId order by p.created_at, p.id limit ${mostPasskeys}`,
  stored: sql`select ${stored.as("p").pick("id", "name", "createdAt", "lastUsedAt")}
    from auth_passkeys p where p.user_id = $userId order by p.created_at, p.id limit ${mostPasskeys}`,
  handle: sql`select ${handle} from auth_passkey_handles h where h.user_id = $userId`,
};

const inserted = stored.insert({ createdAt: "$now", lastUsedAt: "null" });
const insertPasskey = `insert into ${inserted.into} select ${inserted.values}
  where (select count(*) from auth_passkeys o where o.user_id = $userId) < ${mostPasskeys}
  on conflict do nothing`;

/** An authenticator's word on the passkey that it made. Bytes are base64url. */
export interface NewPasskey {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly aaguid: string;
  readonly transports: readonly string[];
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
}

/** The state of a passkey that a right signature vouches for. */
export interface Assertion {
  readonly counter: number;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
}

/**
 * Owns the tables of passkeys. A passkey is found only for the relying party that it was made for: browsers offer it to no other. Methods
 * named for a change return the statement of a batch that has locked the user.
 */
export const createPasskeyRepository = (db: Database, rpId: string) => ({
  bit: factorBits.passkey,
  isSetUp: "exists (select 1 from auth_passkeys p where p.user_id = users.id)",

  byCredential: (credentialId: string) => db.get(found.byCredential, { credentialId, rpId }),

  byId: (id: string, userId: string) => db.get(found.byId, { id, userId }),

  /** Returns the passkeys of every relying party, the oldest first. */
  list: (userId: string) => db.all(found.list, { userId }),

  async listStored(userId: string): Promise<readonly StoredFactor[]> {
    const rows = await db.all(found.stored, { userId });
    return rows.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      method: "passkey",
      name,
      addedAt: createdAt,
      lastUsedAt,
    }));
  },

  removeUnset: (userId: string): Statement => ({
    sql: `delete from auth_passkeys where user_id = $userId
            and exists (select 1 from users u where u.id = $userId and (u.factors & ${factorBits.passkey}) = 0)`,
    params: { userId },
  }),

  removeSince: (userId: string, since: Millis, keep: readonly string[]): Statement => ({
    sql: `delete from auth_passkeys where user_id = $userId and created_at > $since
            and id not in (${["''", ...keep.map((_, at) => `$keep${at}`)].join(", ")})
          returning 'passkey' as factor`,
    params: { userId, since, ...Object.fromEntries(keep.map((id, at) => [`keep${at}`, id])) },
  }),

  async handle(userId: string): Promise<string | undefined> {
    return (await db.get(found.handle, { userId }))?.handle;
  },

  /** Returns the handle of the account, and stores `otherwise` as its handle where it has none yet. */
  async handleOf(userId: string, otherwise: string, now: Millis): Promise<string> {
    const find = () => db.get(found.handle, { userId });
    const known = await find();
    if (known !== undefined) return known.handle;
    await db.run(
      `insert into auth_passkey_handles (user_id, handle, created_at)
       select id, $handle, $now from users where id = $userId on conflict do nothing`,
      { userId, handle: otherwise, now },
    );
    return (await find())?.handle ?? otherwise;
  },

  /** Stores the passkey. Holds while the account has room for it, and no account has the credential. */
  insert: (
    passkey: NewPasskey & { readonly id: string; readonly userId: string; readonly name: string },
    now: Millis,
  ): Statement => ({
    guard: true,
    sql: insertPasskey,
    params: {
      ...inserted.params({
        ...passkey,
        rpId,
        transports: passkey.transports.join(" "),
        backupEligible: passkey.backupEligible ? 1 : 0,
        backedUp: passkey.backedUp ? 1 : 0,
      }),
      now,
    },
  }),

  /** Records a use. Holds while the counter has not reached this one: of two answers with the same counter one serves. */
  used: (
    { id, userId }: Pick<PasskeyRow, "id" | "userId">,
    { counter, backupEligible, backedUp }: Assertion,
    now: Millis,
  ): Statement => ({
    guard: true,
    sql: `update auth_passkeys set counter = $counter, backup_eligible = $backupEligible, backed_up = $backedUp, last_used_at = $now
            where id = $id and user_id = $userId and (counter < $counter or (counter = 0 and $counter = 0))`,
    params: { id, userId, counter, backupEligible: backupEligible ? 1 : 0, backedUp: backedUp ? 1 : 0, now },
  }),

  /** Holds while the account has such a passkey. */
  rename: (id: string, userId: string, name: string): Statement => ({
    guard: true,
    sql: `update auth_passkeys set name = $name where id = $id and user_id = $userId`,
    params: { id, userId, name },
  }),

  /** Holds while the account has the passkey, and as many as were counted. */
  remove: (id: string, userId: string, counted: number): Statement => ({
    guard: true,
    sql: `delete from auth_passkeys where id = $id and user_id = $userId
            and (select count(*) from auth_passkeys o where o.user_id = $userId) = $counted`,
    params: { id, userId, counted },
  }),

  /** Records the answer to a challenge. Holds once for each challenge. */
  answer: (challengeHash: string, expiresAt: Millis): Statement => ({
    guard: true,
    sql: `insert into auth_passkey_answers (challenge_hash, expires_at) values ($challengeHash, $expiresAt)
          on conflict do nothing`,
    params: { challengeHash, expiresAt },
  }),

  async isAnswered(challengeHash: string): Promise<boolean> {
    const row = await db.get(`select 1 as found from auth_passkey_answers where challenge_hash = $challengeHash`, {
      challengeHash,
    });
    return row !== undefined;
  },
});

export type PasskeyRepository = ReturnType<typeof createPasskeyRepository>;
