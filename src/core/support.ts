import type { Millis } from "./clock.ts";

/** How long a release gets fixes of holes, from the time of the sources that it was built of. The manual promises it. */
export const supportMs = 365 * 24 * 60 * 60 * 1000;

/** Returns the day until which a release that was built of sources of that time is looked after, such as `2027-11-22`. */
export const supportedUntil = (builtAt: Millis): string => new Date(builtAt + supportMs).toISOString().slice(0, 10);
