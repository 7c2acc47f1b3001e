import type { Millis } from "../../core/clock.ts";
import { mostSkewMs } from "../../core/clock.trust.ts";
import { computed, sql, together, type Database, type Statement } from "../../drivers/database/index.ts";
import { foundColumns, grantColumns, listedColumns, type GrantPurpose, type GrantRecord } from "./grant.columns.ts";

export interface NewGrant extends Omit<GrantRecord, "requestedAt" | "createdAt" | "redeemedAt" | "voidedAt"> {
  readonly requestId: string;
  readonly now: Millis;
}

/** Rows from before requests were told apart have no time of request: each stands for a request of its own. */
const requestedAt = "coalesce(g.requested_at, g.created_at)";
const sent = "from auth_grants g where g.user_id = $userId and g.purpose = $purpose";
/** A grant from further in the future was made by a clock that was ahead: it does not count, and keeps nobody from another one. */
const isReal = `g.created_at <= $now + ${mostSkewMs}`;
const isOpen = `g.redeemed_at is null and g.voided_at is null and g.expires_at > $now and ${isReal}`;
/** True where the relay refused the mail with the link, which `mails` has under the request's id: nobody has that link. */
const isRefused = `exists (select 1 from mails m where m.id > g.request_id || '/' and m.id < g.request_id || '0' and m.state = 'refused')`;
const isJoinable = `g.mailed = 1 and g.email_key = $emailKey and ${isOpen} and ${requestedAt} > $joinSince and not ${isRefused}`;
const joinable = `exists (select 1 ${sent} and ${isJoinable})`;
/**
 * The number of browsers in which the code of one mail works: twice as many as one address may ask from. Each browser has five tries of its
 * own, so that nobody uses up another's. Guessing is bounded by the account's failures in a row, a hundred of a million codes.
 */
const mostBrowsers = 200;

/** A condition: the link chooses a password or proves the address, and went to the address that the account has, proven or not. */
const isOwners = `(purpose = 'email_verification' and email is null) or (purpose in ('password_reset', 'first_password')
  and exists (select 1 from users u where u.id = auth_grants.user_id and u.email_key = auth_grants.email_key))`;

/** A condition: the link was asked for together with the grant `$before`, or later. */
const notBefore = `and coalesce(requested_at, created_at) >=
  (select coalesce(s.requested_at, s.created_at) from auth_grants s where s.id = $before)`;
const unused = { createdAt: "$now", redeemedAt: "null", voidedAt: "null" } as const;
const inserted = grantColumns.insert({ ...unused, requestedAt: "$now" });
const again = grantColumns.insert({
  ...unused,
  requestedAt: "coalesce((select min(g.requested_at) from auth_grants g where g.request_id = $requestId), $now)",
});
const yes = computed<{ found: number }>({ found: "1" });
/** A grant whose mail has a code beside its link. */
const coded = together(
  foundColumns,
  grantColumns.as("g").pick("codeHash"),
  computed<{ isOpen: number }>({ isOpen: `case when ${isOpen} then 1 else 0 end` }),
);

const texts = {
  insert: `insert into ${inserted.into} values (${inserted.values})`,
  insertWithin: `insert into ${again.into} select ${again.values}
    where exists (select 1 from auth_grants g where g.request_id = $requestId)
       or (not ${joinable}
         and (select count(distinct coalesce(g.request_id, g.id)) ${sent} and g.email_key = $emailKey
            and ${requestedAt} > $countSince and ${isReal}) < $limit)`,
  hasOther: sql`select ${yes} ${sent} and g.mailed = 1 and g.email_key = $emailKey and g.token_hash <> $tokenHash and ${isOpen} limit 1`,
  isJoinable: sql`select ${yes} where ${joinable}`,
  isKnown: sql`select ${yes} from auth_grants where token_hash = $tokenHash`,
  isOpen: sql`select ${yes} from auth_grants g where g.token_hash = $tokenHash and ${isOpen}`,
  findOpen: sql`select ${foundColumns} from auth_grants g where g.token_hash in ($tokenHash) and g.purpose = $purpose and ${isOpen}`,
  newestOf: sql`select ${coded} from auth_grants g
    where (g.browser_hash = $browserHash
      or g.id in (select b.grant_id from auth_grant_browsers b where b.browser_hash = $browserHash))
      and g.purpose = $purpose and ${isReal} order by g.created_at desc, g.id desc limit 1`,
  stored: sql`select ${listedColumns} from auth_grants where user_id = $userId
      and (purpose <> 'email_verification' or email is null or redeemed_at is not null)
    order by created_at desc, id desc limit 1000`,
};

/** Grants that `voidOpen` leaves as they are. */
export interface Spared {
  readonly except?: string | undefined;
  /** The id of a grant: links that were asked for before it are spared. */
  readonly before?: string | undefined;
  /** Spares the links by which the owner of the account's mailbox resets the password or proves the address. */
  readonly butOwners?: boolean;
}

/** Owns `auth_grants`: single-use proofs sent by mail. Only the token's hash is stored. */
export const createGrantRepository = (db: Database) => ({
  insert: (grant: NewGrant): Statement => ({
    sql: texts.insert,
    params: { ...inserted.params(grant), now: grant.now },
  }),

  /**
   * Stores the grant of a request. Changes nothing when a request since `joinSince` has a token that is still good, or when there were
   * `limit` requests since `countSince`. A request whose mail is tried again after the key of tokens has changed gets a second grant beside
   * the first.
   */
  insertWithin: (
    grant: NewGrant,
    bounds: { readonly limit: number; readonly countSince: Millis; readonly joinSince: Millis },
  ): Statement => ({
    guard: true,
    sql: texts.insertWithin,
    params: { ...again.params(grant), ...bounds, now: grant.now },
  }),

  hasJoinable: async (
    userId: string,
    purpose: GrantPurpose,
    since: { readonly emailKey: string; readonly joinSince: Millis; readonly now: Millis },
  ): Promise<boolean> => (await db.get(texts.isJoinable, { userId, purpose, ...since })) !== undefined,

  /** Renews the grant of a mail that is tried again: its time starts now. */
  renew: ({ tokenHash, expiresAt }: Pick<NewGrant, "tokenHash" | "expiresAt">): Statement => ({
    guard: true,
    sql: `update auth_grants set expires_at = $expiresAt
          where token_hash = $tokenHash and redeemed_at is null and voided_at is null`,
    params: { tokenHash, expiresAt },
  }),

  /** Returns whether another link for that purpose and address is good and its mail was sent. */
  hasOther: async ({ userId, purpose, emailKey, tokenHash, now }: NewGrant): Promise<boolean> =>
    (await db.get(texts.hasOther, { userId, purpose, emailKey, tokenHash, now })) !== undefined,

  isKnown: async (tokenHash: string): Promise<boolean> => (await db.get(texts.isKnown, { tokenHash })) !== undefined,

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
    db.get(texts.findOpen, { tokenHash, purpose, now }),

  isOpen: async (tokenHash: string, now: Millis): Promise<boolean> =>
    (await db.get(texts.isOpen, { tokenHash, now })) !== undefined,

  /** Lets the code of the mail that is on its way work in this browser as well. Of many browsers only the newest are admitted. */
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
    const { browserHash, ...params } = { userId, purpose, ...asked };
    const newest = `(select g.id ${sent} and ${isJoinable} and g.code_hash is not null
      order by g.created_at desc, g.id desc limit 1)`;
    return [
      {
        sql: `insert into auth_grant_browsers (grant_id, browser_hash, created_at)
              select g.id, $browserHash, cast($now as bigint) from auth_grants g where g.id in ${newest}
              on conflict (grant_id, browser_hash) do update set created_at = excluded.created_at`,
        params: { ...params, browserHash },
      },
      {
        sql: `delete from auth_grant_browsers where grant_id in ${newest} and browser_hash not in
                (select b.browser_hash from auth_grant_browsers b where b.grant_id in ${newest}
                 order by b.created_at desc, b.browser_hash limit ${mostBrowsers})`,
        params,
      },
    ];
  },

  /** Returns the newest grant whose code is for this browser. Once that is used up there is none: an older code does not come back. */
  async findNewestOf(browserHash: string, purpose: GrantPurpose, now: Millis) {
    const newest = await db.get(texts.newestOf, { browserHash, purpose, now });
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
   * Returns grants, newest first, at most 1,000. Open ones for an address that the account wants to have are left out: there is none where
   * somebody else has that address, and so they would tell.
   */
  listStored: (userId: string) => db.all(texts.stored, { userId }),
});

export type GrantRepository = ReturnType<typeof createGrantRepository>;
