/** As much of the browser's Web Locks as is used here: they are shared by all tabs of an origin. */
interface Locks {
  request(name: string, options: { signal?: AbortSignal }, work: () => Promise<unknown>): Promise<unknown>;
  query(): Promise<{ held?: { name?: string }[] }>;
}

const isLocks = (value: unknown): value is Locks => typeof value === "object" && value !== null && "request" in value;

/** Missing on pages without TLS and outside browsers, where the clients of other pages then can't be heard of. */
function findLocks(): Locks | undefined {
  const navigator: unknown = Reflect.get(globalThis, "navigator");
  if (typeof navigator !== "object" || navigator === null || !("locks" in navigator)) return undefined;
  return isLocks(navigator.locks) ? navigator.locks : undefined;
}

/** Longer than any request that was sent with the cookies of before a refresh is likely to wait for its answer. */
const rememberedMs = 10_000;

/**
 * Lets one tab refresh at a time, and tells the others when it was done: a tab that has refreshed holds, for a while, a lock
 * whose name says when. That needs no storage, and is gone with the tab.
 */
export function createTabs(name: string) {
  const locks = findLocks();
  let refreshedAt = 0;

  return {
    areKnown: locks !== undefined,

    /** Runs the work while no other tab runs its own. Without locks, or when they fail, at once. */
    async oneAtATime<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
      let running: Promise<T> | undefined;
      const start = (): Promise<T> => (running ??= work());
      await locks?.request(name, { signal }, start).catch(() => undefined);
      return start();
    },

    noteReplaced(): void {
      refreshedAt = Date.now();
      const hold = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, rememberedMs));
      locks?.request(`${name} ${refreshedAt}`, {}, hold).catch(() => undefined);
    },

    /** Whether a refresh was finished at or after that moment, by this tab or another one. */
    async refreshedSince(moment: number): Promise<boolean> {
      const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {};
      const moments = held.map((lock) =>
        lock.name?.startsWith(`${name} `) ? Number(lock.name.slice(name.length)) : 0,
      );
      return Math.max(refreshedAt, ...moments) >= moment;
    },
  };
}

export type Tabs = ReturnType<typeof createTabs>;
