import { Type } from "@sinclair/typebox";
import type { By, Occurrence } from "../../core/audit.ts";
import { hour, type Clock } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import type { Job } from "../../core/job.ts";
import type { StaleRows } from "../../core/module.ts";
import { jsonAs } from "../../core/text/json.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import type { Message } from "../message.ts";
import { Undelivered, type Answer } from "../undelivered.ts";
import { createDeliveryRepository, type DeliveryQuery } from "./delivery.repository.ts";

export type { ListedDelivery } from "./delivery.repository.ts";

/** How long attempts are kept: an operator looks for a fault of last week, and nobody for one of last year. */
const keepMs = 30 * 24 * hour;
const mostAttempts = 50;

interface DeliveryOptions {
  readonly database: Database;
  readonly app: string;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}

/** An attempt that is about to be made. */
interface Begun {
  readonly webhook: string;
  readonly message: Message;
  /** The text of the message without an account that was added to it. */
  readonly bare: string;
  readonly attempt: number;
}

/** The outcome of an attempt that has not ended, or was cut off with its process. */
const underWay = "under_way";

const About = Type.Object({
  type: Type.String(),
  data: Type.Object({ user_id: Type.Optional(Type.Union([Type.String(), Type.Null()])) }),
});

/** Returns the topic of a message, and the account that it is about. */
export function aboutOf(body: string) {
  const content = jsonAs(About, body);
  return { topic: content?.type ?? "", userId: content?.data.user_id ?? null };
}

/** Keeps the attempts to deliver messages, for people who look for a fault, and for messages that are sent again. */
export function createDeliveries({ database, app, clock, log }: DeliveryOptions) {
  const rows = createDeliveryRepository(database);
  const stale: StaleRows = {
    name: "old_webhook_deliveries",
    deleteSome: (now, limit) => rows.deleteSome(now - keepMs, limit),
    count: (now) => rows.count(now - keepMs),
  };

  /** Returns whether it was written down; the log says where it was not. */
  async function orWarn(webhook: string, { id }: Message, write: () => Promise<void>): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      log.warn("an attempt to deliver a message is not written down", { webhook, message: id, error });
      return false;
    }
  }

  return {
    stale,
    /** Returns an attempt with the text that was sent, which an earlier one at the message may have. */
    async one(id: string) {
      const delivery = await rows.one(id);
      return delivery && { ...delivery, sent: delivery.sent ?? (await rows.sentBy(delivery.messageId)) ?? "" };
    },
    sentBy: rows.sentBy,
    ofMessage: (messageId: string) => rows.ofMessage(messageId, mostAttempts),
    page: (query: DeliveryQuery) => rows.page(query),

    /**
     * Writes an attempt down before it is made, so that every later one sends the same text. Resolves to the function that writes down how
     * it ended. A failure of either neither fails the delivery nor repeats it.
     */
    async begin({ webhook, message, bare, attempt }: Begun): Promise<(result: Answer | Undelivered) => Promise<void>> {
      const [id, at] = [newId(), clock.now()];
      const unended = { durationMs: 0, outcome: underWay, status: null, error: null, answer: null };
      const about = { app, webhook, messageId: message.id, ...aboutOf(message.body), attempt, at };
      const isKept = await orWarn(webhook, message, () =>
        rows.insert({ id, ...about, ...unended, sent: message.body, bare }),
      );
      return async (result) => {
        if (!isKept) return;
        const answer = result instanceof Undelivered ? result.answer : result;
        const end = {
          durationMs: Math.max(0, clock.now() - at),
          outcome: result instanceof Undelivered ? result.outcome : "delivered",
          status: answer?.status ?? null,
          error: result instanceof Undelivered ? result.message : null,
          // PostgreSQL keeps no NUL in a text.
          answer: answer === undefined ? null : answer.body.text.replaceAll("\0", "\u{fffd}"),
        };
        await orWarn(webhook, message, () => rows.end({ id, ...end }));
      };
    },
  };
}

export type Deliveries = ReturnType<typeof createDeliveries>;
export type ShownDelivery = NonNullable<Awaited<ReturnType<Deliveries["one"]>>>;

interface ResendOptions {
  readonly deliveries: Pick<Deliveries, "one">;
  /** The app of this process, and its webhooks: those of the other app are known to nobody here. */
  readonly app: string;
  readonly names: readonly string[];
  readonly jobOf: (webhook: string, messageId: string) => Job;
  readonly commit: (change: {
    readonly jobs: readonly Job[];
    readonly record: readonly Occurrence[];
  }) => Promise<unknown>;
}

/** Makes the act that sends the message of a delivery once more, with its id and its text: the receiver can tell the repetition. */
export const createResend =
  ({ deliveries, app: ownApp, names, jobOf, commit }: ResendOptions) =>
  /** Resolves to the name of the webhook, and to whether it is still there to take a message; undefined for an unknown delivery. */
  async (id: string, by: By): Promise<{ readonly webhook: string; readonly isSent: boolean } | undefined> => {
    const delivery = await deliveries.one(id);
    if (delivery === undefined) return undefined;
    const { webhook, messageId, app } = delivery;
    if (app === ownApp && !names.includes(webhook)) return { webhook, isSent: false };
    const job: Job = { ...jobOf(webhook, messageId), app: app === "admin" ? "admin" : "app" };
    await commit({
      jobs: [job],
      record: [{ topic: "webhook.resent", payload: { count: 1 }, by, reason: webhook }],
    });
    return { webhook, isSent: true };
  };
