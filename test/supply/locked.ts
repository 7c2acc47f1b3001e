import lock from "../../bun.lock";
import runtimesLock from "../../src/build/runtimes/bun.lock";
import released from "./released.json" with { type: "json" };

/** Every package of the lockfiles, those that packages bring included, such as `jose@6.2.17`. */
export const locked: ReadonlySet<string> = new Set(
  [...Object.values(lock.packages), ...Object.values(runtimesLock.packages)].map(([id]) => id),
);

interface Taken {
  readonly id: string;
  /** The days on which the registry had it, and on which it came into a lockfile. */
  readonly released: string;
  readonly taken: string;
}

export const taken: readonly Taken[] = Object.entries(released).flatMap(([day, all]) =>
  Object.entries(all).map(([id, date]) => ({ id, released: date, taken: day })),
);

const days: ReadonlyMap<string, string> = new Map(taken.map((each) => [each.id, each.released]));

export function releasedOn(id: string): string {
  const day = days.get(id);
  if (day === undefined) throw new Error(`released.json has no day for ${id}: bun test/supply/write.ts asks for it`);
  return day;
}

const dayMs = 24 * 60 * 60 * 1000;

export const ageInDays = ({ released, taken }: Taken): number => (Date.parse(taken) - Date.parse(released)) / dayMs;
