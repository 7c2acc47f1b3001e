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

export type { ListedDelivery, StoredDelivery } from "./delivery.repository.ts";

/** How long attempts are kept: an operator looks for a fault of last week, and nobody for one of last year. */
const keepMs = 30 * 24 * hour;
const mostAttempts = 50;

interface DeliveryOptions {
  readonly database: Database;
  readonly app: string;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}

/** An attempt that has ended. */
interface Ended {
  readonly webhook: string;
  readonly message: Message;
  readonly attempt: number;
  readonly startedAt: number;
  readonly result: Answer | Undelivered;
}

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

  return {
    stale,
    one: rows.one,
    sentBy: rows.sentBy,
    ofMessage: (messageId: string) => rows.ofMessage(messageId, mostAttempts),
    page: (query: DeliveryQuery) => rows.page(query),

    /** Writes an attempt down. A failure here neither fails the delivery nor repeats it. */
    async record({ webhook, message, attempt, startedAt, result }: Ended): Promise<void> {
      const now = clock.now();
      const answer = result instanceof Undelivered ? result.answer : result;
      try {
        await rows.insert({
          id: newId(),
          app,
          webhook,
          messageId: message.id,
          ...aboutOf(message.body),
          attempt,
          at: now,
          durationMs: Math.max(0, now - startedAt),
          outcome: result instanceof Undelivered ? result.outcome : "delivered",
          status: answer?.status ?? null,
          error: result instanceof Undelivered ? result.message : null,
          sent: message.body,
          // PostgreSQL keeps no NUL in a text.
          answer: answer === undefined ? null : answer.body.text.replaceAll("\0", "\u{fffd}"),
        });
      } catch (error) {
        log.warn("an attempt to deliver a message is not written down", { webhook, message: message.id, error });
      }
    },
  };
}

export type Deliveries = ReturnType<typeof createDeliveries>;

interface ResendOptions {
  readonly deliveries: Pick<Deliveries, "one">;
  readonly jobOf: (webhook: string, messageId: string) => Job;
  readonly commit: (change: {
    readonly jobs: readonly Job[];
    readonly record: readonly Occurrence[];
  }) => Promise<unknown>;
}

/** Makes the act that sends the message of a delivery once more, with its id and its text: the receiver can tell the repetition. */
export const createResend =
  ({ deliveries, jobOf, commit }: ResendOptions) =>
  /** Resolves to the name of the webhook; undefined where there is no such delivery. */
  async (id: string, by: By): Promise<string | undefined> => {
    const delivery = await deliveries.one(id);
    if (delivery === undefined) return undefined;
    const { webhook, messageId, app } = delivery;
    const job: Job = { ...jobOf(webhook, messageId), app: app === "admin" ? "admin" : "app" };
    await commit({
      jobs: [job],
      record: [{ topic: "webhook.resent", payload: { count: 1 }, by, reason: webhook }],
    });
    return webhook;
  };
