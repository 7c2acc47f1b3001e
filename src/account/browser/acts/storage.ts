/** Returns undefined in a browser that stores nothing, perhaps on its owner's orders. */
function attempt<T>(work: () => T): T | undefined {
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

const invitation = "invitation";

/**
 * Keeps the token of an invitation for this tab, while its reader is away to sign in. In the address, the token would be in the browser's
 * history; the page that comes back from a provider knows nothing of the one that left.
 */
export const keptToken = {
  read: (): string | undefined => attempt(() => sessionStorage.getItem(invitation)) ?? undefined,
  keep: (token: string): void => attempt(() => sessionStorage.setItem(invitation, token)),
  drop: (): void => attempt(() => sessionStorage.removeItem(invitation)),
};
