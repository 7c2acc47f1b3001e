const name = "invitation";

/** Returns undefined in a browser that stores nothing, perhaps on its owner's orders. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/**
 * Keeps the token of an invitation for this tab, while its reader is away to sign in. In the address, the token would be in the browser's
 * history; the page that comes back from a provider knows nothing of the one that left.
 */
export const keptToken = {
  read: (): string | undefined => attempt(() => sessionStorage.getItem(name)) ?? undefined,
  keep: (token: string): void => attempt(() => sessionStorage.setItem(name, token)),
  drop: (): void => attempt(() => sessionStorage.removeItem(name)),
};
