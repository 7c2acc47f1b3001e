import { type Clock, hour, type Millis, minute, second, timestamp } from "../core/clock.ts";
import { type AgeClock, type ClockState, type Distrust, farTick, next, untrustedFor } from "../core/clock.trust.ts";
import { createTickRepository } from "../scheduler/index.ts";
import type { Database } from "../drivers/database/index.ts";
import type { Log } from "../observe/index.ts";

interface ClockWatchOptions {
  readonly clock: Clock;
  /** Milliseconds of a clock that nobody can set. */
  readonly monotonic?: (() => Millis) | undefined;
  /** Has the last tick of each schedule. */
  readonly database: Database;
  /** The scheduler of this process, whose ticks say nothing new: one that was planned before a jump is taken after it. */
  readonly instance?: string | undefined;
  /** For so long the clock has to run evenly before it is trusted. */
  readonly evenForMs?: Millis | undefined;
  /** How often a process that runs looks at its clock. */
  readonly everyMs?: Millis;
  /** Is told what makes the clock run its hour anew, and of a newest tick that is far away when the process begins. */
  readonly onJump?: ((because: Exclude<Distrust, "start">) => void) | undefined;
  readonly log: Log;
}

/** The newest tick of the schedules, where it is more than a day away from the clock: all that a command can know of it. */
export const farTickIn = async (database: Database, now: Millis): Promise<Millis | undefined> =>
  farTick({ wall: now, ticks: await createTickRepository(database).last() });

const reasons: Readonly<Record<Distrust, string>> = {
  start: "this process has just begun to watch it",
  jump: "it jumped by more than a minute",
  tick: "a schedule ran at a time that is more than a day away from it",
};

/**
 * Watches the clock of this process: what is deleted by age is deleted only once the clock has run evenly for an hour. A clock that was set
 * wrongly is mended within that hour, or somebody is told by the log, by `clock_trusted` and by `host:check`.
 */
export function createClockWatch(options: ClockWatchOptions) {
  const {
    clock,
    monotonic = () => performance.now(),
    database,
    instance,
    evenForMs = hour,
    everyMs = 10 * second,
    onJump,
    log,
  } = options;
  const ticks = createTickRepository(database);
  let state: ClockState | undefined;
  let told: Distrust | "trusted" | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let looking: Promise<unknown> | undefined;

  /** Looks at both clocks at once, and takes the ticks that were read just before. */
  function judge(read: ReadonlyMap<string, Millis>): { readonly now: Millis; readonly heldForMs: Millis } {
    const before = state;
    state = next(state, { wall: clock.now(), monotonic: monotonic(), ticks: read });
    const heldForMs = untrustedFor(state, evenForMs);
    if (state.jumps !== (before?.jumps ?? 0) && state.because !== "start") onJump?.(state.because);
    if (timer !== undefined) tell(before, state, heldForMs);
    return { now: state.last.wall, heldForMs };
  }

  /** One line for each change, and for each jump of a clock that was not trusted anyway. */
  function tell(before: ClockState | undefined, after: ClockState, heldForMs: Millis): void {
    if (heldForMs === 0) {
      if (told !== "trusted") log.info("the clock can be trusted: what is old is deleted again");
      told = "trusted";
      return;
    }
    const { because, jumps, last } = after;
    if (told === because && jumps === before?.jumps) return;
    told = because;
    const fields = { reason: reasons[because], clock: timestamp(last.wall), minutes: Math.ceil(heldForMs / minute) };
    const message = "the clock can't be trusted yet: nothing is deleted by age";
    if (because === "start") log.info(message, fields);
    else log.warn(message, fields);
  }

  async function look(): Promise<void> {
    const known = state?.last.ticks ?? new Map<string, Millis>();
    // The clocks are compared without the database as well, which may be away or not migrated.
    judge(await ticks.last(instance).catch(() => known));
  }

  return {
    async trusted() {
      const { now, heldForMs } = judge(await ticks.last(instance));
      return heldForMs === 0 ? now : { heldForMs };
    },

    /** As of the last look; before the first one nothing is trusted. */
    isTrusted: (): boolean => state !== undefined && untrustedFor(state, evenForMs) === 0,

    /** Begins to look for as long as the process runs, which the timer alone does not keep alive. */
    start(): void {
      if (timer !== undefined) return;
      const turn = (): void => {
        looking ??= look().finally(() => {
          looking = undefined;
        });
      };
      timer = setInterval(turn, everyMs);
      timer.unref();
      turn();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await looking;
    },
  } satisfies AgeClock & Record<string, unknown>;
}
