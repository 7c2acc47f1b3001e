import { localPath } from "../../core/address/local.path.ts";

const home = "/lighthouse";

/** Where a sign-in to Lighthouse leads: `next` where that is one of these pages, else the list of inspects. */
export function pageAfterSignIn(next: string | null, origin: string): string {
  const path = next === null ? undefined : localPath(next, origin);
  return path !== undefined && /^\/lighthouse(?:[/?#]|$)/.test(path) ? path : home;
}
