import type { JSX } from "preact";
import type { Path } from "../shared/settings.ts";

export type Page = () => JSX.Element;

export interface Pages {
  /** The page of a path, once it is loaded. */
  at(path: Path): Page | undefined;
  load(path: Path): Promise<void>;
  /** To be called when a page is likely to come next: it is loaded meanwhile. */
  expect(path: Path): void;
}

/** Keeps the pages that were loaded. */
export function createPages(loadPage: (path: Path) => Promise<Page>): Pages {
  const loaded = new Map<Path, Page>();
  async function load(path: Path): Promise<void> {
    if (!loaded.has(path)) loaded.set(path, await loadPage(path));
  }
  return {
    at: (path) => loaded.get(path),
    load,
    // What fails here fails again, and is dealt with, when the page is shown.
    expect: (path) => void load(path).catch(() => undefined),
  };
}
