import type { Millis } from "../../core/clock.ts";
import { sql, column, tableOf, type Database, type RowOf, type Statement } from "../../drivers/database/index.ts";

const stored = tableOf("mails", {
  id: column<string>("id"),
  /** Null for a person who has no account. */
  userId: column<string | null>("user_id"),
  addressKey: column<string | null>("address_key"),
  kind: column<string>("kind"),
  /** The app whose worker sends the mail. */
  app: column<string>("app"),
  state: column<string>("state"),
  /** Why the mail was held back. */
  reason: column<string | null>("reason"),
  /** The last answer of the relay, or the error on the way to it. */
  answer: column<string | null>("answer"),
  /** How many attempts have ended. */
  attempts: column<number>("attempts"),
  /** How many similar mails the row stands for: more than one where they were held back. */
  count: column<number>("count"),
  requestedAt: column<Millis>("requested_at"),
  /** When the state was reached. */
  changedAt: column<Millis>("changed_at"),
});
const columns = stored.except("userId", "addressKey");
export type StoredMail = RowOf<typeof columns>;

/** The owner of a mail. `addressKey` is for a person who has no account. */
export type MailOwner = { readonly userId: string } | { readonly addressKey: string };

type NewMail = Omit<StoredMail, "count"> & { readonly owner: MailOwner };

const ofOwner = (owner: MailOwner) => ({
  userId: "userId" in owner ? owner.userId : null,
  addressKey: "addressKey" in owner ? owner.addressKey : null,
});

const inserted = stored.insert({ count: "1" });
// PostgreSQL can't infer the type of a parameter that is only compared with null, so the statement casts it.
const insertMail = `insert into ${inserted.into} select ${inserted.values}
  where (cast($userId as text) is null or exists (select 1 from users u where u.id = $userId))
    and (cast($addressKey as text) is null or exists (select 1 from auth_invitations i where i.email_key = $addressKey))`;
const newestFirst = "order by requested_at desc, id desc limit $limit";
const found = {
  ofUser: sql`select ${columns} from mails where user_id = $userId ${newestFirst}`,
  ofAddress: sql`select ${columns} from mails where address_key = $addressKey ${newestFirst}`,
};

/** Owns `mails`. A row is added only while its account or the invitation of its address is there, and is deleted with it. */
export function createMailRepository(db: Database) {
  const insert = ({ owner, ...mail }: NewMail, where: string, onConflict: string): Statement => ({
    sql: `${insertMail} ${where} on conflict (id) do ${onConflict}`,
    params: inserted.params({ ...mail, ...ofOwner(owner) }),
  });

  return {
    /** Begins a mail. Changes nothing where the mail is known: its last attempt says more. */
    begin: (mail: NewMail): Statement => insert(mail, "", "nothing"),

    /** Ends an attempt. A mail that was sent stays so, even if a second attempt fails. */
    end: (mail: NewMail): Statement =>
      insert(
        mail,
        "",
        `update set kind = $kind, state = $state, reason = $reason, answer = $answer, attempts = $attempts,
           changed_at = $changedAt where mails.state <> 'sent' or $state = 'sent'`,
      ),

    /** Marks a mail as held back after an attempt to send it. */
    stop: (id: string, reason: string, now: Millis): Statement => ({
      sql: "update mails set state = 'withheld', reason = $reason, changed_at = $now where id = $id and state <> 'sent'",
      params: { id, reason, now },
    }),

    /** Counts a mail that is held back without any attempt, in the row of similar mails. `tried` is the id that its own row would have. */
    holdBack({ tried, ...mail }: NewMail & { readonly tried: string }): Statement {
      const { sql: text, params } = insert(
        mail,
        "and not exists (select 1 from mails m where m.id = $tried)",
        "update set count = mails.count + 1, changed_at = $changedAt",
      );
      return { sql: text, params: { ...params, tried } };
    },

    /** Deletes the mails of an address, in a batch that deletes all other rows about it. */
    forgetAddress: (addressKey: string): Statement => ({
      sql: "delete from mails where address_key = $addressKey",
      params: { addressKey },
    }),

    ofUser: (userId: string, limit: number) => db.all(found.ofUser, { userId, limit }),
    ofAddress: (addressKey: string, limit: number) => db.all(found.ofAddress, { addressKey, limit }),
  };
}

export type MailRepository = ReturnType<typeof createMailRepository>;
