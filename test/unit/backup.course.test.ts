import { expect, test } from "bun:test";
import {
  atFirst,
  collects,
  copies,
  isSetBack,
  mayBegin,
  next,
  puts,
  type Happening,
} from "../../src/backup/changes/course.ts";
import { hour, minute } from "../../src/core/clock.ts";

const after = (...happenings: readonly Happening[]) => happenings.reduce(next, atFirst);
const held = ({ pending = false, putting = false, put = 0 } = {}) => ({
  hasPending: () => pending,
  isPutting: () => putting,
  putSinceCopy: () => put,
});
const mebibyte = 1024 * 1024;

test("a copy is due at first, a day after the last, and once changes are as large as it, but at least 4 MiB", () => {
  expect(copies(atFirst, held(), 0, 0)).toBe(true);
  const copied = after({ kind: "copied", at: 0, bytes: 8 * mebibyte });
  expect(copies(copied, held({ put: 7 * mebibyte }), 0, 24 * hour - 1)).toBe(false);
  expect(copies(copied, held(), 0, 24 * hour)).toBe(true);
  expect(copies(copied, held({ put: 8 * mebibyte }), 0, 1)).toBe(true);
  const small = after({ kind: "copied", at: 0, bytes: 10 });
  expect(copies(small, held({ put: 3 * mebibyte }), 0, 1)).toBe(false);
  expect(copies(small, held({ put: 4 * mebibyte }), 0, 1)).toBe(true);
});

test("one copy runs at a time, and what failed rests", () => {
  expect(copies(after({ kind: "copying" }), held(), 0, 0)).toBe(false);
  expect(copies(after({ kind: "copying" }, { kind: "copy ended" }), held(), 0, 0)).toBe(true);
  const failed = after({ kind: "failed", work: "copying", restUntil: 30 });
  expect([copies(failed, held(), 29, 0), copies(failed, held(), 30, 0)]).toEqual([false, true]);
  expect([mayBegin(failed, 29), mayBegin(failed, 30), mayBegin(after({ kind: "copying" }), 30)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(mayBegin(next(failed, { kind: "failed", work: "collecting", restUntil: 0 }), 29)).toBe(false);
});

test("changes are collected in their turn, or once there are many", () => {
  const looked = after({ kind: "looked", now: 1_000 });
  expect([collects(looked, 1_019, 20, 249), collects(looked, 1_020, 20, 0), collects(looked, 1_001, 20, 250)]).toEqual([
    false,
    true,
    true,
  ]);
});

test("news go to the disk in their turn, all of them before a copy, and silence is told within a minute", () => {
  const put = after({ kind: "put", now: 0 });
  const inTurn = { due: true, copying: false };
  expect(puts(put, held(), 44_999, inTurn)).toBe(false);
  expect(puts(put, held(), 45_000, inTurn)).toBe(true);
  for (const news of [held({ pending: true }), held({ putting: true })]) expect(puts(put, news, 1, inTurn)).toBe(true);
  expect(puts(put, held({ pending: true }), 1, { due: false, copying: false })).toBe(false);
  expect(puts(put, held({ pending: true }), 1, { due: false, copying: true })).toBe(true);
});

test("a new series has no copy yet, and a clock that was set back by more than a minute ends one", () => {
  expect(after({ kind: "copied", at: 0, bytes: 1 }, { kind: "series begun" }).copied).toBeUndefined();
  const collected = after({ kind: "collected", at: hour });
  expect([isSetBack(collected, hour - minute), isSetBack(collected, hour - minute - 1)]).toEqual([false, true]);
});

test("a failure is remembered until that work succeeds", () => {
  const failing = after(
    { kind: "failed", work: "putting", restUntil: 0 },
    { kind: "failed", work: "copying", restUntil: 0 },
  );
  expect([...next(failing, { kind: "worked", work: "putting" }).failing]).toEqual(["copying"]);
});
