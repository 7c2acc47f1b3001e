import { second } from "../core/clock.ts";
import { endsWithin } from "../core/pace/deadline.ts";
import type { Cache } from "../drivers/cache/index.ts";
import type { Log } from "../observe/index.ts";
import { isDue, isOn, next, nothingKnown, positionOf, type Happening, type Switch } from "./knowledge.ts";

interface StateOptions {
  readonly store: Cache;
  readonly key: string;
  /** Whether APP_MAINTENANCE_ENABLED holds maintenance on until the process ends, whatever is stored. */
  readonly forced: boolean;
  /** How long the last position that was read counts while the switch can't be read. */
  readonly staleMs: number;
  readonly log: Log;
}

/** Why maintenance is on: by APP_MAINTENANCE_ENABLED, by the command, or because the switch can't be read. */
export type Reason = "environment" | "command" | "unreadable";

export type MaintenanceState = ReturnType<typeof createMaintenanceState>;

/** How long a request waits for a read. A machine that is short of processor time answers late rather than with maintenance. */
const readTimeoutMs = 2.5 * second;

/** Reads and moves the stored switch. knowledge.ts decides what is believed about it in between. */
export function createMaintenanceState({ store, key, forced, staleMs, log }: StateOptions) {
  let known = nothingKnown;

  function learn(happening: Happening, error?: unknown): void {
    const before = known.stored;
    known = next(known, happening);
    const { stored } = known;
    // Maintenance that is off when a process starts is no news.
    if (stored === before || (before === "unknown" && stored === "off")) return;
    if (stored === "unreadable") log.error(`the maintenance state can't be read: ${whatCounts()}`, { error });
    else log.info(`maintenance is ${stored}`);
  }

  const positionNow = (): Switch | undefined => positionOf(known, performance.now(), staleMs);
  function whatCounts(): string {
    const position = positionNow();
    return position === undefined ? "maintenance is on" : `it stays ${position} for ${Math.round(staleMs / second)} s`;
  }

  /** Reads the switch. Only one read is under way at a time, and one that hangs is not started a second time. */
  const read = shared(async () => {
    const began = performance.now();
    try {
      // A database whose file was taken away goes on answering from the open file; its ping notices.
      await store.ping();
      learn({ kind: "read", began, found: (await store.get(key)) === undefined ? "off" : "on" });
    } catch (error) {
      learn({ kind: "read failed", began, at: performance.now() }, error);
    }
  });

  /** Waits for a read, but no longer than the timeout. Never rejects. */
  const refresh = shared(async () => {
    if (await endsWithin(read(), readTimeoutMs)) return;
    learn({ kind: "no answer", at: performance.now() }, new Error(`no answer within ${readTimeoutMs} ms`));
  });

  /**
   * Moves the switch. Resolves to whether that changed its position, as far as could be read. Rejects with CacheUnavailable when the switch
   * can't be stored.
   */
  async function write(to: Switch, note: string): Promise<boolean> {
    await refresh();
    const before = known.stored;
    const began = performance.now();
    await (to === "on" ? store.set(key, note) : store.delete(key));
    learn({ kind: "written", began, ended: performance.now(), to });
    return before !== to;
  }

  return {
    forced,

    /** Returns whether maintenance is on, for every request; undefined when what is known is too old. */
    peek(): boolean | undefined {
      if (forced) return true;
      const now = performance.now();
      if (isDue(known, now)) void refresh();
      return isOn(known, now, staleMs);
    },

    /** Returns whether maintenance is on only because nobody knows the switch. */
    isUnknown: (): boolean => !forced && positionNow() === undefined,

    /** Resolves to whether maintenance is on, after a read. Never rejects. */
    async find(): Promise<{ readonly on: boolean; readonly reason?: Reason }> {
      if (forced) return { on: true, reason: "environment" };
      await refresh();
      const position = positionNow();
      if (position === "off") return { on: false };
      return { on: true, reason: position === "on" ? "command" : "unreadable" };
    },

    /** Resolves to the text that is stored while maintenance is on. */
    read: (): Promise<string | undefined> => store.get(key),

    /** Switches maintenance on and stores the note. Any text means that it is on. */
    enable: (note = "on"): Promise<boolean> => write("on", note),
    disable: (): Promise<boolean> => write("off", ""),
  };
}

/** Returns a function that calls `work`. While a call is under way, further callers share it. */
function shared(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () =>
    (underWay ??= work().finally(() => {
      underWay = undefined;
    }));
}
