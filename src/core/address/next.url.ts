import { localPath } from "./local.path.ts";

/** Bounds what travels in the address of the sign-in page. */
const longest = 2_048;

const signInStarts = /\/api\/v1\/auth\/oauth(?:\/|$)/i;
/**
 * Whether a path of this service, behind whatever path APP_URL has, begins a sign-in with a provider or a linking. No sign-in
 * ends there: it would begin the next one from a page of this origin and with a fresh proof of identity, and so get past the
 * checks that keep the links of others from linking an identity to their visitors' accounts.
 */
export const isSignInStart = (path: string): boolean => signInStarts.test(path);

interface Destinations {
  /** The service's own origin. */
  readonly origin: string;
  /** Other origins that people may be sent to, as browsers write them. */
  readonly allowed: readonly string[];
}

/**
 * Where a browser may go once somebody has signed in: a path of this origin, or an address on a listed one. Undefined for
 * anything else. An address has to begin with the origin, character by character, and a slash: what a browser would read
 * as user, port or other host can't follow it. The server and the sign-in page both decide by this function, so it uses
 * nothing that only one of them has.
 */
export function nextUrl(next: string, { origin, allowed }: Destinations): string | undefined {
  if (next.length > longest) return undefined;
  const named = [origin, ...allowed].find((each) => next === each || next.startsWith(`${each}/`));
  const home = named ?? origin;
  const isRefused = home === origin ? isSignInStart : undefined;
  const path = localPath(named === undefined ? next : next.slice(named.length) || "/", home, isRefused);
  return path === undefined || home === origin ? path : `${home}${path}`;
}
