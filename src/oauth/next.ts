import { localPath } from "../core/address/local.path.ts";
import { isSignInStart } from "../core/address/next.url.ts";

/** The longest `next`: it bounds what one sign-in under way can store. */
const longest = 2_048;

/** Returns where to go after a sign-in: `next` as a Location header may hold it, or undefined when it is no path of `origin`. */
export function pathAfterSignIn(next: string | undefined, origin: string): string | undefined {
  if (next === undefined || next.length > longest) return undefined;
  return localPath(next, origin, isSignInStart);
}
