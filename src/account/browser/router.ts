import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { nextUrl } from "../../core/address/next.url.ts";
import { keptDestination, mailedDestination } from "./acts/storage.ts";
import { paths, type Path, type Settings } from "../shared/settings.ts";

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

/** The content of a mailed link. The address bar does not show it, and it survives a reload of the page. */
export interface Ticket {
  readonly token: string;
  /** Whether the link was the one that says "this was not me". */
  readonly isReject: boolean;
}

export interface Place {
  /** Undefined for a path that has no page. */
  readonly path: Path | undefined;
  readonly query: URLSearchParams;
  readonly ticket: Ticket | undefined;
}

type Query = Readonly<Record<string, string>>;

const isPath = (text: string): text is Path => paths.some((path) => path === text);

const isTicket = (state: unknown): state is Ticket =>
  typeof state === "object" && state !== null && "token" in state && "isReject" in state;

/** Follows links between the pages without loading a document. The browser follows all other links. */
export function createRouter({ base, origins }: Pick<Settings, "base" | "origins">, pages: Pages) {
  const pathOf = (pathname: string): string => pathname.slice(base.length).replace(/(?<=.)\/$/, "");

  function read(): Place {
    const path = pathOf(location.pathname);
    const query = new URLSearchParams(location.search);
    const token = query.get("token");
    // A token in the address would be in the browser's history and on its other devices.
    if (token !== null)
      history.replaceState({ token, isReject: query.has("reject") } satisfies Ticket, "", location.pathname);
    const state: unknown = history.state;
    return { path: isPath(path) ? path : undefined, query, ticket: isTicket(state) ? state : undefined };
  }

  const place = signal(read());
  let arriving = place.value;
  /** Returns the address of a page, for a link to it. */
  const href = (path: Path, query: Query = {}): string => {
    const search = new URLSearchParams(query).toString();
    return `${base}${path}${search === "" ? "" : `?${search}`}`;
  };
  /** Shows the page of the address once it is loaded. Until then the previous page stays. */
  async function show(after: () => void): Promise<void> {
    const next = read();
    arriving = next;
    const { path = "/login" } = next;
    // A later release may have removed the file. A reload gets the page with the files of its own release.
    if (pages.at(path) === undefined) await pages.load(path).catch(() => location.reload());
    if (arriving !== next || pages.at(path) === undefined) return;
    place.value = next;
    after();
  }
  const arrive = (): void => void show(() => scrollTo(0, 0));
  /** Goes to a page in place of the current one: the back button does not lead to the current one again. */
  const replace = (path: Path, query?: Query, section = ""): void => {
    history.replaceState(null, "", `${href(path, query)}${section}`);
    arrive();
  };
  /** Returns the `next` of the address where a sign-in may lead there; undefined for the account. */
  const destination = (): string | undefined =>
    nextUrl(nextOf(place.value) ?? "", { origin: location.origin, allowed: origins });
  const onwards = (): Query => {
    const next = destination();
    return next === undefined ? {} : { next };
  };

  // A link that somebody points at is likely to be followed: its page is loaded meanwhile.
  for (const aim of ["pointerover", "focusin"])
    addEventListener(aim, ({ target }) => {
      const link = target instanceof Element ? target.closest("a") : null;
      const path = link?.origin === location.origin ? pathOf(link.pathname) : "";
      if (isPath(path)) pages.expect(path);
    });
  addEventListener("popstate", () => void show(() => {}));
  addEventListener("click", (event) => {
    const link = plainlyClicked(event);
    if (link === undefined || !link.pathname.startsWith(base) || !isPath(pathOf(link.pathname))) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    arrive();
  });

  return {
    place,
    href,
    replace,
    /** Goes to the sign-in, which leads back to this page. `more` says what is to be done there. */
    signInAgain: (more: Query = {}): void =>
      replace("/login", { ...more, next: `${location.pathname}${location.search}` }),
    destination,
    /** Returns the address of another page that keeps the destination. */
    onward: (path: Path): string => href(path, onwards()),
    /** Keeps the destination for the tab in which the link of a mail is opened, or forgets an earlier one. */
    keepForMail(): void {
      const next = destination();
      if (next === undefined) mailedDestination.drop();
      else mailedDestination.keep(next);
    },
    /** Shows a step of the sign-in that keeps the destination. The step survives a reload of the page. */
    toStep: (step: Query): void => replace("/login", { ...step, ...onwards() }),
    /** Goes to the destination, which may be another site. */
    goOn(): void {
      const next = destination();
      mailedDestination.drop();
      if (next === undefined || next === href("/account")) {
        // A browser keeps the fragment of the address when it is led to the sign-in, so the section is still known.
        history.replaceState(null, "", `${href("/account")}${location.hash}`);
        arrive();
      } else location.replace(next);
    },
  };
}

function nextOf({ query, ticket }: Place): string | undefined {
  const next = query.get("next");
  if (next !== null) return next;
  if (ticket !== undefined) return mailedDestination.read();
  return query.has("oauth_error") ? keptDestination.read() : undefined;
}

/** Returns the link of this origin that a click follows in this tab. */
function plainlyClicked(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (event.defaultPrevented || link === null || link.target !== "" || link.hash !== "") return undefined;
  return link.origin === location.origin ? link : undefined;
}
