const name = "invitation";

/** A browser that stores nothing, or has been told not to, has none. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/**
 * The token of an invitation, for this tab alone and while its reader is away to sign in: in the address it would be in the browser's
 * history, and the page that comes back from a provider knows nothing of the one that left.
 */
export const keptToken = {
  read: (): string | undefined => attempt(() => sessionStorage.getItem(name)) ?? undefined,
  keep: (token: string): void => attempt(() => sessionStorage.setItem(name, token)),
  drop: (): void => attempt(() => sessionStorage.removeItem(name)),
};
