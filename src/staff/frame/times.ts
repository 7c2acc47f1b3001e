import type { Millis } from "../../core/clock.ts";
import { createTimes as createTimesIn } from "../../kit/index.ts";

/** Writes moments for one of the staff, whose profile names a zone or none. Hours go from 0 to 23. */
export const createTimes = (zone: string | null, now: Millis) =>
  createTimesIn({ zone, now, tag: "en-GB", words: { justNow: "just now", soon: "in less than a minute" } });
