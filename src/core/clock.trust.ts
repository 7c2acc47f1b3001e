import { hour, minute, type Millis } from "./clock.ts";

/** One reading of a process's two clocks, and of the schedules' last ticks as the database has them. */
export interface ClockReading {
  readonly wall: Millis;
  /** Monotonic time, which starts anywhere and which nobody can set. */
  readonly monotonic: Millis;
  /** The time of the last tick of each schedule, by its name. */
  readonly ticks: ReadonlyMap<string, Millis>;
}

/** Why the wait for an even clock began again: the process started, its clock jumped, or a tick was far from its own time. */
export type Distrust = "start" | "jump" | "tick";

export interface ClockState {
  readonly last: ClockReading;
  /** The reading that later ones are compared with, at most an hour old: slow slewing must not add up to a jump. */
  readonly base: ClockReading;
  /** Monotonic time since which the clock has run evenly. */
  readonly evenSince: Millis;
  readonly because: Distrust;
  /** How often a jump or a far tick took the trust away since the process started, its first reading included. */
  readonly jumps: number;
}

/**
 * How far the clock of another process may run ahead. A stored time further in the future was written by a wrong clock and is ignored: it
 * would block its purpose until that time came.
 */
export const mostSkewMs = hour;

const jumpMs = minute;
const farMs = 24 * hour;

const driftBetween = (from: ClockReading, to: ClockReading): Millis =>
  Math.abs(to.wall - from.wall - (to.monotonic - from.monotonic));

/** Returns the newest tick, by its own time, if it lies more than a day from the wall clock. */
export function farTick({ wall, ticks }: Pick<ClockReading, "wall" | "ticks">): Millis | undefined {
  const newest = Math.max(...ticks.values());
  return ticks.size > 0 && Math.abs(newest - wall) > farMs ? newest : undefined;
}

/**
 * Whether a schedule has ticked since the last reading at a time far from this clock: the process that wrote it has another time. Each tick
 * counts once, so that one left behind by a wrong clock does not cause distrust for ever.
 */
const hasNewFarTick = ({ ticks: known }: ClockReading, { ticks, wall }: ClockReading): boolean =>
  [...ticks].some(([name, at]) => known.get(name) !== at && Math.abs(at - wall) > farMs);

function whyUneven(state: ClockState, reading: ClockReading): Distrust | undefined {
  if (driftBetween(state.last, reading) > jumpMs || driftBetween(state.base, reading) > jumpMs) return "jump";
  return hasNewFarTick(state.last, reading) ? "tick" : undefined;
}

const begunAt = (reading: ClockReading, because: Distrust, jumpsBefore: number): ClockState => ({
  last: reading,
  base: reading,
  evenSince: reading.monotonic,
  because,
  jumps: because === "start" ? jumpsBefore : jumpsBefore + 1,
});

/** Returns the state of the clock after one more reading. Without a state, this reading is the first. */
export function next(state: ClockState | undefined, reading: ClockReading): ClockState {
  if (state === undefined) return begunAt(reading, farTick(reading) === undefined ? "start" : "tick", 0);
  const because = whyUneven(state, reading);
  if (because !== undefined) return begunAt(reading, because, state.jumps);
  const isBaseOld = reading.monotonic - state.base.monotonic >= hour;
  return { ...state, last: reading, base: isBaseOld ? reading : state.base };
}

/** How long the clock must still run evenly; 0 when it can be trusted. */
export const untrustedFor = ({ last, evenSince }: ClockState, evenForMs: Millis): Millis =>
  Math.max(0, evenSince + evenForMs - last.monotonic);

/** A deletion by age that has to wait because the clock can't be trusted. */
export interface HeldBack {
  /** How long to wait before another try. */
  readonly heldForMs: Millis;
}

/** The clock that every deletion by age must ask. */
export interface AgeClock {
  /** Resolves to the time from which ages count, or to how long nothing may be deleted yet. */
  trusted(): Promise<Millis | HeldBack>;
}

/** Runs a deletion by age if the clock can be trusted. Otherwise resolves to how long it is held back. */
export async function byAge(ages: AgeClock, work: (now: Millis) => Promise<void>): Promise<HeldBack | undefined> {
  const now = await ages.trusted();
  if (typeof now !== "number") return now;
  await work(now);
  return undefined;
}
