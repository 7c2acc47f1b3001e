import { describe, expect, test } from "bun:test";
import { hour, minute, second } from "../../src/core/clock.ts";
import { type ClockReading, type ClockState, farTick, next, untrustedFor } from "../../src/core/clock.trust.ts";

const day = 24 * hour;
const noon = Date.UTC(2026, 5, 1, 12);

/** A process that looks every ten seconds, and whose clock is set now and then. */
function createProcess(ticks: Record<string, number> = {}) {
  let state: ClockState | undefined;
  let monotonic = 5_000;
  let wall = noon;
  const look = (): ClockState => {
    const reading: ClockReading = { wall, monotonic, ticks: new Map(Object.entries(ticks)) };
    return (state = next(state, reading));
  };
  look();
  return {
    ticks,
    wall: () => wall,
    set: (byMs: number) => void (wall += byMs),
    /** Lets time pass, where the clock runs at a rate of its own. */
    pass(ms: number, rate = 1) {
      for (let left = ms; left > 0; left -= 10 * second) {
        monotonic += 10 * second;
        wall += 10 * second * rate;
        look();
      }
    },
    left: () => untrustedFor(look(), hour),
    because: () => look().because,
  };
}

describe("K-01 what a process knows of its clock", () => {
  test("it is trusted after an hour of even running, and not a minute before", () => {
    const { pass, left, because } = createProcess();
    expect([left(), because()]).toEqual([hour, "start"]);
    pass(hour - minute);
    expect(left()).toBe(minute);
    pass(minute);
    expect(left()).toBe(0);
    pass(10 * day);
    expect(left()).toBe(0);
  });

  test.each([2 * minute, 2 * day, 400 * day, -2 * minute, -2 * day, -400 * day])(
    "a jump by %d ms begins the hour anew, and so does the jump back",
    (by) => {
      const { pass, left, set, because } = createProcess();
      pass(2 * hour);
      set(by);
      expect([left(), because()]).toEqual([hour, "jump"]);
      pass(8 * second);
      set(-by);
      expect(left()).toBe(hour);
      pass(hour);
      expect(left()).toBe(0);
    },
  );

  test("what a time server mends in small steps is no jump, however long it goes on", () => {
    const { pass, left, set } = createProcess();
    pass(hour);
    pass(30 * day, 1.0005);
    set(50 * second);
    expect(left()).toBe(0);
  });

  test("a clock that runs at twice its speed is never trusted", () => {
    const { pass, left } = createProcess();
    pass(3 * hour, 2);
    expect(left()).toBeGreaterThan(50 * minute);
  });

  test.each([-3 * day, 400 * day, -400 * day])("a newest tick that is %d ms away is told at the first look", (by) => {
    const { because, left, pass } = createProcess({ "auth:cleanup": noon + by });
    expect(because()).toBe("tick");
    pass(hour);
    // It is known by now: nothing has ticked at a wrong time since.
    expect(left()).toBe(0);
  });

  test("another process that ticks at another time begins the hour anew, each time", () => {
    const { ticks, left, pass, wall, because } = createProcess({ "auth:cleanup": noon });
    pass(2 * hour);
    ticks["auth:cleanup"] = wall() - minute;
    expect(left()).toBe(0);
    for (const by of [400 * day, -400 * day, 400 * day]) {
      ticks["auth:cleanup"] = wall() + by;
      expect([left(), because()]).toEqual([hour, "tick"]);
      pass(30 * minute);
    }
  });

  test("a tick is far where it is more than a day before or behind the clock", () => {
    const far = (...at: number[]) => farTick({ wall: noon, ticks: new Map(at.map((tick) => [String(tick), tick])) });
    expect(far()).toBeUndefined();
    expect(far(noon - 30 * day, noon - day)).toBeUndefined();
    expect(far(noon - 30 * day, noon - day - 1)).toBe(noon - day - 1);
    expect(far(noon + day)).toBeUndefined();
    expect(far(noon, noon + day + 1)).toBe(noon + day + 1);
  });
});
