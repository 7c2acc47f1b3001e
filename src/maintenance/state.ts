import { second } from "../core/clock.ts";
import { endsWithin } from "../core/pace/deadline.ts";
import type { Cache } from "../drivers/cache/index.ts";
import type { Log } from "../observe/index.ts";
import { isDue, isOn, next, nothingKnown, positionOf, type Happening, type Switch } from "./knowledge.ts";

interface StateOptions {
  readonly store: Cache;
  readonly key: string;
  /** APP_MAINTENANCE_ENABLED: maintenance is on until the process ends, whatever is stored. */
  readonly forced: boolean;
  /** How long a position that was read goes on counting while the switch can't be read. */
  readonly staleMs: number;
  readonly log: Log;
}

/** Why maintenance is on: by APP_MAINTENANCE_ENABLED, by the command, or because the switch can't be read. */
export type Reason = "environment" | "command" | "unreadable";

export type MaintenanceState = ReturnType<typeof createMaintenanceState>;

/** How long a request waits for a read. A machine that is short of processor time answers late rather than with maintenance. */
const readTimeoutMs = 2.5 * second;

/** Reads and moves the stored switch. What is believed of it meanwhile is decided in knowledge.ts. */
export function createMaintenanceState({ store, key, forced, staleMs, log }: StateOptions) {
  let known = nothingKnown;

  function learn(happening: Happening, error?: unknown): void {
    const before = known.stored;
    known = next(known, happening);
    const { stored } = known;
    // That maintenance is off when a process starts is no news.
    if (stored === before || (before === "unknown" && stored === "off")) return;
    if (stored === "unreadable") log.error(`the maintenance state can't be read: ${whatCounts()}`, { error });
    else log.info(`maintenance is ${stored}`);
  }

  const positionNow = (): Switch | undefined => positionOf(known, performance.now(), staleMs);
  function whatCounts(): string {
    const position = positionNow();
    return position === undefined ? "maintenance is on" : `it stays ${position} for ${Math.round(staleMs / second)} s`;
  }

  /** One read is under way at a time, and one that hangs is not started a second time. */
  const read = shared(async () => {
    const began = performance.now();
    try {
      // A database whose file was taken away goes on answering from it; its ping notices.
      await store.ping();
      learn({ kind: "read", began, found: (await store.get(key)) === undefined ? "off" : "on" });
    } catch (error) {
      learn({ kind: "read failed", began, at: performance.now() }, error);
    }
  });

  /** Never rejects, and takes no longer than the timeout. */
  const refresh = shared(async () => {
    if (await endsWithin(read(), readTimeoutMs)) return;
    learn({ kind: "no answer", at: performance.now() }, new Error(`no answer within ${readTimeoutMs} ms`));
  });

  /** Resolves to whether this moved the switch, as far as could be read. Rejects with CacheUnavailable when it can't be stored. */
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

    /** Asked for every request. Undefined when what is known is too old. */
    peek(): boolean | undefined {
      if (forced) return true;
      const now = performance.now();
      if (isDue(known, now)) void refresh();
      return isOn(known, now, staleMs);
    },

    /** Whether maintenance is on for no other reason than that nobody knows. */
    isUnknown: (): boolean => !forced && positionNow() === undefined,

    /** Whether maintenance is on, after a read. Never rejects. */
    async find(): Promise<{ readonly on: boolean; readonly reason?: Reason }> {
      if (forced) return { on: true, reason: "environment" };
      await refresh();
      const position = positionNow();
      if (position === "off") return { on: false };
      return { on: true, reason: position === "on" ? "command" : "unreadable" };
    },

    /** The text that is stored while it is on. */
    read: (): Promise<string | undefined> => store.get(key),

    /** The note is stored meanwhile: any text means that it is on. */
    enable: (note = "on"): Promise<boolean> => write("on", note),
    disable: (): Promise<boolean> => write("off", ""),
  };
}

/** Calls `work`, unless a call is under way: then whoever asks shares that one. */
function shared(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () =>
    (underWay ??= work().finally(() => {
      underWay = undefined;
    }));
}
