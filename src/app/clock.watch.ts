import { type Clock, hour, type Millis, minute, second, timestamp } from "../core/clock.ts";
import { type AgeClock, type ClockState, type Distrust, farTick, next, untrustedFor } from "../core/clock.trust.ts";
import { createTickRepository } from "../scheduler/index.ts";
import type { Database } from "../drivers/database/index.ts";
import type { Log } from "../observe/index.ts";

interface ClockWatchOptions {
  readonly clock: Clock;
  /** Milliseconds of a clock that nobody can set. */
  readonly monotonic?: (() => Millis) | undefined;
  readonly database: Database;
  /** The scheduler of this process, whose ticks are ignored: one planned before a jump of the clock may be taken after it. */
  readonly instance?: string | undefined;
  /** How long the clock has to run evenly before it is trusted. */
  readonly evenForMs?: Millis | undefined;
  /** How often a running process looks at its clock. */
  readonly everyMs?: Millis;
  /** Called with the reason when the clock has to prove itself for an hour again, and when the newest tick is far away at the start. */
  readonly onJump?: ((because: Exclude<Distrust, "start">) => void) | undefined;
  readonly log: Log;
}

/** Returns the newest tick of the schedules where it is more than a day away from `now`: all that a command can learn about the clock. */
export const farTickIn = async (database: Database, now: Millis): Promise<Millis | undefined> =>
  farTick({ wall: now, ticks: await createTickRepository(database).last() });

const reasons: Readonly<Record<Distrust, string>> = {
  start: "this process has just begun to watch it",
  jump: "it jumped by more than a minute",
  tick: "a schedule ran at a time that is more than a day away from it",
};

/**
 * Watches the clock of this process. Nothing is deleted by age before the clock has run evenly for an hour: within that hour a clock that
 * was set wrongly is corrected, or the log, `clock_trusted` and `host:check` tell somebody.
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

  /** Compares both clocks at one moment, together with the ticks that were read just before. */
  function judge(read: ReadonlyMap<string, Millis>): { readonly now: Millis; readonly heldForMs: Millis } {
    const before = state;
    state = next(state, { wall: clock.now(), monotonic: monotonic(), ticks: read });
    const heldForMs = untrustedFor(state, evenForMs);
    if (state.jumps !== (before?.jumps ?? 0) && state.because !== "start") onJump?.(state.because);
    if (timer !== undefined) tell(before, state, heldForMs);
    return { now: state.last.wall, heldForMs };
  }

  /** Logs one line for each change of trust, and for each jump while the clock is distrusted. */
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
    // The clocks are compared even while the database is away or not migrated.
    judge(await ticks.last(instance).catch(() => known));
  }

  return {
    async trusted() {
      const { now, heldForMs } = judge(await ticks.last(instance));
      return heldForMs === 0 ? now : { heldForMs };
    },

    /** Whether the last look trusted the clock; false before the first look. */
    isTrusted: (): boolean => state !== undefined && untrustedFor(state, evenForMs) === 0,

    /** Starts looking at the clock regularly. The timer does not keep the process alive. */
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
