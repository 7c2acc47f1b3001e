import type { Millis } from "../../core/clock.ts";
import type { Database, SqlValue, Statement } from "../../drivers/database/index.ts";

export interface StoredMail {
  readonly id: string;
  readonly kind: string;
  /** The app whose worker sends it. */
  readonly app: string;
  readonly state: string;
  /** Why it was held back. */
  readonly reason: string | null;
  /** What the relay, or the way to it, said last. */
  readonly answer: string | null;
  /** How many attempts have ended. */
  readonly attempts: number;
  /** How many mails alike the row stands for: more than one where they were held back. */
  readonly count: number;
  readonly requestedAt: Millis;
  /** When the state became what it is. */
  readonly changedAt: Millis;
}

/** Whose mail it is. `addressKey` is for somebody who has no account. */
export type MailOwner = { readonly userId: string } | { readonly addressKey: string };

type NewMail = Omit<StoredMail, "count"> & { readonly owner: MailOwner };

const columns = `id, kind, app, state, reason, answer, attempts, count, requested_at as "requestedAt", changed_at as "changedAt"`;

const ofOwner = (owner: MailOwner) => ({
  userId: "userId" in owner ? owner.userId : null,
  addressKey: "addressKey" in owner ? owner.addressKey : null,
});

/** Owns `mails`. A row is added only while its account or the invitation of its address is there, and goes with it. */
export function createMailRepository(db: Database) {
  // PostgreSQL has to be told the type of a parameter that is only compared with null.
  const insert = ({ owner, ...mail }: NewMail, where: string, onConflict: string): Statement => ({
    sql: `insert into mails (id, user_id, address_key, kind, app, state, reason, answer, attempts, count, requested_at, changed_at)
          select $id, $userId, $addressKey, $kind, $app, $state, $reason, $answer, $attempts, 1, $requestedAt, $changedAt
          where (cast($userId as text) is null or exists (select 1 from users u where u.id = $userId))
            and (cast($addressKey as text) is null or exists (select 1 from auth_invitations i where i.email_key = $addressKey)) ${where}
          on conflict (id) do ${onConflict}`,
    params: { ...mail, ...ofOwner(owner) },
  });
  const list = (condition: string, params: Readonly<Record<string, SqlValue>>): Promise<readonly StoredMail[]> =>
    db.all<StoredMail>(
      `select ${columns} from mails where ${condition} order by requested_at desc, id desc limit $limit`,
      params,
    );

  return {
    /** Changes nothing where the mail is known: its last attempt says more. */
    begin: (mail: NewMail): Statement => insert(mail, "", "nothing"),

    /** A mail that was sent stays so, even if it is sent once more and that fails. */
    end: (mail: NewMail): Statement =>
      insert(
        mail,
        "",
        `update set kind = $kind, state = $state, reason = $reason, answer = $answer, attempts = $attempts,
           changed_at = $changedAt where mails.state <> 'sent' or $state = 'sent'`,
      ),

    /** Says that a mail is held back that there was an attempt to send. */
    stop: (id: string, reason: string, now: Millis): Statement => ({
      sql: "update mails set state = 'withheld', reason = $reason, changed_at = $now where id = $id and state <> 'sent'",
      params: { id, reason, now },
    }),

    /** Counts a mail that is held back without any attempt, in the row of those alike. `tried` is the id that its own row would have. */
    holdBack: (mail: NewMail & { readonly tried: string }): Statement =>
      insert(
        mail,
        "and not exists (select 1 from mails m where m.id = $tried)",
        "update set count = mails.count + 1, changed_at = $changedAt",
      ),

    /** For a batch that deletes whatever else is kept of the address. */
    forgetAddress: (addressKey: string): Statement => ({
      sql: "delete from mails where address_key = $addressKey",
      params: { addressKey },
    }),

    /** Newest first. */
    ofUser: (userId: string, limit: number) => list("user_id = $userId", { userId, limit }),
    ofAddress: (addressKey: string, limit: number) => list("address_key = $addressKey", { addressKey, limit }),
  };
}

export type MailRepository = ReturnType<typeof createMailRepository>;
