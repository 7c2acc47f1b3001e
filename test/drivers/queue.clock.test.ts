import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { hour, minute } from "../../src/core/clock.ts";
import { createDatabaseQueue } from "../../src/drivers/queue/table/database.ts";
import { filling, type JobDatabase, openJobDatabase } from "./queue.database.ts";

const day = 24 * hour;
const ahead = 400 * day;

describe("jobs that were stored while the clock was ahead", () => {
  let fixture: JobDatabase;
  let now: number;
  let monotonic: number;
  beforeEach(async () => {
    fixture = await openJobDatabase();
    [now, monotonic] = [Date.UTC(2026, 5, 1), 0];
  });
  afterEach(() => fixture.dispose());

  const open = () => {
    const { database } = fixture;
    const clock = { now: () => now };
    const options = { database, clock, monotonic: () => monotonic, app: "app", name: "default", maxAttempts: 8 };
    return filling(database, createDatabaseQueue(options));
  };
  const pass = (ms: number): void => void ([now, monotonic] = [now + ms, monotonic + ms]);
  const job = (more: object = {}) => ({ name: "mail:send", payload: {}, ...more });
  /** Lets workers ask for jobs for some minutes after the clock was set right. Resolves to how many jobs were taken. */
  async function taken(queue: ReturnType<typeof open>, minutes: number): Promise<number> {
    let count = 0;
    for (let passed = 0; passed <= minutes; passed += 1) {
      for (const { id, attempt } of await queue.claim(10, minute)) if (await queue.complete(id, attempt)) count += 1;
      pass(minute);
    }
    return count;
  }

  test("K-06 are taken once it is right", async () => {
    const queue = open();
    now += ahead;
    await queue.commit({ jobs: [job(), job({ delayMs: minute }), job({ retryForMs: 3 * day })] });
    now -= ahead;
    expect(await taken(queue, 2)).toBe(3);
  });

  test("K-06 are tried again once it is right, and a lease from then ends", async () => {
    const queue = open();
    await queue.commit({ jobs: [job(), job()] });
    now += ahead;
    const [first] = await queue.claim(2, minute);
    await queue.fail(first?.id ?? "", first?.attempt ?? 0, "the relay is away");
    now -= ahead;
    expect(await taken(queue, 3)).toBe(2);
  });

  test("K-06 what waits for its time by a clock that is right goes on to wait, and who has a job keeps it", async () => {
    const queue = open();
    await queue.commit({ jobs: [job({ delayMs: 300 * day }), job()] });
    const [mine] = await queue.claim(1, minute);
    expect(mine).toBeDefined();
    for (let passed = 0; passed < 10; passed += 1) {
      pass(30_000);
      expect(await queue.extend(mine?.id ?? "", mine?.attempt ?? 0, minute)).toBe(true);
      expect(await queue.claim(10, minute)).toEqual([]);
    }
    // A clock that is behind for a while also sees the lease far ahead, but each time another lease.
    for (let passed = 0; passed < 10; passed += 1) {
      pass(30_000);
      await queue.extend(mine?.id ?? "", mine?.attempt ?? 0, minute);
      now -= ahead;
      expect((await queue.claim(10, minute)).map(({ id }) => id)).not.toContain(mine?.id);
      now += ahead;
    }
    expect(await queue.complete(mine?.id ?? "", mine?.attempt ?? 0)).toBe(true);
  });
});
