import { endsWithin } from "../../../core/pace/deadline.ts";
import type { DomainEvent } from "../../../core/topics.ts";
import type { EventLog, EventMetrics } from "../index.ts";
import type { Entry, EventStream } from "./stream.ts";
import type { Position, Turn } from "./turn.ts";

interface FollowerOptions {
  readonly name: string;
  readonly stream: EventStream;
  readonly turn: Turn;
  /** Returns the event in an entry that the subscriber wants; undefined for any other. */
  readonly eventIn: (entry: Entry) => DomainEvent | undefined;
  readonly deliver: (event: DomainEvent, stopped: AbortSignal) => Promise<void>;
  readonly log: EventLog;
  readonly deliveries: EventMetrics["deliveries"] | undefined;
}

/** How many events are read at once. */
const batch = 16;
const beginning: Position = { id: "0-0", sequence: 0 };

/** Brings one subscriber through the stream, while it is this process's turn. */
export function createFollower({ name, stream, turn, eventIn, deliver, log, deliveries }: FollowerOptions) {
  const aborted = new AbortController();
  let isStopping = false;
  let position: Position | undefined;
  /** The last entry that was read; entries up to it wait in this process. */
  let read = beginning;
  let hasTurn = false;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  let isKeeping = false;
  let isSlow = false;
  let dropped = 0;
  let isFailing = false;

  /**
   * Returns how many entries were trimmed between the last one that was read and this one. A sequence that begins anew is that of a server
   * that lost its data.
   */
  const gapBefore = ({ sequence }: Position): number => Math.max(0, sequence - read.sequence - 1);

  function noteSlowness(): void {
    if (!isSlow) log.warn("event subscriber too slow, events are dropped", { subscriber: name });
    isSlow = true;
  }

  /** Notes what is read, and what was lost before it. An entry that somebody else has added has no number, and makes no gap. */
  function take(entries: readonly Entry[]): readonly Entry[] {
    return entries.map((stored) => {
      const entry = Number.isSafeInteger(stored.sequence) ? stored : { ...stored, sequence: read.sequence };
      const gap = gapBefore(entry);
      if (gap > 0) {
        noteSlowness();
        dropped += gap;
        deliveries?.count({ topic: "unknown", status: "failed" }, gap);
      }
      read = entry;
      return entry;
    });
  }

  /** Resolves to whether to go on: the event was handled to its end, and it still is this process's turn. */
  async function handle(entry: Entry): Promise<boolean> {
    const event = eventIn(entry);
    if (event !== undefined) await deliver(event, aborted.signal);
    if (aborted.signal.aborted) return false;
    position = { id: entry.id, sequence: entry.sequence };
    hasTurn = await turn.save(position);
    return hasTurn && !isStopping;
  }

  async function begin(): Promise<Position> {
    const newest = await stream.newest();
    return newest === undefined ? beginning : { id: newest.id, sequence: newest.sequence };
  }

  async function run(): Promise<void> {
    position ??= await begin();
    const claimed = await turn.claim(position);
    hasTurn = claimed !== undefined;
    if (claimed === undefined) return;
    position = claimed;
    read = claimed;
    for (;;) {
      const entries = await stream.readAfter(read.id, batch);
      if (entries.length === 0) break;
      for (const entry of take(entries)) if (!(await handle(entry))) return;
    }
    if (dropped > 0) log.warn("event subscriber caught up", { subscriber: name, dropped });
    dropped = 0;
    isSlow = false;
  }

  async function runWhileAsked(): Promise<void> {
    try {
      do {
        isAskedAgain = false;
        await run();
        isFailing = false;
      } while (isAskedAgain && hasTurn && !isStopping);
    } catch (error) {
      if (!isFailing) log.warn("events can't be read, they wait", { subscriber: name, error });
      isFailing = true;
    } finally {
      running = undefined;
    }
  }

  /** Keeps the turn while a handler is busy, and notices when the stream is trimmed beyond what was read. */
  async function keepTurn(): Promise<void> {
    if (isKeeping) return;
    isKeeping = true;
    try {
      if (position !== undefined) await turn.save(position);
      const [next] = await stream.readAfter(read.id, 1);
      if (next !== undefined && gapBefore(next) > 0) noteSlowness();
    } catch (error) {
      log.debug("the turn of an event subscriber could not be renewed", { subscriber: name, error });
    } finally {
      isKeeping = false;
    }
  }

  function ask(): void {
    if (isStopping) return;
    isAskedAgain = true;
    if (running === undefined) running = runWhileAsked();
    else void keepTurn();
  }

  return {
    /** Called when something was published. Another process that has the turn has heard of it as well. */
    wake(): void {
      if (hasTurn) ask();
    },
    /** Called regularly, to take the turn where nobody has it. */
    tick: ask,
    /** Resolves once the subscriber has its place in the stream. */
    async placed(): Promise<void> {
      await running;
      if (position === undefined) throw new Error(`the subscriber "${name}" has no place in the stream`);
    },
    /** Ends after the event in hand, which is aborted when it takes longer. Later events are for the process that comes next. */
    async stop(withinMs: number): Promise<void> {
      isStopping = true;
      if (running !== undefined && withinMs > 0) await endsWithin(running, withinMs);
      aborted.abort(new Error("the subscription ended"));
      if (!hasTurn) return;
      try {
        await turn.release();
      } catch (error) {
        log.debug("the turn of an event subscriber was not given back", { subscriber: name, error });
      }
    },
  };
}

export type Follower = ReturnType<typeof createFollower>;
