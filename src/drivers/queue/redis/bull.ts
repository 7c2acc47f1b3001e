import { Queue, QueueKeys, RedisConnection, RedisQueueBackend, Worker, type BackendFactory } from "bullmq";
import { Redis, type RedisOptions } from "ioredis";
import { second, type Clock } from "../../../core/clock.ts";
import { endsWithin } from "../../../core/pace/deadline.ts";
import { newId } from "../../../core/ids.ts";
import { readRedisUrl, redisLocation } from "../../redis/address.ts";
import { RedisUnavailable } from "../../redis/index.ts";
import type { JobPlace } from "../job.repository.ts";

export type Bull = ReturnType<typeof connectBull>;

export interface BullOptions {
  readonly url: string;
  /** What the names of all keys begin with. */
  readonly namespace: string;
  /** PEM of the authorities that may sign the server's certificate; undefined for those of the system. */
  readonly ca: string | undefined;
  readonly clock: Clock;
  /** Called with each connection that has become usable. */
  readonly onOpen: () => void;
}

const deadlineMs = 2 * second;
const longestRestMs = 2 * second;
/** Whoever took an id asks for its row at once, and has no use for the id from then on. */
const lockMs = 4 * second;
const stalledMs = 5 * second;
const takenAtFirst = 4;
const waitSeconds = 5;
/** BullMQ notes what happens in a stream, which nobody reads here. */
const mostEvents = 100;
/** BullMQ counts how often a process died between taking an id and asking for its row: no reason to give the id up. */
const anyNumber = Number.MAX_SAFE_INTEGER;

/** The command that fails says why. */
const saidElsewhere = (): void => {};

function connectionOptions({ url, ca }: BullOptions): RedisOptions {
  const { host, port, tls, user, password, database } = readRedisUrl(url);
  return {
    host,
    port,
    db: Number(database),
    ...(user !== undefined && { username: user }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: ca === undefined ? {} : { ca } }),
    connectTimeout: deadlineMs,
    keepAlive: 10 * second,
    // What is under way on a connection fails with it, and what is asked without one fails at once: nothing waits for Redis.
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    // Both ask for commands that the rights of a careful user do not include.
    enableReadyCheck: false,
    disableClientInfo: true,
  };
}

/** A connection that comes back by itself. What is asked on it settles in time, and says in words why it fails. */
function createLine(redis: Redis, location: string, onOpen = () => {}) {
  let trouble = "it is not connected";
  let isOpen = false;
  let failures = 0;
  // The client itself begins anew with each connection, also with one on which the server has refused the password.
  redis.options.retryStrategy = () => Math.min(longestRestMs, 50 * 2 ** Math.min((failures += 1), 10));
  /** Why the connection of this moment ends. */
  let flaw: string | undefined;
  const tried = Promise.withResolvers<void>();
  redis.on("ready", () => void open());
  redis.on("connect", () => (flaw = undefined));
  redis.on("close", () => (isOpen = false));
  redis.on("error", ({ message }: Error) => {
    flaw = trouble = message;
    tried.resolve();
  });

  /** The client is ready before the server has answered to the password, and would be served as nobody meanwhile. */
  async function open(): Promise<void> {
    if (!(await endsWithin(redis.ping().catch(saidElsewhere), deadlineMs))) redis.disconnect(true);
    await Bun.sleep(0);
    if (redis.status !== "ready" || flaw !== undefined) return;
    isOpen = true;
    failures = 0;
    trouble = "the connection was lost";
    tried.resolve();
    onOpen();
  }

  /** Rejects while there is no connection; only the first attempt to make one is waited for. */
  async function answer<T>(command: () => Promise<T>, ms: number): Promise<T> {
    if (!isOpen) await endsWithin(tried.promise, deadlineMs);
    if (!isOpen) throw new Error(trouble);
    const asked = command();
    if (await endsWithin(asked, ms)) return await asked;
    // Nothing comes back on it: another connection may do better.
    redis.disconnect(true);
    throw new Error(`no answer within ${ms} ms`);
  }

  return async <T>(command: () => Promise<T>, ms = deadlineMs): Promise<T> => {
    try {
      return await answer(command, ms);
    } catch (error) {
      // The error of a command holds its arguments, those of AUTH among them: its message alone is passed on.
      throw new RedisUnavailable(`Redis at ${location}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

/**
 * The only module that knows BullMQ and its client. A job in Redis is the id of a row and the time when it is due, and is gone from
 * there as soon as a worker was told of it: everything else is in the row.
 */
export function connectBull(options: BullOptions) {
  const { url, namespace, clock, onOpen } = options;
  const location = redisLocation(url);
  const redis = new Redis(connectionOptions(options));
  const ask = createLine(redis, location, onOpen);
  const connection = new RedisConnection(redis, { shared: true, blocking: false, skipVersionCheck: true });
  connection.on("error", saidElsewhere);
  const keys = new QueueKeys(`${namespace}:queue`);
  /** All queues share the one connection. */
  const backend: BackendFactory<RedisQueueBackend> = (name, opts) =>
    new RedisQueueBackend(
      connection,
      name,
      keys.getKeys(name),
      (type) => keys.toKey(name, type),
      opts,
      undefined,
      false,
    );
  let waiter: { readonly redis: Redis; readonly ask: ReturnType<typeof createLine> } | undefined;

  function openWaiter() {
    const own = redis.duplicate();
    return { redis: own, ask: createLine(own, location) };
  }

  return {
    ping: () => ask(() => redis.ping()),

    /** What Redis does when its memory is full. */
    async evictionPolicy(): Promise<string | undefined> {
      const memory = await ask(() => redis.info("memory"));
      return /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
    },

    carrier: (name: string) => createCarrier({ name, connection: redis, backend, ask, clock }),

    /** Resolves to the name of a queue that may have got a job, or to undefined when none has for a while. */
    async waitForAny(names: readonly string[]): Promise<string | undefined> {
      waiter ??= openWaiter();
      const { redis: own, ask: askOwn } = waiter;
      const markers = names.map((name) => keys.toKey(name, "marker"));
      const popped = await askOwn(() => own.bzpopmin(...markers, waitSeconds), waitSeconds * second + deadlineMs);
      return popped === null ? undefined : names[markers.indexOf(popped[0])];
    },

    close(): void {
      redis.disconnect();
      waiter?.redis.disconnect();
    },
  };
}

interface CarrierOptions {
  readonly name: string;
  readonly connection: Redis;
  readonly backend: BackendFactory<RedisQueueBackend>;
  readonly ask: ReturnType<typeof createLine>;
  readonly clock: Clock;
}

/** One queue of BullMQ, filled and emptied by hand: rows have what it would keep of its own, such as attempts and failures. */
function createCarrier({ name, connection, backend, ask, clock }: CarrierOptions) {
  const queue = new Queue(
    name,
    {
      connection,
      streams: { events: { maxLen: mostEvents } },
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    },
    backend,
  );
  const lifetimes = { lockDuration: lockMs, stalledInterval: stalledMs, maxStalledCount: anyNumber };
  const worker = new Worker(name, null, { connection, ...lifetimes }, backend);
  queue.on("error", saidElsewhere);
  worker.on("error", saidElsewhere);
  const token = newId();
  let checkedAt = clock.now();
  let removing: Promise<unknown> = Promise.resolve();

  /** Ids that a process had taken when it died are to be taken again. */
  async function reviveStalled(): Promise<void> {
    if (Math.abs(clock.now() - checkedAt) < stalledMs) return;
    checkedAt = clock.now();
    await ask(() => worker.getBackend().moveStalledJobsToWait());
  }

  async function takeOnce(count: number): Promise<string[]> {
    const takes = Array.from({ length: count }, () => ask(() => worker.getNextJob(token, { block: false })));
    const settled = await Promise.allSettled(takes);
    const jobs = settled.flatMap((each) =>
      each.status === "fulfilled" && each.value !== undefined ? [each.value] : [],
    );
    // Nobody waits for their removal: one that stays is told again, and its row says that it is in hand or done.
    removing = Promise.allSettled([removing, ...jobs.map((job) => ask(() => job.moveToCompleted(null, token, false)))]);
    const failure = settled.find((each) => each.status === "rejected");
    if (jobs.length === 0 && failure !== undefined) throw failure.reason;
    return jobs.flatMap(({ id }) => (id === undefined ? [] : [id]));
  }

  return {
    /** A job that is there already stays as it is. */
    async add(jobs: readonly JobPlace[]): Promise<void> {
      const now = clock.now();
      const entries = jobs.map(({ id, availableAt }) => ({
        name: "job",
        data: {},
        opts: { jobId: id, delay: Math.max(0, availableAt - now) },
      }));
      await ask(() => queue.addBulk(entries));
    },

    /** The ids of jobs that are due, those first that came first. */
    async take(limit: number): Promise<readonly string[]> {
      await removing;
      await reviveStalled();
      const taken: string[] = [];
      for (let asked = 0, count = takenAtFirst; taken.length === asked && taken.length < limit; count *= 2) {
        const next = Math.min(count, limit - taken.length);
        asked += next;
        taken.push(...(await takeOnce(next)));
      }
      return taken;
    },
  };
}
