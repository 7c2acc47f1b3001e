import { afterEach, beforeEach, expect, test } from "bun:test";
import { createDatabaseQueue, type DatabaseQueueOptions } from "../../src/drivers/queue/table/database.ts";
import { filling, type JobDatabase, openJobDatabase } from "./queue.database.ts";

const job = { name: "mail:send", payload: { user_id: "ada" } };
let fixture: JobDatabase;
let now: number;
beforeEach(async () => {
  fixture = await openJobDatabase();
  now = Date.UTC(2026, 0, 1);
});
afterEach(() => fixture.dispose());

function open(options: Partial<DatabaseQueueOptions> = {}) {
  const { database } = fixture;
  const usual = { app: "app", database, clock: { now: () => now }, name: "default", maxAttempts: 3, random: () => 0 };
  return filling(database, createDatabaseQueue({ ...usual, ...options }));
}

test("a worker that is woken rests until the next job is due, at most half a minute; one that is not polls", async () => {
  const waker = { hears: true };
  const queue = open({ waker: { tell() {}, listen() {}, hears: () => waker.hears, async check() {} } });
  const rest = () => queue.restMs?.(1_000);
  expect(await rest()).toBe(30_000);
  await queue.commit({ jobs: [{ ...job, delayMs: 20_000 }] });
  // The jobs of another queue and of another app are no reason to wake up.
  await open({ name: "critical" }).commit({ jobs: [{ ...job, delayMs: 1 }] });
  await open({ app: "admin" }).commit({ jobs: [{ ...job, delayMs: 1 }] });
  expect(await rest()).toBe(20_000);
  await queue.commit({ jobs: [job] });
  const [claimed] = await queue.claim(4, 5_000);
  // The worker that has it may die: its lease is a time as well.
  expect(await rest()).toBe(5_000);
  expect(await queue.fail(claimed?.id ?? "", 1, "no")).toBe("retry");
  expect(await rest()).toBe(1_000);
  now += 1_000;
  expect(await queue.claim(4, 60_000)).toHaveLength(1);
  expect(await rest()).toBe(19_000);
  waker.hears = false;
  expect(await rest()).toBe(1_000);
  expect(await open().restMs?.(1_000)).toBeUndefined();
});

test("workers are told of what a commit has brought, of retries and of what is handed back, and of nothing else", async () => {
  const told: string[][] = [];
  const queue = open({
    waker: { tell: (apps) => void told.push([...apps]), listen() {}, hears: () => true, async check() {} },
  });
  await queue.commit({ statements: [{ sql: "delete from notes", guard: true }], jobs: [job] });
  await queue.commit({ statements: [{ sql: "insert into notes (id) values ('a')" }] });
  expect(told).toEqual([]);
  await queue.commit({ jobs: [job, { ...job, app: "admin" }, job] });
  expect(told.splice(0)).toEqual([["app", "admin"]]);
  const [first, second] = await queue.claim(2, 1_000);
  await queue.fail(first?.id ?? "", 1, "no");
  await queue.release(second?.id ?? "", 1);
  expect(told.splice(0)).toEqual([["app"], ["app"]]);
  const [again] = await queue.claim(1, 1_000);
  expect(await queue.fail(again?.id ?? "", 2, "no", "never")).toBe("dead");
  expect(await queue.release(first?.id ?? "", 1)).toBe(false);
  expect(told).toEqual([]);
});
