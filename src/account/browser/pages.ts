import type { JSX } from "preact";
import type { Path } from "../shared/settings.ts";

type Page = () => JSX.Element;

/** Each source is a file of its own. The server tells the browser with the page which one its path needs (`bundle.ts`). */
async function loadPage(path: Path): Promise<Page> {
  if (path === "/login") return (await import("./pages/sign.in/page.tsx")).SignInPage;
  if (path === "/account") return (await import("./pages/account/page.tsx")).AccountPage;
  return (await import("./pages/seldom.ts")).seldomPages[path];
}

export interface Pages {
  /** The page of a path, once it is loaded. */
  at(path: Path): Page | undefined;
  load(path: Path): Promise<void>;
  /** To be called when a page is likely to come next: it is loaded meanwhile. */
  expect(path: Path): void;
}

export function createPages(): Pages {
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
