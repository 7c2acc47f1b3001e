import { second, type Clock } from "../../../core/clock.ts";
import { endsWithin } from "../../../core/pace/deadline.ts";
import { readAuthorities } from "../../redis/authorities.ts";
import type { Dispatcher } from "../dispatcher.ts";
import type { QueueLog } from "../index.ts";
import type { Bull } from "./bull.ts";
import { createRelay, type Parcel } from "./relay.ts";

export interface RedisDispatchOptions {
  /** The app whose jobs are taken. */
  readonly app: string;
  readonly url: string;
  /** What the names of all keys begin with. */
  readonly namespace: string;
  /** PEM file of the authorities that may sign the server's certificate; those of the system without it. */
  readonly caFile?: string | undefined;
  readonly clock: Clock;
  readonly log: QueueLog;
}

export interface RedisDispatch {
  dispatcher(queue: string): Dispatcher;
  /** Hands over what is under way, within a second or two. */
  close(): Promise<void>;
}

/** Between a commit and its hand-over to Redis. */
const graceMs = second;
const sweepMs = 3 * second;
const closeMs = 2 * second;
const listenAgainMs = second;
/** A burst of jobs wakes a worker so often, and no oftener. */
const wakeGapMs = 10;

/** BullMQ's name of a queue. Apps have queues of the same name. */
const nameOf = ({ app, queue }: Pick<Parcel, "app" | "queue">): string => `${app}.${queue}`;

/** Dispatchers on one Redis. BullMQ is loaded, and Redis asked, when a job comes or a worker starts. */
export function createRedisDispatch({ app, url, namespace, caFile, clock, log }: RedisDispatchOptions): RedisDispatch {
  let connecting: Promise<Bull> | undefined;
  let closing = false;
  let isPolicyAsked = false;
  const carriers = new Map<string, ReturnType<Bull["carrier"]>>();
  const wakes = new Map<string, () => void>();
  let listening: Promise<void> | undefined;
  const relay = createRelay({ send, log });

  async function connect(): Promise<Bull> {
    const { connectBull } = await import("./bull.ts");
    const ca = readAuthorities(caFile);
    const bull: Bull = connectBull({ url, namespace, ca, clock, onOpen: () => void warnOfEviction(bull) });
    return bull;
  }

  function connected(): Promise<Bull> {
    if (closing) throw new Error("the queue is closed");
    connecting ??= connect().catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  }

  async function warnOfEviction(bull: Bull): Promise<void> {
    if (isPolicyAsked) return;
    isPolicyAsked = true;
    try {
      const policy = await bull.evictionPolicy();
      if (policy === undefined || policy === "noeviction") return;
      const advice = "set its maxmemory-policy to noeviction";
      log.warn(`Redis drops keys when its memory is full, and jobs begin late then: ${advice}`, { policy });
    } catch (error) {
      // A user without `+info` works all the same: a stack would look like a fault.
      const reason = error instanceof Error ? error.message : String(error);
      log.info("whether Redis keeps its keys when its memory is full could not be asked: its user needs +info", {
        reason,
      });
    }
  }

  async function carrier(name: string) {
    const bull = await connected();
    const existing = carriers.get(name);
    if (existing !== undefined) return existing;
    const made = bull.carrier(name);
    carriers.set(name, made);
    return made;
  }

  async function send(parcels: readonly Parcel[]): Promise<void> {
    for (const [name, jobs] of Map.groupBy(parcels, nameOf)) await (await carrier(name)).add(jobs);
  }

  async function listen(): Promise<void> {
    while (!closing) {
      try {
        const name = await (await connected()).waitForAny([...wakes.keys()]);
        if (name === undefined) continue;
        wakes.get(name)?.();
        await Bun.sleep(wakeGapMs);
      } catch {
        // The next claim says what is wrong; until it works again, workers poll.
        await Bun.sleep(closing ? 0 : listenAgainMs);
      }
    }
  }

  return {
    dispatcher(queue) {
      const name = nameOf({ app, queue });
      return {
        graceMs,
        sweepMs,
        hand: (jobs) =>
          relay.hand(jobs.map((job) => ({ id: job.id, app: job.app, availableAt: job.availableAt, queue }))),
        next: async (limit) => (await carrier(name)).take(limit),
        listen(wake) {
          wakes.set(name, wake);
          listening ??= listen();
        },
        async ping() {
          await (await connected()).ping();
        },
      };
    },

    async close() {
      await endsWithin(relay.settled(), closeMs);
      closing = true;
      const bull = await connecting?.catch(() => undefined);
      bull?.close();
      await listening;
    },
  };
}
