import { second } from "../core/clock.ts";
import { endsWithin } from "../core/job.ts";
import type { Cache } from "../drivers/cache/index.ts";
import type { Log } from "../observe/index.ts";

interface StateOptions {
  readonly store: Cache;
  readonly key: string;
  /** By the environment: on until the process ends, whatever is stored. */
  readonly forced: boolean;
  readonly log: Log;
}

type Stored = "on" | "off" | "unreadable";

/** Why maintenance is on: by APP_MAINTENANCE_ENABLED, by the command, or because nobody can tell. */
export type Reason = "environment" | "command" | "unreadable";

export type MaintenanceState = ReturnType<typeof createMaintenanceState>;

/** No request is decided by a read that began longer ago. Below the second that is promised, by what answering takes. */
const longestAgeMs = 0.9 * second;
/** From here on the next request has it read again, and does not wait: under load nobody ever does. */
const refreshAgeMs = 0.4 * second;
const readTimeoutMs = 0.9 * second;

/**
 * Whether maintenance is on, as far as this process knows. What can't be read counts as on. One read is under way at a
 * time, and one that hangs is not started a second time.
 */
export function createMaintenanceState({ store, key, forced, log }: StateOptions) {
  let stored: Stored = "unreadable";
  /** When the read began that told; of the monotonic clock, since a clock that is set must not prolong it. */
  let toldAt = Number.NEGATIVE_INFINITY;
  /** Grows with each write from here: a read begun before it says nothing any more. */
  let writes = 0;
  let reported: Stored = "off";
  let attempt: Promise<void> | undefined;
  let refreshing: Promise<void> | undefined;

  function learn(now: Stored, at: number, error?: unknown): void {
    if (at < toldAt) return;
    stored = now;
    toldAt = at;
    if (now === reported) return;
    if (now === "unreadable") log.error("the maintenance state can't be read: maintenance is on", { error });
    else log.info(`maintenance is ${now}`);
    reported = now;
  }

  async function read(): Promise<void> {
    const began = performance.now();
    const known = writes;
    try {
      // A database whose file was taken away goes on answering from it; its ping notices.
      await store.ping();
      const now = (await store.get(key)) === undefined ? "off" : "on";
      if (known === writes) learn(now, began);
    } catch (error) {
      if (known === writes) learn("unreadable", performance.now(), error);
    }
  }

  async function readInTime(): Promise<void> {
    attempt ??= read().finally(() => {
      attempt = undefined;
    });
    if (await endsWithin(attempt, readTimeoutMs)) return;
    learn("unreadable", performance.now(), new Error(`no answer within ${readTimeoutMs} ms`));
  }

  /** Never rejects. */
  function refresh(): Promise<void> {
    refreshing ??= readInTime().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  /**
   * Rejects with CacheUnavailable when it can't be stored. Resolves to whether that is a change, as far as could be read.
   * What is known counts from when the write began: another process may have written since.
   */
  async function write(now: "on" | "off"): Promise<boolean> {
    await refresh();
    const before = stored;
    const began = performance.now();
    await (now === "on" ? store.set(key, "on") : store.delete(key));
    writes += 1;
    toldAt = began;
    learn(now, began);
    return before !== now;
  }

  return {
    forced,

    /** Undefined when what is known is too old. Asked for every request. */
    peek(): boolean | undefined {
      if (forced) return true;
      const age = performance.now() - toldAt;
      if (age > refreshAgeMs) void refresh();
      return age > longestAgeMs ? undefined : stored !== "off";
    },

    /** Whether it is on, after a read. Never rejects. */
    async find(): Promise<{ readonly on: boolean; readonly reason?: Reason }> {
      if (forced) return { on: true, reason: "environment" };
      await refresh();
      if (stored === "off") return { on: false };
      return { on: true, reason: stored === "on" ? "command" : "unreadable" };
    },

    enable: (): Promise<boolean> => write("on"),
    disable: (): Promise<boolean> => write("off"),
  };
}
