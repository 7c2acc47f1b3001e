import { localPath } from "./local.path.ts";
import { loopbackOrigin, type AllowedOrigins } from "./origins.ts";

/** The most characters of a destination: it travels in the address of the sign-in page. */
const longest = 2_048;

const signInStarts = /\/api\/v1\/auth\/oauth(?:\/|$)/i;
/**
 * Whether a path of this service, below any path in APP_URL, starts a sign-in with a provider or the linking of one. No sign-in may end
 * there: it would start the next one from a page of this origin, with a fresh proof of identity, and so bypass the checks that stop other
 * people's links from linking an identity to a visitor's account.
 */
const isSignInStart = (path: string): boolean => signInStarts.test(path);

const none: AllowedOrigins = { listed: [], loopback: false };

interface Destinations {
  /** The service's own origin. */
  readonly origin: string;
  /** Other origins that people may be sent to. */
  readonly allowed?: AllowedOrigins;
}

/**
 * Returns where a browser may go after a sign-in: a path of this origin, or an address on an allowed one. Returns undefined for anything
 * else. An address must begin with the origin, character by character, and a slash, so that nothing after it can be read as a user, port or
 * other host. The server and the sign-in page both decide by this function, so it uses only what both have.
 */
export function nextUrl(next: string, { origin, allowed = none }: Destinations): string | undefined {
  if (next.length > longest) return undefined;
  const begins = (each: string): boolean => next === each || next.startsWith(`${each}/`);
  const named = [origin, ...allowed.listed].find(begins) ?? (allowed.loopback ? loopbackOrigin(next) : undefined);
  const home = named ?? origin;
  const isRefused = home === origin ? isSignInStart : undefined;
  const path = localPath(named === undefined ? next : next.slice(named.length) || "/", home, isRefused);
  return path === undefined || home === origin ? path : `${home}${path}`;
}
