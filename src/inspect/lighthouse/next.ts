import { localPath } from "../../core/address/local.path.ts";

const home = "/lighthouse";

/** Returns the page after a sign-in to Lighthouse: `next` where that is a page of Lighthouse, otherwise the list of inspects. */
export function pageAfterSignIn(next: string | null, origin: string): string {
  const path = next === null ? undefined : localPath(next, origin);
  return path !== undefined && /^\/lighthouse(?:[/?#]|$)/.test(path) ? path : home;
}
