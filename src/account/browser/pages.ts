import type { JSX } from "preact";
import type { Path } from "../shared/settings.ts";

export type Page = () => JSX.Element;

export interface Pages {
  /** Returns the page of a path once it is loaded. */
  at(path: Path): Page | undefined;
  load(path: Path): Promise<void>;
  /** Loads a page that is likely to come next. */
  expect(path: Path): void;
}

/** Keeps the loaded pages. */
export function createPages(loadPage: (path: Path) => Promise<Page>): Pages {
  const loaded = new Map<Path, Page>();
  async function load(path: Path): Promise<void> {
    if (!loaded.has(path)) loaded.set(path, await loadPage(path));
  }
  return {
    at: (path) => loaded.get(path),
    load,
    // A failure here can wait: showing the page fails again, and deals with it.
    expect: (path) => void load(path).catch(() => undefined),
  };
}
