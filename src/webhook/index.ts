import { Type } from "@sinclair/typebox";
import type { Config } from "../config/index.ts";
import { hour, second, timestamp, type Clock } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import { AttemptFailed, checkedHandler, type Job } from "../core/job.ts";
import type { Module } from "../core/module.ts";
import { webhookQueuePrefix } from "../core/naming.ts";
import type { DomainEvent } from "../core/topics.ts";
import type { OwnQueue } from "../drivers/queue/index.ts";
import type { Log } from "../observe/index.ts";
import { aboutOf, type Deliveries } from "./deliveries/deliveries.ts";
import { messageOf, signatureHeaders, withUser, writeBody, type Message } from "./message.ts";
import { createOutbound, type Delivery, type Outbound } from "./outbound.ts";
import { createRefusalLimit } from "./refusal.limit.ts";
import { outcomes, Undelivered, type Answer, type Outcome } from "./undelivered.ts";

export {
  createDeliveries,
  createResend,
  type Deliveries,
  type ListedDelivery,
  type ShownDelivery,
} from "./deliveries/deliveries.ts";
export { createOutbound } from "./outbound.ts";
export { createHooks, type Hooks } from "./hooks/hooks.ts";

export interface WebhookOptions {
  /** Keeps the attempts. Undefined in a command that sends a test. */
  readonly kept?: Pick<Deliveries, "begin" | "sentBy" | "stale"> | undefined;
  /** Returns an account as services see it, without what is private; null where there is none. */
  readonly shownAccount?: ((userId: string) => Promise<object | null>) | undefined;
  readonly config: Pick<Config, "webhooks">;
  readonly deliveries: { count(labels: { readonly webhook: string; readonly outcome: Outcome }, by?: number): void };
  /** Wraps the function that sends messages, to record calls where inspects are on. */
  readonly watchCalls?: ((send: Outbound) => (origin: string, delivery: Delivery) => Promise<Answer>) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

const deliverJobName = "webhook:deliver";
/** How long a message is tried: three days, so that a receiver that fails on a Friday evening can be mended on Monday. */
const retryForMs = 72 * hour;
/** Rests between attempts double from the first to the longest: a receiver that was down for an hour has everything within the next one. */
const rests = { firstMs: 5 * second, longestMs: 3 * hour };
/** How many messages a worker sends to one receiver at once. */
const concurrency = 8;

/** The beginning of an answer is for people who look for a fault; a receiver that dawdles over its body has taken the message all the same. */
const answerKept = { mostAnswerBytes: 1024, answerWithinMs: second } as const;

const queueOf = (webhook: string): string => webhookQueuePrefix + webhook;

/** Returns one queue for each webhook, so that a receiver that hangs holds up neither mails nor another receiver. */
export const webhookQueues = ({ webhooks }: Pick<Config, "webhooks">): readonly OwnQueue[] =>
  Object.keys(webhooks).map((name) => ({ name: queueOf(name), concurrency, rests }));

/** Without a body, the message is sent as it was before. */
const DeliverPayload = Type.Object({
  webhook: Type.String({ maxLength: 64 }),
  id: Type.String({ maxLength: 128 }),
  body: Type.Optional(Type.String()),
});

const deliverJob = (webhook: string, { id, body }: Pick<Message, "id"> & Partial<Message>): Job => ({
  name: deliverJobName,
  queue: queueOf(webhook),
  payload: { webhook, id, ...(body !== undefined && { body }) },
  retryForMs,
});

/** Makes the job that sends a message once more, as it was sent before. */
export const resendJob = (webhook: string, messageId: string): Job => deliverJob(webhook, { id: messageId });

/** Tells receivers, whom the operator has named, what happens to accounts, by the Standard Webhooks specification 1.0.0. */
export function createWebhooks(options: WebhookOptions) {
  const { config, deliveries, kept, shownAccount, watchCalls, clock, log } = options;
  const webhooks = new Map(Object.entries(config.webhooks));
  const outbound = createOutbound({ clock });
  const send = watchCalls?.(outbound) ?? outbound;
  const isWithheld = createRefusalLimit({
    clock,
    log,
    onWithheld: (webhook) => deliveries.count({ webhook, outcome: "withheld" }),
  });
  for (const webhook of webhooks.keys()) for (const outcome of outcomes) deliveries.count({ webhook, outcome }, 0);

  /** Sends a message to a webhook and counts the outcome. */
  async function deliver(name: string, message: Message, signal?: AbortSignal): Promise<Answer | Undelivered> {
    const webhook = webhooks.get(name);
    if (webhook === undefined) return new Undelivered("gone", "it is not configured");
    const { url, secrets, allowPrivate } = webhook;
    const headers = {
      "content-type": "application/json",
      "user-agent": "gatehouse",
      ...signatureHeaders(message, secrets, clock.now()),
    };
    const delivery = { method: "POST", url, allowPrivate, headers, body: message.body, ...answerKept, signal } as const;
    const result = await send(new URL(url).origin, delivery).catch((error: unknown) => {
      if (error instanceof Undelivered) return error;
      throw error;
    });
    deliveries.count({ webhook: name, outcome: "status" in result ? "delivered" : result.outcome });
    return result;
  }

  /**
   * Returns the text of a message, which is one in every attempt: what the first has sent is sent again. The account of a message is read
   * for the first attempt.
   */
  async function textOf(webhook: string, id: string, body: string | undefined): Promise<string | undefined> {
    const isExpanded = webhooks.get(webhook)?.expand === "user";
    if (body !== undefined && !isExpanded) return body;
    const before = await kept?.sentBy(id);
    if (before !== undefined || body === undefined || shownAccount === undefined) return before ?? body;
    const { userId } = aboutOf(body);
    return userId === null ? body : withUser(body, await shownAccount(userId));
  }

  const handleDeliver = checkedHandler(DeliverPayload, async ({ webhook, id, body }, { attempt, signal }) => {
    const text = await textOf(webhook, id, body);
    if (text === undefined)
      throw new AttemptFailed(`webhook ${webhook}: the message is no longer kept`, { retry: "never" });
    const message = { id, body: text };
    const ended = await kept?.begin({ webhook, message, bare: body ?? text, attempt });
    const result = await deliver(webhook, message, signal);
    await ended?.(result);
    if ("status" in result) return;
    const retry = result.outcome === "gone" ? "never" : (result.retryAfterMs ?? 0);
    throw new AttemptFailed(`webhook ${webhook}: ${result.message}`, { retry, cause: result });
  });

  const jobs: Module["jobs"] = { [deliverJobName]: handleDeliver };
  return {
    /** Returns a message for each webhook that wants the event, to be committed with the change that caused it. */
    jobsOf: (event: DomainEvent): readonly Job[] =>
      [...webhooks]
        .filter(([name, { topics }]) => topics.includes(event.topic) && !isWithheld(name, event.topic))
        .map(([name]) => deliverJob(name, messageOf(name, event))),

    /** Sends `gatehouse.test` at once, without further attempts. Resolves to the status of a success, or why there was none. */
    async test(name: string) {
      const content = { type: "gatehouse.test", timestamp: timestamp(clock.now()), data: { webhook: name } };
      const message = { id: `${newId()}_${name}`, body: writeBody(content) };
      const began = performance.now();
      const result = await deliver(name, message);
      const said = "status" in result ? { status: result.status } : { outcome: result.outcome, error: result.message };
      return { id: message.id, ms: Math.round(performance.now() - began), ...said };
    },

    /** The names of the configured webhooks. */
    names: [...webhooks.keys()],

    module: {
      ...(webhooks.size > 0 && { jobs }),
      ...(kept !== undefined && { stale: [kept.stale] }),
    },
  };
}
