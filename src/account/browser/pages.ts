import type { JSX } from "preact";
import type { Path } from "../shared/settings.ts";

export type Page = () => JSX.Element;

export type Pages = ReturnType<typeof createPages>;

/** Keeps the loaded pages. */
export function createPages(loadPage: (path: Path) => Promise<Page>) {
  const loaded = new Map<Path, Page>();
  async function load(path: Path): Promise<void> {
    if (!loaded.has(path)) loaded.set(path, await loadPage(path));
  }
  return {
    /** Returns the page of a path once it is loaded. */
    at: (path: Path): Page | undefined => loaded.get(path),
    load,
    /** Loads a page that is likely to come next. A failure can wait: showing the page fails again, and deals with it. */
    expect: (path: Path): void => void load(path).catch(() => undefined),
  };
}
