import { nextUrl } from "../core/address/next.url.ts";

/** Returns where to go after a sign-in: `next` as a Location header may hold it, or undefined when it leads away from `origin`. */
export const pathAfterSignIn = (next: string | undefined, origin: string): string | undefined =>
  next === undefined ? undefined : nextUrl(next, { origin });
