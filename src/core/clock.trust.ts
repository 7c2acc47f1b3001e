import { hour, minute, type Millis } from "./clock.ts";

/** One look of a process at its two clocks, and at the schedules' last ticks as the database has them. */
export interface ClockReading {
  readonly wall: Millis;
  /** Counts evenly from any beginning, and nobody can set it. */
  readonly monotonic: Millis;
  /** The time of the last tick of each schedule, by its name. */
  readonly ticks: ReadonlyMap<string, Millis>;
}

/** Why the clock has to run evenly anew: the process began, saw the clock jump, or saw a tick far from its own time. */
export type Distrust = "start" | "jump" | "tick";

export interface ClockState {
  readonly last: ClockReading;
  /** The reading that later ones are compared with, an hour old at most: a clock that is slewed a little must not add up to a jump. */
  readonly base: ClockReading;
  /** In monotonic time. */
  readonly evenSince: Millis;
  readonly because: Distrust;
  /** How often it had to begin anew since the process began, or began in doubt. */
  readonly jumps: number;
}

/**
 * How far ahead the clock of another process may be. What is stored with a time that lies further in the future than it can was written by
 * a clock that was wrong, and does not count: it would stand in the way until that time has come.
 */
export const mostSkewMs = hour;

const jumpMs = minute;
const farMs = 24 * hour;

const driftBetween = (from: ClockReading, to: ClockReading): Millis =>
  Math.abs(to.wall - from.wall - (to.monotonic - from.monotonic));

/** The tick that is newest by what it says of itself, where it lies more than a day before or behind the clock. */
export function farTick({ wall, ticks }: Pick<ClockReading, "wall" | "ticks">): Millis | undefined {
  const newest = Math.max(...ticks.values());
  return ticks.size > 0 && Math.abs(newest - wall) > farMs ? newest : undefined;
}

/**
 * Whether a schedule ticked since the last reading at a time that is far from this clock: the process that wrote it has another time. What
 * was written before is told once, so that a tick which a wrong clock has left behind distrusts nobody for ever.
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

/** What is known of the clock after one more reading; without a state, after the first. */
export function next(state: ClockState | undefined, reading: ClockReading): ClockState {
  if (state === undefined) return begunAt(reading, farTick(reading) === undefined ? "start" : "tick", 0);
  const because = whyUneven(state, reading);
  if (because !== undefined) return begunAt(reading, because, state.jumps);
  const isBaseOld = reading.monotonic - state.base.monotonic >= hour;
  return { ...state, last: reading, base: isBaseOld ? reading : state.base };
}

/** How long the clock still has to run evenly; 0 where it can be trusted. */
export const untrustedFor = ({ last, evenSince }: ClockState, evenForMs: Millis): Millis =>
  Math.max(0, evenSince + evenForMs - last.monotonic);

/** A deletion by age that has to wait, since the clock can't be trusted. */
export interface HeldBack {
  /** After so long it may be tried again. */
  readonly heldForMs: Millis;
}

/** Is asked by everything that deletes by age. */
export interface AgeClock {
  /** The time from which ages count, or how long nothing may be deleted yet. */
  trusted(): Promise<Millis | HeldBack>;
}

/** Deletes by age where the clock can be trusted; else says that it was held back. */
export async function byAge(ages: AgeClock, work: (now: Millis) => Promise<void>): Promise<HeldBack | undefined> {
  const now = await ages.trusted();
  if (typeof now !== "number") return now;
  await work(now);
  return undefined;
}
