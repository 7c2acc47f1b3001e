import { second } from "../../../core/clock.ts";
import type { RedisConnection } from "../../redis/connection.ts";

/** An event as it stands in the stream. Anyone who may write to the server can have put it there. */
export interface Entry {
  readonly id: string;
  /** Grows by one with each event that was ever added: a gap shows how many were trimmed before they were read. */
  readonly sequence: number;
  readonly text: string;
}

interface StreamOptions {
  readonly connection: RedisConnection;
  /** The beginning of the stream's keys. */
  readonly key: string;
  /** About how many events the stream keeps. */
  readonly length: number;
}

/** Adds events in their order, all or none of them. */
const append = `
for place = 2, #ARGV do
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 's', redis.call('INCR', KEYS[2]), 'e', ARGV[place])
end`;

const partsOf = (reply: unknown): readonly unknown[] => (Array.isArray(reply) ? reply : []);

function entryOf(reply: unknown): Entry | undefined {
  const [id, fields] = partsOf(reply);
  const values = partsOf(fields);
  const valueOf = (name: string): string => String(values[values.indexOf(name) + 1]);
  return typeof id === "string" ? { id, sequence: Number(valueOf("s")), text: valueOf("e") } : undefined;
}

const entriesIn = (reply: unknown): readonly Entry[] => partsOf(reply).flatMap((each) => entryOf(each) ?? []);

/** The stream of one event bus: the newest part of what all processes of a deployment publish, in one order. */
export function createEventStream({ connection, key, length }: StreamOptions) {
  const stream = `${key}:stream`;
  return {
    async append(events: readonly string[]): Promise<void> {
      await connection.send("EVAL", [append, "2", stream, `${key}:sequence`, String(length), ...events]);
    },

    /** Returns the events after an id, oldest first. */
    readAfter: async (id: string, most: number): Promise<readonly Entry[]> =>
      entriesIn(await connection.send("XRANGE", [stream, `(${id}`, "+", "COUNT", String(most)])),

    newest: async (): Promise<Entry | undefined> =>
      entriesIn(await connection.send("XREVRANGE", [stream, "+", "-", "COUNT", "1"]))[0],

    /** Waits for events after an id, on a connection that does nothing else meanwhile. Resolves to the id of the newest one seen. */
    async awaitAfter(id: string, waiting: RedisConnection, forMs: number): Promise<string> {
      const words = ["COUNT", "1000", "BLOCK", String(forMs), "STREAMS", stream, id];
      const found = await waiting.send("XREAD", words, forMs + 2 * second);
      const entries = typeof found === "object" && found !== null ? entriesIn(Object.values(found)[0]) : [];
      return entries.at(-1)?.id ?? id;
    },
  };
}

export type EventStream = ReturnType<typeof createEventStream>;
