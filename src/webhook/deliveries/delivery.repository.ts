import type { Millis } from "../../core/clock.ts";
import { afterAllIds } from "../../core/ids.ts";
import { column, oldRows, sql, tableOf, type Database, type RowOf } from "../../drivers/database/index.ts";

/** Every column of `webhook_deliveries`. */
const stored = tableOf("webhook_deliveries", {
  id: column<string>("id"),
  /** The app whose worker has sent it. */
  app: column<string>("app"),
  webhook: column<string>("webhook"),
  messageId: column<string>("message_id"),
  topic: column<string>("topic"),
  /** The account that the message is about; null where there is none, or none any more. */
  userId: column<string | null>("user_id"),
  attempt: column<number>("attempt"),
  at: column<Millis>("at"),
  durationMs: column<number>("duration_ms"),
  outcome: column<string>("outcome"),
  /** The status of the answer; null without one. */
  status: column<number | null>("status"),
  /** Why it was not delivered. */
  error: column<string | null>("error"),
  /** The text that was signed and sent; null where an earlier attempt at the message has it. */
  sent: column<string | null>("sent"),
  /** The beginning of the answer's body. */
  answer: column<string | null>("answer"),
});
export type StoredDelivery = RowOf<typeof stored>;
const listed = stored.except("sent", "answer", "userId");
export type ListedDelivery = RowOf<typeof listed>;

const inserted = stored.insert({
  // A message about an account that is gone is kept without it.
  userId: "(select u.id from users u where u.id = $userId)",
  sent: `case when exists (select 1 from webhook_deliveries d where d.message_id = $messageId and d.sent is not null) then null
    when exists (select 1 from users u where u.id = $userId) then $sent else $bare end`,
});
const insertDelivery = `insert into ${inserted.into} values (${inserted.values})`;

const page = (condition: string) =>
  sql`select ${listed} from webhook_deliveries where ${condition} and id < $before order by id desc limit $limit`;
const found = {
  one: sql`select ${stored} from webhook_deliveries where id = $id`,
  sent: sql`select ${stored.pick("sent")} from webhook_deliveries
    where message_id = $messageId and sent is not null order by id limit 1`,
  ofMessage: sql`select ${listed} from webhook_deliveries where message_id = $messageId order by id desc limit $limit`,
  all: page("true"),
  ofWebhook: page("webhook = $webhook"),
  failed: page("outcome <> 'delivered'"),
  failedOfWebhook: page("webhook = $webhook and outcome <> 'delivered'"),
};

export interface DeliveryQuery {
  readonly webhook?: string | undefined;
  readonly onlyFailed?: boolean | undefined;
  /** The id of the last delivery of the page before. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Owns `webhook_deliveries`. */
export const createDeliveryRepository = (db: Database) => ({
  /** `bare`: what is kept of the text where the account that it is about is gone. */
  async insert({ bare, ...delivery }: StoredDelivery & { readonly bare: string }): Promise<void> {
    const { userId, messageId, sent } = delivery;
    await db.run(insertDelivery, { ...inserted.params(delivery), userId, messageId, sent, bare });
  },

  /** Writes down how an attempt ended; nothing where it is gone with its account. */
  async end({ id, ...end }: Pick<StoredDelivery, "id" | "durationMs" | "outcome" | "status" | "error" | "answer">) {
    await db.run(
      `update webhook_deliveries set duration_ms = $durationMs, outcome = $outcome, status = $status, error = $error, answer = $answer
       where id = $id`,
      { id, ...end },
    );
  },

  one: (id: string) => db.get(found.one, { id }),

  /** Returns what the first attempt of a message has sent. */
  async sentBy(messageId: string): Promise<string | undefined> {
    return (await db.get(found.sent, { messageId }))?.sent ?? undefined;
  },

  /** Returns the attempts of a message, the newest first. */
  ofMessage: (messageId: string, limit: number) => db.all(found.ofMessage, { messageId, limit }),

  /** Returns attempts, the newest first. */
  page({ webhook, onlyFailed = false, before = afterAllIds, limit }: DeliveryQuery) {
    const place = { before, limit };
    if (webhook === undefined) return db.all(onlyFailed ? found.failed : found.all, place);
    return db.all(onlyFailed ? found.failedOfWebhook : found.ofWebhook, { ...place, webhook });
  },

  ...oldRows(db, "webhook_deliveries", "id", "at <= $before"),
});
