import { expect, test } from "bun:test";
import fc from "fast-check";
import { nextTick } from "../../src/scheduler/cron.ts";
import { plainTick } from "../../src/scheduler/plain.cron.ts";

const field = (least: number, most: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constant("*"),
    fc.integer({ min: least, max: most }).map(String),
    fc.integer({ min: 1, max: most }).map((step) => `*/${step}`),
    fc.constantFrom("1-3", "1,2", "02"),
  );
const expressions = fc
  .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6))
  .map((fields) => fields.join(" "));
const moments = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2032, 0, 1) });
const wholeMinutes = moments.map((moment) => moment - (moment % 60_000));

test("the plain expressions come when the runtime says that they come", () => {
  let plain = 0;
  fc.assert(
    fc.property(expressions, fc.oneof(moments, wholeMinutes), (cron, after) => {
      const found = plainTick(cron, after);
      if (found === undefined) return;
      plain += 1;
      const expected = Bun.cron.parse(cron, after, { tz: "UTC" })?.getTime();
      expect({ cron, at: found }).toEqual({ cron, at: expected ?? 0 });
    }),
    { numRuns: 5_000 },
  );
  expect(plain).toBeGreaterThan(100);
});

test("the schedules of a start are plain; what is not, the runtime reads", () => {
  const after = Date.UTC(2026, 0, 1, 12, 0, 30);
  for (const cron of ["* * * * *", "*/5 * * * *", "37 * * * *", "40 3 * * *"])
    expect(plainTick(cron, after)).toBeNumber();
  const others = ["0 0 29 2 *", "15 10 1 * MON", "0 12 1-7 * *", "@daily"];
  expect(others.map((cron) => plainTick(cron, after))).toEqual(others.map(() => undefined));
  expect(nextTick({ name: "leap:day", cron: "0 0 29 2 *" }, after)).toBe(Date.UTC(2028, 1, 29));
});
