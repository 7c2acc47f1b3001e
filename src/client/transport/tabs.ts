/** The part of the browser's Web Locks that the client uses. All tabs of an origin share the locks. */
interface Locks {
  request(name: string, options: { signal?: AbortSignal }, work: () => Promise<unknown>): Promise<unknown>;
  query(): Promise<{ held?: { name?: string }[] }>;
}

const isLocks = (value: unknown): value is Locks => typeof value === "object" && value !== null && "request" in value;

/** Returns undefined on pages without TLS and in most programs: then only the requests of one client wait for one another. */
function findLocks(): Locks | undefined {
  const navigator: unknown = Reflect.get(globalThis, "navigator");
  if (typeof navigator !== "object" || navigator === null || !("locks" in navigator)) return undefined;
  return isLocks(navigator.locks) ? navigator.locks : undefined;
}

/** What tabs tell each other. */
type Word = "signed_in" | "signed_out";

/** How long a tab remembers a refresh: longer than a request sent before it is likely to wait for its answer. */
const rememberedMs = 10_000;

/**
 * Tells the tabs of one origin of each other. A tab that got new cookies holds a lock for a while, and the name of the lock says when.
 * Locks need no storage; other tabs see them at once, and they are gone with their tab.
 */
export function createTabs(name: string) {
  const locks = findLocks();
  let replacedAt = 0;
  let channel: BroadcastChannel | undefined;

  /** Returns a channel in pages alone: an open one keeps a program from ending. A page in a test may have none. */
  const openChannel = (): BroadcastChannel | undefined =>
    ["document", "BroadcastChannel"].every((each) => each in globalThis) ? new BroadcastChannel(name) : undefined;

  return {
    /** Runs the work while no other tab runs its own. Without locks, or when they fail, runs it at once. */
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

    /** Resolves to whether this tab or another one got new cookies at or after that moment. */
    async replacedSince(moment: number): Promise<boolean> {
      const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {};
      const moments = held.map((lock) =>
        lock.name?.startsWith(`${name} `) ? Number(lock.name.slice(name.length)) : 0,
      );
      return Math.max(replacedAt, ...moments) >= moment;
    },

    /** Tells the other tabs. A page that does not listen itself opens its channel for the one word. */
    announce(word: Word): void {
      if (channel !== undefined) return channel.postMessage(word);
      const brief = openChannel();
      brief?.postMessage(word);
      brief?.close();
    },

    /** Has the first listener called with what other tabs announce; a tab needs no second one. */
    listen(listener: (word: Word) => void): void {
      if (channel !== undefined) return;
      channel = openChannel();
      channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) =>
        listener(data === "signed_in" ? data : "signed_out"),
      );
    },
  };
}

export type Tabs = ReturnType<typeof createTabs>;
