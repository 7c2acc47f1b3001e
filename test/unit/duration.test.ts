import { expect, test } from "bun:test";
import { parseDuration } from "../../src/core/text/duration.ts";

test.each([
  ["0", 0],
  ["0s", 0],
  ["500ms", 500],
  ["1.5s", 1_500],
  ["15m", 900_000],
  ["1h30m", 5_400_000],
  ["720h", 2_592_000_000],
  ["1h1m1s1ms", 3_661_001],
])("%s is %p milliseconds", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  "",
  " ",
  "15",
  "m",
  "-1m",
  "+1m",
  "1d",
  "1 h",
  " 1h",
  "1h ",
  "1h\n",
  ".5s",
  "1.s",
  "1,5s",
  "1e3s",
  "1H",
  "0.5ms",
  "٣s",
  "9".repeat(20) + "h",
])("%p is not a duration", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
