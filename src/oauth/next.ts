import { localPath } from "../core/local.path.ts";

/** Bounds what one sign-in under way can store. */
const longest = 2_048;
/** A sign-in does not end in the start of another, least of all of a linking; the path of APP_URL may come before. */
const ownRoutes = /\/api\/v1\/auth\/oauth(?:\/|$)/i;

/** Where to go after a sign-in: `next` as a Location header may hold it, or undefined when it is no path of `origin`. */
export function pathAfterSignIn(next: string | undefined, origin: string): string | undefined {
  if (next === undefined || next.length > longest) return undefined;
  return localPath(next, origin, (path) => ownRoutes.test(path));
}
