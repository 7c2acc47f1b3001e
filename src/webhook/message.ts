import { Type } from "@sinclair/typebox";
import type { Millis } from "../core/clock.ts";
import { base64Mac } from "../core/crypto.ts";
import { jsonAs } from "../core/text/json.ts";
import type { DomainEvent } from "../core/topics.ts";

/** A message as a receiver gets it, the same in every attempt: the receiver tells a repetition by the id. */
export interface Message {
  readonly id: string;
  /** The exact text that is signed and sent. */
  readonly body: string;
}

interface Content {
  readonly type: string;
  /** The time of the event, RFC 3339 in UTC. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const writeBody = ({ type, timestamp, data }: Content): string => JSON.stringify({ type, timestamp, data });

const Written = Type.Object({
  type: Type.String(),
  timestamp: Type.String(),
  data: Type.Record(Type.String(), Type.Unknown()),
});

/** Returns a message with the account that it is about; null for one that is gone. */
export function withUser(body: string, user: object | null): string {
  const content = jsonAs(Written, body);
  return content === undefined ? body : writeBody({ ...content, data: { ...content.data, user } });
}

/** Returns the message of an event. Two webhooks that lead to one receiver send two messages, so the name is part of the id. */
export const messageOf = (webhook: string, { id, topic, at, payload }: DomainEvent): Message => ({
  id: `${id}_${webhook}`,
  body: writeBody({ type: topic, timestamp: at, data: payload }),
});

const prefix = "whsec_";

/** Returns the headers of the Standard Webhooks specification. Each secret makes a signature, and the receiver takes any that it knows. */
export function signatureHeaders({ id, body }: Message, secrets: readonly string[], now: Millis) {
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${base64Mac(key, `${id}.${timestamp}.${body}`)}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
