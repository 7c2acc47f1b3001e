import type { Millis } from "../../../core/clock.ts";
import type { Database, Statement } from "../../../drivers/database/index.ts";
import { factorBits } from "../method.ts";
import type { StoredFactor } from "../stored.factors.ts";

export interface PasskeyRow {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly name: string;
  readonly aaguid: string;
  /** Words of WebAuthn with spaces between them. */
  readonly transports: string;
  /** Whether it may be copied to other devices, and has been, as far as the authenticator says. */
  readonly backupEligible: number;
  readonly backedUp: number;
  readonly createdAt: Millis;
  readonly lastUsedAt: Millis | null;
  /** What the authenticator knows the account by. */
  readonly handle: string;
  /** Whom it was made for, which is somebody else once AUTH_WEBAUTHN_RP_ID has changed, or in the other app. */
  readonly rpId: string;
}

const columns = `p.id, p.user_id as "userId", p.credential_id as "credentialId", p.public_key as "publicKey", p.counter,
  p.name, p.aaguid, p.transports, p.backup_eligible as "backupEligible",
  p.backed_up as "backedUp", p.created_at as "createdAt",
  p.last_used_at as "lastUsedAt", h.handle, p.rp_id as "rpId"`;
const from = "from auth_passkeys p join auth_passkey_handles h on h.user_id = p.user_id";

/** What an authenticator has said of the passkey that it made. Bytes are base64url. */
export interface NewPasskey {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly aaguid: string;
  readonly transports: readonly string[];
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
}

/** What a right signature vouches for. */
export interface Assertion {
  readonly counter: number;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
}

export const mostPasskeys = 20;

/**
 * Owns the tables of passkeys. A passkey is found for the relying party alone that it was made for: browsers offer it to no other. Methods
 * named for a change return the statement of a batch that has locked the user.
 */
export const createPasskeyRepository = (db: Database, rpId: string) => ({
  bit: factorBits.passkey,
  isSetUp: "exists (select 1 from auth_passkeys p where p.user_id = users.id)",

  byCredential: (credentialId: string) =>
    db.get<PasskeyRow>(`select ${columns} ${from} where p.credential_id = $credentialId and p.rp_id = $rpId`, {
      credentialId,
      rpId,
    }),

  byId: (id: string, userId: string) =>
    db.get<PasskeyRow>(`select ${columns} ${from} where p.id = $id and p.user_id = $userId`, { id, userId }),

  /** Those of every relying party, the oldest first. */
  list: (userId: string) =>
    db.all<PasskeyRow>(
      `select ${columns} ${from} where p.user_id = $userId order by p.created_at, p.id limit ${mostPasskeys}`,
      { userId },
    ),

  async listStored(userId: string): Promise<readonly StoredFactor[]> {
    const rows = await db.all<Pick<PasskeyRow, "id" | "name" | "createdAt" | "lastUsedAt">>(
      `select p.id, p.name, p.created_at as "createdAt", p.last_used_at as "lastUsedAt"
       from auth_passkeys p where p.user_id = $userId order by p.created_at, p.id limit ${mostPasskeys}`,
      { userId },
    );
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

  /** The handle of the account, which is this one where it has none yet. */
  async handleOf(userId: string, otherwise: string, now: Millis): Promise<string> {
    const find = () =>
      db.get<{ handle: string }>(`select handle from auth_passkey_handles where user_id = $userId`, { userId });
    const found = await find();
    if (found !== undefined) return found.handle;
    await db.run(
      `insert into auth_passkey_handles (user_id, handle, created_at)
       select id, $handle, $now from users where id = $userId on conflict do nothing`,
      { userId, handle: otherwise, now },
    );
    return (await find())?.handle ?? otherwise;
  },

  /** Holds while the account has room for it, and no account has the credential. */
  insert: (
    passkey: NewPasskey & { readonly id: string; readonly userId: string; readonly name: string },
    now: Millis,
  ) =>
    ({
      guard: true,
      sql: `insert into auth_passkeys (id, user_id, credential_id, public_key, counter, rp_id, name, aaguid, transports,
              backup_eligible, backed_up, created_at)
            select $id, $userId, $credentialId, $publicKey, $counter, $rpId, $name, $aaguid, $transports,
              $backupEligible, $backedUp, $now
            where (select count(*) from auth_passkeys o where o.user_id = $userId) < ${mostPasskeys}
            on conflict do nothing`,
      params: {
        ...passkey,
        rpId,
        transports: passkey.transports.join(" "),
        backupEligible: passkey.backupEligible ? 1 : 0,
        backedUp: passkey.backedUp ? 1 : 0,
        now,
      },
    }) satisfies Statement,

  /** Holds while the counter has not reached this one: of two answers with the same counter one serves. */
  used: (
    { id, userId }: Pick<PasskeyRow, "id" | "userId">,
    { counter, backupEligible, backedUp }: Assertion,
    now: Millis,
  ) =>
    ({
      guard: true,
      sql: `update auth_passkeys set counter = $counter, backup_eligible = $backupEligible, backed_up = $backedUp, last_used_at = $now
            where id = $id and user_id = $userId and (counter < $counter or (counter = 0 and $counter = 0))`,
      params: { id, userId, counter, backupEligible: backupEligible ? 1 : 0, backedUp: backedUp ? 1 : 0, now },
    }) satisfies Statement,

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

  /** Holds once for each challenge. */
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
