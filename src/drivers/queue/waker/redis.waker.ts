import { second } from "../../../core/clock.ts";
import { endsWithin } from "../../../core/pace/deadline.ts";
import { createRedisConnection, type RedisConnection } from "../../redis/connection.ts";
import type { RedisServer } from "../../redis/index.ts";
import type { QueueLog } from "../index.ts";
import type { Waker } from "./waker.ts";

interface RedisWakersOptions extends RedisServer {
  /** The app whose workers listen. */
  readonly app: string;
  /** The beginning of the names of all keys. */
  readonly namespace: string;
  readonly log: QueueLog;
}

/** How long a connection waits before it is asked to prove that the server still takes writes. */
const waitMs = 3 * second;
const tellAgainMs = 0.5 * second;
const listenAgainMs = second;
const closeMs = 2 * second;
/** The shortest time between two wakes of a worker, for bursts of jobs. */
const wakeGapMs = 10;

/** Returns the streams of a reply that have an entry, each with the id of that entry. */
function newestOf(reply: unknown): readonly (readonly [stream: string, id: string])[] {
  const streams: readonly [string, unknown][] =
    typeof reply === "object" && reply !== null ? Object.entries(reply) : [];
  return streams.flatMap(([stream, entries]) => {
    const newest: unknown = Array.isArray(entries) ? entries.at(-1) : undefined;
    const id: unknown = Array.isArray(newest) ? newest[0] : undefined;
    return typeof id === "string" ? [[stream, id] as const] : [];
  });
}

export type RedisWakers = ReturnType<typeof createRedisWakers>;

/**
 * Wakers of all queues on one Redis. Each queue of each app has a stream of a single entry, replaced whenever a job has come. A reader asks
 * for entries newer than the one that it saw last, so no wake between two of its reads is lost to it; and however many jobs have come, they
 * are one wake.
 */
export function createRedisWakers({ app, namespace, log, ...server }: RedisWakersOptions) {
  const telling = createRedisConnection(server);
  const streamOf = (ofApp: string, queue: string): string => `${namespace}:queue:${ofApp}.${queue}:wake`;
  const untold = new Set<string>();
  const wakes = new Map<string, () => void>();
  const failing = new Set<"telling" | "listening">();
  let sending: Promise<void> | undefined;
  let listening: Promise<void> | undefined;
  let waiting: RedisConnection | undefined;
  let hears = false;
  let closing = false;

  function noteFailure(part: "telling" | "listening", error: unknown): void {
    if (failing.size === 0 && !closing)
      log.warn("workers can't be woken through Redis, they ask the database meanwhile", { error });
    failing.add(part);
  }

  function noteSuccess(part: "telling" | "listening"): void {
    if (failing.delete(part) && failing.size === 0) log.info("workers are woken through Redis again");
  }

  const check = (): Promise<void> => telling.checkWritable(`${namespace}:queue:check`);

  async function sendSome(streams: readonly string[]): Promise<boolean> {
    try {
      await Promise.all(streams.map((stream) => telling.send("XADD", [stream, "MAXLEN", "1", "*", "job", ""])));
      noteSuccess("telling");
      return true;
    } catch (error) {
      noteFailure("telling", error);
      for (const stream of streams) untold.add(stream);
      return false;
    }
  }

  /** Wakes that come during one round go with the next. Wakes that fail are sent as soon as the server is back. */
  async function sendAll(): Promise<void> {
    while (untold.size > 0) {
      const streams = [...untold];
      untold.clear();
      if (await sendSome(streams)) continue;
      if (!closing) await Bun.sleep(tellAgainMs);
      if (closing) break;
    }
    sending = undefined;
  }

  const wakeAll = (): void => wakes.forEach((wake) => wake());

  /** Wakes the workers of the queues whose streams have something newer than what was seen. Waits up to `forMs` where nothing is newer. */
  async function read(own: RedisConnection, seen: Map<string, string>, forMs?: number): Promise<boolean> {
    const streams = [...wakes.keys()];
    const block = forMs === undefined ? [] : ["BLOCK", String(forMs)];
    const words = [...block, "STREAMS", ...streams, ...streams.map((stream) => seen.get(stream) ?? "0-0")];
    const newest = newestOf(await own.send("XREAD", words, (forMs ?? 0) + 2 * second));
    for (const [stream, id] of newest) {
      seen.set(stream, id);
      wakes.get(stream)?.();
    }
    return newest.length > 0;
  }

  async function listen(own: RedisConnection): Promise<void> {
    let seen = new Map<string, string>();
    while (!closing) {
      try {
        // A server that takes no writes can't be told of a job either, so its workers would rest in vain.
        await check();
        if (!hears) {
          await read(own, seen);
          hears = true;
          noteSuccess("listening");
          // Jobs that came meanwhile could not be told of.
          wakeAll();
        }
        while (await read(own, seen, waitMs)) await Bun.sleep(wakeGapMs);
      } catch (error) {
        noteFailure("listening", error);
        hears = false;
        // Another server may take over, with ids of its own.
        seen = new Map();
        wakeAll();
        if (!closing) await Bun.sleep(listenAgainMs);
      }
    }
  }

  return {
    of: (queue: string): Waker => ({
      tell(apps) {
        if (closing) return;
        for (const each of apps) untold.add(streamOf(each, queue));
        sending ??= sendAll();
      },
      listen(wake) {
        wakes.set(streamOf(app, queue), wake);
        if (listening !== undefined) return;
        waiting = createRedisConnection(server);
        listening = listen(waiting);
      },
      hears: () => hears,
      check,
    }),

    /** Sends the wakes that are still to be sent, within two seconds. */
    async close(): Promise<void> {
      closing = true;
      if (sending !== undefined) await endsWithin(sending, closeMs);
      telling.close();
      waiting?.close();
      await listening;
    },
  };
}
