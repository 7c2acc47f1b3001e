import { signal, type ReadonlySignal } from "@preact/signals";
import { paths, type Path } from "../shared/settings.ts";

export interface Place {
  /** Undefined for a path that has no page. */
  readonly path: Path | undefined;
  readonly query: URLSearchParams;
}

export interface Router {
  readonly place: ReadonlySignal<Place>;
  /** The address of a page, for a link to it. */
  href(path: Path, query?: Readonly<Record<string, string>>): string;
  go(path: Path, query?: Readonly<Record<string, string>>): void;
  /** The same, in place of the page that is shown: the back button does not lead to it. */
  replace(path: Path, query?: Readonly<Record<string, string>>): void;
  /** Leaves the pages, for any address of this origin or another one that is allowed. */
  leave(address: string): void;
}

const isPath = (text: string): text is Path => paths.some((path) => path === text);

/** Follows links between the pages without loading anything. All other links are the browser's. */
export function createRouter(base: string): Router {
  const read = (): Place => {
    const path = location.pathname.slice(base.length).replace(/(?<=.)\/$/, "");
    return { path: isPath(path) ? path : undefined, query: new URLSearchParams(location.search) };
  };
  const place = signal(read());
  const href = (path: Path, query: Readonly<Record<string, string>> = {}): string => {
    const search = new URLSearchParams(query).toString();
    return `${base}${path}${search === "" ? "" : `?${search}`}`;
  };
  const arrive = (): void => {
    place.value = read();
    scrollTo(0, 0);
  };

  addEventListener("popstate", () => void (place.value = read()));
  addEventListener("click", (event) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!isPlain || event.defaultPrevented || link === null || link.target !== "" || link.origin !== location.origin)
      return;
    // A link within the page, and one to what is no page of these.
    if (link.hash !== "" || !link.pathname.startsWith(base) || !isPath(link.pathname.slice(base.length))) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    arrive();
  });

  return {
    place,
    href,
    go(path, query) {
      history.pushState(null, "", href(path, query));
      arrive();
    },
    replace(path, query) {
      history.replaceState(null, "", href(path, query));
      arrive();
    },
    leave: (address) => location.assign(address),
  };
}
