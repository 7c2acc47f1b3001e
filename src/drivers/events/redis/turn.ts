import { hour } from "../../../core/clock.ts";
import type { RedisConnection } from "../../redis/connection.ts";

/** The progress of a subscriber: the last event that it has handled. */
export interface Position {
  readonly id: string;
  readonly sequence: number;
}

interface TurnOptions {
  readonly connection: RedisConnection;
  /** The beginning of the subscriber's keys. */
  readonly key: string;
  /** The name of this process, among those that have the subscriber. */
  readonly holder: string;
  readonly leaseMs: number;
}

/** How long the position is kept of a subscriber that nobody has any more. */
const keptMs = 30 * 24 * hour;

/** Takes the lease or renews it, and answers with the position, or with nothing where another process holds the lease. */
const claim = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return false end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4], 'NX')
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return redis.call('GET', KEYS[2])`;

/** Stores the position and renews the lease, but only for the holder of the lease. */
const save = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4])
return 1`;

const release = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`;

const written = ({ id, sequence }: Position): string => `${id} ${sequence}`;

function readPosition(text: string): Position | undefined {
  const [, id, sequence] = /^(\d+-\d+) (\d+)$/.exec(text) ?? [];
  return id === undefined ? undefined : { id, sequence: Number(sequence) };
}

/**
 * Decides which of several processes runs a subscriber: one at a time, so that its events stay in order. The holder renews a lease. When it
 * dies, another process goes on from the stored position once the lease has run out.
 */
export function createTurn({ connection, key, holder, leaseMs }: TurnOptions) {
  const keys = ["2", `${key}:lease`, `${key}:position`] as const;
  return {
    /** Resolves to where to go on: at `start` where nobody has been yet, and undefined while it is another process's turn. */
    async claim(start: Position): Promise<Position | undefined> {
      const words = [claim, ...keys, holder, String(leaseMs), written(start), String(keptMs)];
      const found = await connection.send("EVAL", words);
      return typeof found === "string" ? (readPosition(found) ?? start) : undefined;
    },

    /** Stores the position. Resolves to whether it still is this process's turn: otherwise the event counts as not handled. */
    async save(position: Position): Promise<boolean> {
      const words = [save, ...keys, holder, String(leaseMs), written(position), String(keptMs)];
      return (await connection.send("EVAL", words)) === 1;
    },

    async release(): Promise<void> {
      await connection.send("EVAL", [release, "1", keys[1], holder]);
    },
  };
}

export type Turn = ReturnType<typeof createTurn>;
