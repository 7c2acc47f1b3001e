/** Returns undefined in a browser that stores nothing, perhaps on its owner's orders. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Keeps one bit that all tabs share. In a browser that stores nothing the bit is unset. */
export const createMark = (name: string) => ({
  isSet: (): boolean => (attempt(() => localStorage.getItem(name)) ?? null) !== null,
  set: (): void => attempt(() => localStorage.setItem(name, "1")),
  clear: (): void => attempt(() => localStorage.removeItem(name)),
});

/** Keeps a text for this tab, while its reader is away to sign in: the page that comes back from a provider knows nothing of the one that left. */
const createKept = (name: string) => ({
  read: (): string | undefined => attempt(() => sessionStorage.getItem(name)) ?? undefined,
  keep: (text: string): void => attempt(() => sessionStorage.setItem(name, text)),
  drop: (): void => attempt(() => sessionStorage.removeItem(name)),
});

/** The way by which this browser has signed in last. */
export const lastWay = {
  read: (): string | undefined => attempt(() => localStorage.getItem("last-way")) ?? undefined,
  keep: (way: string): void => attempt(() => localStorage.setItem("last-way", way)),
};

/** The token of an invitation. In the address it would be in the browser's history. */
export const keptToken = createKept("invitation");

/** Where a sign-in was to lead, for when it comes back from a provider without success: the provider is told nothing of it. */
export const keptDestination = createKept("destination");

const mailedForMs = 60 * 60 * 1000;

/** Where a sign-in was to lead, for the tab in which the link of a mail is opened: an hour long, and until a sign-in has led there. */
export const mailedDestination = {
  read(): string | undefined {
    const [, at = "", text] =
      /^(\d+) (.*)$/.exec(attempt(() => localStorage.getItem("mailed-destination")) ?? "") ?? [];
    return Math.abs(Date.now() - Number(at)) < mailedForMs ? text : undefined;
  },
  keep: (text: string): void => attempt(() => localStorage.setItem("mailed-destination", `${Date.now()} ${text}`)),
  drop: (): void => attempt(() => localStorage.removeItem("mailed-destination")),
};
