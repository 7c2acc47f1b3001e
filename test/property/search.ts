import type { Parameters } from "fast-check";

export const longestSearchMs = 3_660_000;

/** Returns how long each random test searches: `GATEHOUSE_PROPERTY_SECONDS`, or `usual` without it. */
export function searchSeconds(usual: number): number {
  const seconds = Number(process.env["GATEHOUSE_PROPERTY_SECONDS"] ?? usual);
  if (!(seconds > 0 && seconds <= 3_600)) throw new Error("GATEHOUSE_PROPERTY_SECONDS must be between 0 and 3600");
  return seconds;
}

/** Options that stop a search after that time. A failure prints its seed, which `GATEHOUSE_PROPERTY_SEED` takes. */
export function searchOptions<T>(seconds: number): Parameters<T> {
  const seed = process.env["GATEHOUSE_PROPERTY_SEED"];
  return {
    numRuns: 10_000_000,
    interruptAfterTimeLimit: seconds * 1_000,
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  };
}
