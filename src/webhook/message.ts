import type { Millis } from "../core/clock.ts";
import { base64Mac } from "../core/crypto.ts";
import type { DomainEvent } from "../core/topics.ts";

/** What a receiver gets, the same in every attempt: it tells a repetition by the id. */
export interface Message {
  readonly id: string;
  /** The text that is signed and sent, to the byte. */
  readonly body: string;
}

interface Content {
  readonly type: string;
  /** When it happened, RFC 3339 in UTC. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const writeBody = ({ type, timestamp, data }: Content): string => JSON.stringify({ type, timestamp, data });

/** Two webhooks that lead to one receiver send two messages, so that the name is part of the id. */
export const messageOf = (webhook: string, { id, topic, at, payload }: DomainEvent): Message => ({
  id: `${id}_${webhook}`,
  body: writeBody({ type: topic, timestamp: at, data: payload }),
});

const prefix = "whsec_";

/** The headers of the Standard Webhooks specification. There is a signature by each secret, and the receiver takes any that it knows. */
export function signatureHeaders({ id, body }: Message, secrets: readonly string[], now: Millis) {
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${base64Mac(key, `${id}.${timestamp}.${body}`)}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
