import { Webhook } from "standardwebhooks";
import { eventually } from "./log.ts";

export const webhookSecret = (): string =>
  `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64")}`;

export interface Received {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly headers: Headers;
}

interface ReceiverOptions {
  /** The secret with which the specification's own library verifies each request. */
  readonly secret: string;
  readonly tls?: { readonly key: string; readonly cert: string };
  /** The address to listen on. Default 127.0.0.1. */
  readonly host?: string;
}

type Reply = Response | Promise<Response>;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function read(text: string): Pick<Received, "type" | "timestamp" | "data"> {
  const content: unknown = JSON.parse(text);
  if (!isRecord(content) || !isRecord(content["data"])) throw new Error("the body is no message");
  return { type: textOf(content["type"]), timestamp: textOf(content["timestamp"]), data: content["data"] };
}

/** Starts a real receiver of webhooks on a free port. */
export function startReceiver({ secret, tls, host = "127.0.0.1" }: ReceiverOptions) {
  const verifier = new Webhook(secret);
  const received: Received[] = [];
  const refused: string[] = [];
  let requests = 0;
  let reply: (message: Received) => Reply = () => new Response(null, { status: 204 });

  const server = Bun.serve({
    port: 0,
    hostname: host,
    idleTimeout: 60,
    ...(tls && { tls }),
    async fetch(request) {
      requests += 1;
      const body = await request.text();
      try {
        verifier.verify(body, Object.fromEntries(request.headers));
      } catch (error) {
        refused.push(String(error));
        return new Response(null, { status: 401 });
      }
      const message = { id: request.headers.get("webhook-id") ?? "", ...read(body), body, headers: request.headers };
      const answer = await reply(message);
      if (answer.ok) received.push(message);
      return answer;
    },
  });

  return {
    url: `${tls ? "https" : "http"}://${host}:${server.port}/hook`,
    port: server.port ?? 0,
    /** Returns the accepted messages. */
    received: (): readonly Received[] => received,
    types: (): readonly string[] => received.map(({ type }) => type),
    /** Returns why the library refused requests. */
    refused: (): readonly string[] => refused,
    /** Counts all requests, whatever the answers. */
    requests: (): number => requests,
    /** Sets the reply from now on. Without an argument, every message is accepted. */
    reply(by: (message: Received) => Reply = () => new Response(null, { status: 204 })): void {
      reply = by;
    },
    until: (what: string, holds: () => boolean, withinMs?: number): Promise<void> => eventually(what, holds, withinMs),
    stop: (): Promise<void> => server.stop(true),
  };
}
