import { createFairTurns, type Place } from "../../core/pace/fair.turns.ts";
import { createByKey } from "../../core/pace/turns.ts";

/** How much of what others have published is read at once, and how much of one host. */
const ofAll = { running: 16, waiting: 64 } as const;
const ofOneHost = { running: 2, waiting: 8 } as const;

/** There was no room for one more. It says nothing about the address. */
export class TooMany extends Error {}

/** Bounds how many addresses of others are read at once. Those who want one read take turns, at each host and among all. */
export function createLane() {
  const refusal = (): Error => new TooMany("too many addresses are being read");
  const all = createFairTurns({ ...ofAll, refusal });
  const atHost = createByKey(() => createFairTurns({ ...ofOneHost, refusal }));
  return <T>({ host }: Pick<URL, "host">, place: Place, work: () => Promise<T>): Promise<T> =>
    atHost(host, (turns) => turns.run(() => all.run(work, place), place));
}
