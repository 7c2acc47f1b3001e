/** As much of the browser's Web Locks as is used here: they are shared by all tabs of an origin. */
interface Locks {
  request(name: string, options: { signal?: AbortSignal }, work: () => Promise<unknown>): Promise<unknown>;
  query(): Promise<{ held?: { name?: string }[] }>;
}

const isLocks = (value: unknown): value is Locks => typeof value === "object" && value !== null && "request" in value;

/** Missing on pages without TLS and in most programs: then only the requests of one client wait for one another. */
function findLocks(): Locks | undefined {
  const navigator: unknown = Reflect.get(globalThis, "navigator");
  if (typeof navigator !== "object" || navigator === null || !("locks" in navigator)) return undefined;
  return isLocks(navigator.locks) ? navigator.locks : undefined;
}

/** Longer than a request that was sent before a refresh is likely to wait for its answer. */
const rememberedMs = 10_000;

/**
 * What the tabs of one origin know of each other. A tab that got new cookies holds, for a while, a lock whose name says when: that
 * needs no storage, is seen by the others at once, and is gone with the tab.
 */
export function createTabs(name: string) {
  const locks = findLocks();
  let replacedAt = 0;
  let channel: BroadcastChannel | undefined;

  return {
    /** Runs the work while no other tab runs its own. Without locks, or when they fail, at once. */
    async oneAtATime<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
      let running: Promise<T> | undefined;
      const start = (): Promise<T> => (running ??= work());
      await locks?.request(name, { signal }, start).catch(() => undefined);
      return start();
    },

    noteReplaced(): void {
      replacedAt = Date.now();
      const hold = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, rememberedMs));
      locks?.request(`${name} ${replacedAt}`, {}, hold).catch(() => undefined);
    },

    /** Whether this tab or another one got new cookies at or after that moment. */
    async replacedSince(moment: number): Promise<boolean> {
      const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {};
      const moments = held.map((lock) =>
        lock.name?.startsWith(`${name} `) ? Number(lock.name.slice(name.length)) : 0,
      );
      return Math.max(replacedAt, ...moments) >= moment;
    },

    announceSignOut: (): void => channel?.postMessage("signed out"),

    /** In pages alone: an open channel keeps a program from ending. A page in a test may have none. */
    onSignOut(listener: () => void): void {
      if (!["document", "BroadcastChannel"].every((name) => name in globalThis)) return;
      channel = new BroadcastChannel(name);
      channel.addEventListener("message", listener);
    },
  };
}

export type Tabs = ReturnType<typeof createTabs>;
