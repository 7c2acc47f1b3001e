import type { RedisClient } from "bun";
import { second } from "../../core/clock.ts";
import { endsWithin } from "../../core/pace/deadline.ts";
import { RedisUnavailable } from "./index.ts";
import { readRedisUrl } from "./address.ts";
import { whyNotConnected } from "./probe.ts";
import { replyInWords } from "./words.ts";

interface LinkOptions {
  /** Returns the URL of the server, before each connection. Rejects with RedisUnavailable where it can't be found. */
  readonly find: () => Promise<string> | string;
  /** Returns what messages about the server at a URL begin with, such as `Redis at 10.0.0.30:6379/0: `. */
  readonly named: (url: string) => string;
  /** Is added to the reason why no connection could be made. */
  readonly remark?: () => string;
  /** The authorities in place of the system's. */
  readonly ca: string | undefined;
  readonly connectMs: number;
  /** How long the reason for a failed connection is looked for. */
  readonly probeMs: number;
  /** Whether a server is left that says of itself that it is a replica. */
  readonly primaryAlone?: boolean;
}

const commandMs = second;
/** How long after a failure nothing is tried again: callers get the same reason at once. */
const pauseMs = 0.5 * second;
/** Replies of a server that was a primary, and is none any more. */
const demoted: ReadonlySet<string | undefined> = new Set(["READONLY", "MASTERDOWN", "UNBLOCKED"]);
const replica = "it is a replica, and takes no writes";

interface Current {
  readonly client: RedisClient;
  readonly url: string;
}

export type RedisLink = ReturnType<typeof createRedisLink>;

/**
 * Makes one connection when it is first used, and again after it was lost. Uses Bun's client without its own reconnecting, which ends for
 * good after a number of attempts, and loses blocked reads without a word. Here the next command connects again. A command that gets no
 * answer in time closes the connection, because those behind it on the wire would wait as well.
 */
export function createRedisLink(options: LinkOptions) {
  const { find, named, remark = () => "", ca, connectMs, probeMs, primaryAlone = false } = options;
  let current: Current | undefined;
  let connecting: Promise<Current> | undefined;
  let failure: { readonly error: RedisUnavailable; readonly at: number } | undefined;
  let closed = false;

  function drop({ client }: Current): void {
    if (current?.client === client) current = undefined;
    client.close();
  }

  const closedNow = (): RedisUnavailable => new RedisUnavailable("the connection to Redis is closed");

  /** Rejects where the server is a replica. It says so in answer to HELLO, which needs no rights, other than ROLE and INFO. */
  async function checkRole({ client, url }: Current): Promise<void> {
    const answer: unknown = await client.send("HELLO", ["3"]);
    const isReplica = typeof answer === "object" && answer !== null && "role" in answer && answer.role === "replica";
    if (isReplica) throw new RedisUnavailable(`${named(url)}${replica}`, { reply: "READONLY" });
  }

  async function open(made: Current): Promise<void> {
    await made.client.connect();
    // Only the first command shows that the server does not have a database.
    await made.client.send("PING", []);
    if (primaryAlone) await checkRole(made);
  }

  async function connect(): Promise<Current> {
    const url = await find();
    const address = readRedisUrl(url);
    const client = new Bun.RedisClient(url, {
      autoReconnect: false,
      enableOfflineQueue: false,
      connectionTimeout: connectMs,
      ...(address.tls && { tls: ca === undefined ? true : { ca } }),
    });
    const made = { client, url };
    try {
      if (!(await endsWithin(open(made), connectMs))) throw new Error(`not connected within ${connectMs} ms`);
    } catch (error) {
      drop(made);
      const words =
        error instanceof RedisUnavailable
          ? error.message
          : `${named(url)}${await whyNotConnected({ address, ca, withinMs: probeMs })}`;
      throw new RedisUnavailable(`${words}${remark()}`, { cause: error });
    }
    if (closed) {
      drop(made);
      throw closedNow();
    }
    failure = undefined;
    current = made;
    return made;
  }

  async function connectOnce(): Promise<Current> {
    try {
      return await connect();
    } catch (error) {
      if (error instanceof RedisUnavailable) failure = { error, at: performance.now() };
      throw error;
    } finally {
      connecting = undefined;
    }
  }

  async function connected(): Promise<Current> {
    if (closed) throw closedNow();
    if (current?.client.connected === true) return current;
    if (failure !== undefined && performance.now() - failure.at < pauseMs) throw failure.error;
    return (connecting ??= connectOnce());
  }

  function inWords(url: string, error: unknown): RedisUnavailable {
    const isReply = error instanceof Error && "code" in error && error.code === "ERR_REDIS_SERVER_ERROR";
    if (!isReply) return new RedisUnavailable(`${named(url)}the connection was lost`, { cause: error });
    const { reply, words } = replyInWords(error.message);
    return new RedisUnavailable(`${named(url)}${words}`, { reply });
  }

  /** Resolves to the answer, or rejects with RedisUnavailable. Leaves a server that has become a replica, since another one is primary. */
  async function answered<Answer>(to: Current, work: Promise<Answer>, withinMs: number): Promise<Answer> {
    let isInTime: boolean;
    try {
      isInTime = await endsWithin(work, withinMs);
    } catch (error) {
      const told = error instanceof RedisUnavailable ? error : inWords(to.url, error);
      if (demoted.has(told.reply)) drop(to);
      throw told;
    }
    if (isInTime) return work;
    drop(to);
    throw new RedisUnavailable(`${named(to.url)}no answer within ${withinMs} ms`);
  }

  return {
    async send(command: string, args: readonly string[], withinMs = commandMs): Promise<unknown> {
      const to = await connected();
      const work: Promise<unknown> = to.client.send(command, [...args]);
      return answered(to, work, withinMs);
    },
    /** Returns the URL of the server that is connected. */
    url: (): string | undefined => (current?.client.connected === true ? current.url : undefined),
    /** Leaves the server that is connected where it has become a replica. */
    async checkRole(): Promise<void> {
      if (current?.client.connected === true) await answered(current, checkRole(current), commandMs);
    },
    /** Drops the connection: what waits for an answer fails, and the next command looks for the server anew. */
    leave(): void {
      if (current !== undefined) drop(current);
    },
    close(): void {
      closed = true;
      if (current !== undefined) drop(current);
    },
  };
}
