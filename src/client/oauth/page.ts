/** What a page leaves for the page at the redirect URI. */
export interface Departure {
  readonly state: string;
  readonly verifier: string;
  readonly returnTo: string;
}

const isDeparture = (value: unknown): value is Departure =>
  value instanceof Object && "state" in value && "verifier" in value && "returnTo" in value;

/** Takes a page to a sign-in and back. The store of the tab holds what proves that it was this tab that left. */
export function createPage(name: string) {
  return {
    leave(address: string, departure: Omit<Departure, "returnTo">, returnTo: string | undefined): void {
      const { pathname, search, hash } = location;
      sessionStorage.setItem(
        name,
        JSON.stringify({
          returnTo: `${pathname}${search}${hash}`,
          ...(returnTo !== undefined && { returnTo }),
          ...departure,
        }),
      );
      location.assign(address);
    },

    /** Returns the address by which the page came back, and what was left for it, once; undefined where the page was opened in another way. */
    arrive(): { readonly cameBack: string; readonly departure: Departure } | undefined {
      const departure: unknown = JSON.parse(sessionStorage.getItem(name) ?? "null");
      const { href, search } = location;
      if (!isDeparture(departure) || new URLSearchParams(search).get("state") !== departure.state) return undefined;
      sessionStorage.removeItem(name);
      history.replaceState(null, "", new URL(departure.returnTo, href));
      return { cameBack: href, departure };
    },
  };
}
