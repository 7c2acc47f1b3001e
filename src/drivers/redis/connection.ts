import type { RedisClient } from "bun";
import { readFileSync } from "node:fs";
import { second } from "../../core/clock.ts";
import { endsWithin } from "../../core/pace/deadline.ts";
import { RedisUnavailable, type RedisServer } from "./index.ts";
import { readRedisUrl, redisLocation } from "./address.ts";
import { whyNotConnected } from "./probe.ts";
import { replyInWords } from "./words.ts";

const commandMs = second;
const connectMs = second;
/**
 * How long the reason for a failed connection is looked for: with `connectMs`, less than the two seconds that readiness gives to a check.
 */
const probeMs = 0.8 * second;
/** How long after a failure nothing is tried again: callers get the same reason at once. */
const pauseMs = 0.5 * second;

export type RedisConnection = ReturnType<typeof createRedisConnection>;

/**
 * Makes one connection to a server when it is first used, and again after it was lost. Uses Bun's client without its own reconnecting, which ends for good after a number of attempts, and loses blocked reads without a word.
 * Here the next command connects again. A command that gets no answer in time closes the connection, because those behind it on the wire
 * would wait as well. Throws where the file of authorities can't be read. The server is not asked before it is needed.
 */
export function createRedisConnection({ url, caFile }: RedisServer) {
  const address = readRedisUrl(url);
  const ca = readAuthorities(caFile);
  const name = `Redis at ${redisLocation(url)}`;
  let current: RedisClient | undefined;
  let connecting: Promise<RedisClient> | undefined;
  let failure: { readonly error: RedisUnavailable; readonly at: number } | undefined;
  let closed = false;

  function drop(client: RedisClient): void {
    if (current === client) current = undefined;
    client.close();
  }

  async function connect(): Promise<RedisClient> {
    const client = new Bun.RedisClient(url, {
      autoReconnect: false,
      enableOfflineQueue: false,
      connectionTimeout: connectMs,
      ...(address.tls && { tls: ca === undefined ? true : { ca } }),
    });
    try {
      // Only the first command shows that the server does not have a database.
      const ready = client.connect().then(() => client.send("PING", []));
      if (!(await endsWithin(ready, connectMs))) throw new Error(`not connected within ${connectMs} ms`);
    } catch (error) {
      drop(client);
      const why = await whyNotConnected({ address, ca, withinMs: probeMs });
      throw new RedisUnavailable(`${name}: ${why}`, { cause: error });
    }
    if (closed) {
      drop(client);
      throw new RedisUnavailable(`${name}: the connection is closed`);
    }
    failure = undefined;
    current = client;
    return client;
  }

  async function connectOnce(): Promise<RedisClient> {
    try {
      return await connect();
    } catch (error) {
      if (error instanceof RedisUnavailable) failure = { error, at: performance.now() };
      throw error;
    } finally {
      connecting = undefined;
    }
  }

  async function connected(): Promise<RedisClient> {
    if (closed) throw new RedisUnavailable(`${name}: the connection is closed`);
    if (current?.connected === true) return current;
    if (failure !== undefined && performance.now() - failure.at < pauseMs) throw failure.error;
    return (connecting ??= connectOnce());
  }

  function inWords(error: unknown): RedisUnavailable {
    const isReply = error instanceof Error && "code" in error && error.code === "ERR_REDIS_SERVER_ERROR";
    if (!isReply) return new RedisUnavailable(`${name}: the connection was lost`, { cause: error });
    const { reply, words } = replyInWords(error.message);
    return new RedisUnavailable(`${name}: ${words}`, { reply });
  }

  async function send(command: string, args: readonly string[], withinMs = commandMs): Promise<unknown> {
    const client = await connected();
    const answer: Promise<unknown> = client.send(command, [...args]);
    let isInTime: boolean;
    try {
      isInTime = await endsWithin(answer, withinMs);
    } catch (error) {
      throw inWords(error);
    }
    if (isInTime) return answer;
    drop(client);
    throw new RedisUnavailable(`${name}: no answer within ${withinMs} ms`);
  }

  return {
    /**
     * Sends one command. Rejects with RedisUnavailable: at once while the server is known to be away, and otherwise within the time, a
     * second by default.
     */
    send,
    /** Rejects with the reason where the server does not answer. */
    async ping(): Promise<void> {
      await send("PING", []);
    },
    /** Rejects with the reason where the server takes no writes: it is full, or a replica. Writes the key, which expires. */
    async checkWritable(key: string): Promise<void> {
      await send("SET", [key, "", "PX", String(second)]);
    },
    close(): void {
      closed = true;
      if (current !== undefined) drop(current);
    },
  };
}

/**
 * Returns the certificates in the file of `REDIS_CA_FILE`; undefined where the system's are to be used. Throws where the file can't be
 * read.
 */
function readAuthorities(caFile: string | undefined): string | undefined {
  if (caFile === undefined) return undefined;
  try {
    return readFileSync(caFile, "utf8");
  } catch (error) {
    throw new Error("the file that REDIS_CA_FILE names can't be read", { cause: error });
  }
}
