import type { Millis } from "../../core/clock.ts";
import { mostSkewMs } from "../../core/clock.trust.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";

export const grantPurposes = [
  "password_reset",
  "email_verification",
  "email_login",
  /** Gives up a new address that waits for its confirmation. */
  "email_change_cancel",
  "email_change_undo",
  /** Undoes the move of an account that had no second factor then: those that it has by now go, too. */
  "email_change_factor_undo",
  "factor_undo",
  "identity_undo",
] as const;
export type GrantPurpose = (typeof grantPurposes)[number];

export interface GrantRow {
  readonly id: string;
  readonly userId: string;
  readonly emailKey: string;
  /** The address as it was typed, where redeeming puts it back. */
  readonly email: string | null;
  /** 0 where the token was answered instead of mailed. */
  readonly mailed: number;
}

/** A grant whose mail has a code beside its link. */
interface CodedGrantRow extends GrantRow {
  readonly codeHash: string;
}

/** Everything that is kept of a grant but the hashes of what its mail holds. */
export interface StoredGrant {
  readonly purpose: string;
  readonly emailKey: string;
  readonly email: string | null;
  readonly createdAt: Millis;
  readonly expiresAt: Millis;
  readonly redeemedAt: Millis | null;
  readonly voidedAt: Millis | null;
}

export interface NewGrant extends GrantRow {
  readonly purpose: GrantPurpose;
  readonly tokenHash: string;
  /** With the code, the hash of what the browser was given that may use it. */
  readonly codeHash: string | null;
  readonly browserHash: string | null;
  readonly requestId: string;
  readonly now: Millis;
  readonly expiresAt: Millis;
}

const columns =
  "id, purpose, user_id, email_key, email, token_hash, code_hash, browser_hash, mailed, request_id, requested_at, created_at, expires_at" as const;
const found = `g.id, g.user_id as "userId", g.email_key as "emailKey", g.email, g.mailed`;
/** Rows from before requests were told apart have none: each stands for a request of its own. */
const requestedAt = "coalesce(g.requested_at, g.created_at)";
const sent = "from auth_grants g where g.user_id = $userId and g.purpose = $purpose";
/** A grant from further in the future was made by a clock that was ahead: it is none, and keeps nobody from another one. */
const isReal = `g.created_at <= $now + ${mostSkewMs}`;
const isOpen = `g.redeemed_at is null and g.voided_at is null and g.expires_at > $now and ${isReal}`;
/** The relay refused the mail with the link, which `mails` knows under the request's id: nobody has it. */
const isRefused = `exists (select 1 from mails m where m.id > g.request_id || '/' and m.id < g.request_id || '0' and m.state = 'refused')`;
const isJoinable = `g.mailed = 1 and g.email_key = $emailKey and ${isOpen} and ${requestedAt} > $joinSince and not ${isRefused}`;
const joinable = `exists (select 1 ${sent} and ${isJoinable})`;
/**
 * In how many browsers the code of one mail works: twice as many as one address may ask from. Each has five tries of its own, so that nobody uses up
 * another's; what bounds guessing is the account's failures in a row, a hundred of a million codes.
 */
const mostBrowsers = 200;

/** A condition: the link resets the password or proves the address, and went to the address that the account has, proven or not. */
const isOwners = `(purpose = 'email_verification' and email is null) or (purpose = 'password_reset'
  and exists (select 1 from users u where u.id = auth_grants.user_id and u.email_key = auth_grants.email_key))`;

/** A condition: the link was asked for together with that one, or later. */
const notBefore = `and coalesce(requested_at, created_at) >=
  (select coalesce(s.requested_at, s.created_at) from auth_grants s where s.id = $before)`;

/** What is not voided with the rest. */
export interface Spared {
  /** The id of a grant. */
  readonly except?: string | undefined;
  /** The id of a grant: links that were asked for before it. */
  readonly before?: string | undefined;
  /** Links by which the owner of the account's mailbox resets the password or proves the address. */
  readonly butOwners?: boolean;
}

/** Owns `auth_grants`: single-use proofs sent by mail. Only the token's hash is stored. */
export const createGrantRepository = (db: Database) => ({
  insert: (grant: NewGrant): Statement => ({
    sql: `insert into auth_grants (${columns})
          values ($id, $purpose, $userId, $emailKey, $email, $tokenHash, $codeHash, $browserHash, $mailed, $requestId, $now, $now,
            $expiresAt)`,
    params: { ...grant },
  }),

  /**
   * A new request changes nothing when one was made since `joinSince` whose token is still good, or when there were `limit` of them since
   * `countSince`. A request whose mail is tried again after the key of tokens has changed gets another one beside the first.
   */
  insertWithin: (
    grant: NewGrant,
    bounds: { readonly limit: number; readonly countSince: Millis; readonly joinSince: Millis },
  ): Statement => ({
    guard: true,
    sql: `insert into auth_grants (${columns})
          select $id, $purpose, $userId, $emailKey, $email, $tokenHash, $codeHash, $browserHash, $mailed, $requestId,
            coalesce((select min(g.requested_at) from auth_grants g where g.request_id = $requestId), $now), $now, $expiresAt
          where exists (select 1 from auth_grants g where g.request_id = $requestId)
             or (not ${joinable}
               and (select count(distinct coalesce(g.request_id, g.id)) ${sent} and g.email_key = $emailKey
                 and ${requestedAt} > $countSince and ${isReal}) < $limit)`,
    params: { ...grant, ...bounds },
  }),

  hasJoinable: async (
    userId: string,
    purpose: GrantPurpose,
    joining: { emailKey: string; joinSince: Millis; now: Millis },
  ): Promise<boolean> =>
    (await db.get<{ found: number }>(`select 1 as found where ${joinable}`, { userId, purpose, ...joining })) !==
    undefined,

  /** The grant of a mail that is tried again counts from now on. */
  renew: ({ tokenHash, expiresAt }: Pick<NewGrant, "tokenHash" | "expiresAt">): Statement => ({
    guard: true,
    sql: `update auth_grants set expires_at = $expiresAt
          where token_hash = $tokenHash and redeemed_at is null and voided_at is null`,
    params: { tokenHash, expiresAt },
  }),

  /** Whether another link for that purpose and address is good, whose mail was sent. */
  hasOther: async ({ userId, purpose, emailKey, tokenHash, now }: NewGrant): Promise<boolean> =>
    (await db.get<{ found: number }>(
      `select 1 as found ${sent} and g.mailed = 1 and g.email_key = $emailKey and g.token_hash <> $tokenHash and ${isOpen} limit 1`,
      { userId, purpose, emailKey, tokenHash, now },
    )) !== undefined,

  isKnown: async (tokenHash: string): Promise<boolean> =>
    (await db.get<{ found: number }>("select 1 as found from auth_grants where token_hash = $tokenHash", {
      tokenHash,
    })) !== undefined,

  /** Voids what was sent and not yet used. */
  voidOpen: (
    userId: string,
    purposes: readonly GrantPurpose[],
    now: Millis,
    { except = "", before, butOwners = false }: Spared = {},
  ): Statement => ({
    sql: `update auth_grants set voided_at = $now
          where user_id = $userId and purpose in (${purposes.map((purpose) => `'${purpose}'`).join(", ")}) and id <> $except
            and redeemed_at is null and voided_at is null ${butOwners ? `and not (${isOwners})` : ""}
            ${before === undefined ? "" : notBefore}`,
    params: { userId, except, now, ...(before === undefined ? {} : { before }) },
  }),

  findOpen: (tokenHash: string, purpose: GrantPurpose, now: Millis) =>
    db.get<GrantRow>(
      `select ${found} from auth_grants g where g.token_hash in ($tokenHash) and g.purpose = $purpose and ${isOpen}`,
      { tokenHash, purpose, now },
    ),

  async isOpen(tokenHash: string, now: Millis): Promise<boolean> {
    const sql = `select 1 as "found" from auth_grants g where g.token_hash = $tokenHash and ${isOpen}`;
    return (await db.get<{ readonly found: number }>(sql, { tokenHash, now })) !== undefined;
  },

  /** Lets the code of the mail that is on its way work in this browser as well; of many that ask, in the newest of them. */
  admitBrowser: (
    userId: string,
    purpose: GrantPurpose,
    asked: {
      readonly emailKey: string;
      readonly browserHash: string;
      readonly joinSince: Millis;
      readonly now: Millis;
    },
  ): readonly Statement[] => {
    const params = { userId, purpose, ...asked };
    const newest = `(select g.id ${sent} and ${isJoinable} and g.code_hash is not null
      order by g.created_at desc, g.id desc limit 1)`;
    return [
      {
        sql: `insert into auth_grant_browsers (grant_id, browser_hash, created_at)
              select g.id, $browserHash, cast($now as bigint) from auth_grants g where g.id in ${newest}
              on conflict (grant_id, browser_hash) do update set created_at = excluded.created_at`,
        params,
      },
      {
        sql: `delete from auth_grant_browsers where grant_id in ${newest} and browser_hash not in
                (select b.browser_hash from auth_grant_browsers b where b.grant_id in ${newest}
                 order by b.created_at desc, b.browser_hash limit ${mostBrowsers})`,
        params,
      },
    ];
  },

  /** The newest one whose code is for this browser. One that is used up leaves none: an older code does not come back. */
  async findNewestOf(browserHash: string, purpose: GrantPurpose, now: Millis): Promise<CodedGrantRow | undefined> {
    const newest = await db.get<CodedGrantRow & { readonly isOpen: number }>(
      `select ${found}, g.code_hash as "codeHash", case when ${isOpen} then 1 else 0 end as "isOpen" from auth_grants g
       where (g.browser_hash = $browserHash
         or g.id in (select b.grant_id from auth_grant_browsers b where b.browser_hash = $browserHash))
         and g.purpose = $purpose and ${isReal} order by g.created_at desc, g.id desc limit 1`,
      { browserHash, purpose, now },
    );
    return newest?.isOpen === 1 ? newest : undefined;
  },

  /** A guard: the grant can still be redeemed. */
  hold: (id: string, now: Millis): Statement => ({
    guard: true,
    sql: `update auth_grants set mailed = mailed
          where id = $id and redeemed_at is null and voided_at is null and expires_at > $now`,
    params: { id, now },
  }),

  /** Single use: of any number of racing redemptions one changes the row. */
  redeem: (id: string, now: Millis): Statement => ({
    guard: true,
    sql: `update auth_grants set redeemed_at = $now
          where id = $id and redeemed_at is null and voided_at is null and expires_at > $now
            and exists (select 1 from users u where u.id = auth_grants.user_id and u.active = 1
              and u.email_key = auth_grants.email_key)`,
    params: { id, now },
  }),

  /**
   * Newest first, at most 1,000, without open ones for an address that the account wants to have: there is none where somebody else
   * has that address, and so they would tell.
   */
  listStored: (userId: string) =>
    db.all<StoredGrant>(
      `select purpose, email_key as "emailKey", email, created_at as "createdAt", expires_at as "expiresAt",
         redeemed_at as "redeemedAt", voided_at as "voidedAt"
       from auth_grants where user_id = $userId
         and (purpose <> 'email_verification' or email is null or redeemed_at is not null)
       order by created_at desc, id desc limit 1000`,
      { userId },
    ),
});

export type GrantRepository = ReturnType<typeof createGrantRepository>;
