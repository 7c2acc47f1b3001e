import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createDatabaseQueue } from "../../src/drivers/queue/table/database.ts";
import { createDeadLetters } from "../../src/drivers/queue/table/dead.letters.ts";
import { createUnitOfWork } from "../../src/drivers/queue/unit.of.work.ts";
import { queueConformance } from "./queue.conformance.ts";
import { filling, type JobDatabase, openJobDatabase } from "./queue.database.ts";

queueConformance("database", (database, handlers) => {
  const queue = createDatabaseQueue({
    app: "app",
    database,
    clock: { now: () => Date.now() },
    name: "default",
    maxAttempts: 3,
  });
  return {
    work: createUnitOfWork(database, queue),
    queue,
    async drain() {
      for (const { id, name, payload, attempt, acceptedAt } of await queue.claim(100, 1_000)) {
        await handlers().get(name)?.(payload, { id, attempt, acceptedAt, signal: new AbortController().signal });
        await queue.complete(id, attempt);
      }
    },
  };
});

describe("the database queue", () => {
  const start = Date.UTC(2026, 0, 1);
  let fixture: JobDatabase;
  let now: number;
  let woken: number;
  const clock = { now: () => now };
  const job = { name: "mail:send", payload: { user_id: "ada" } };

  beforeEach(async () => {
    fixture = await openJobDatabase();
    now = start;
    woken = 0;
  });
  afterEach(async () => fixture.dispose());

  const open = (maxAttempts = 3, name = "default", app = "app") => {
    const queue = createDatabaseQueue({
      app,
      database: fixture.database,
      clock,
      name,
      maxAttempts,
      random: () => 0,
      onEnqueue: () => (woken += 1),
    });
    return filling(fixture.database, queue);
  };
  const claimOne = async (queue: ReturnType<typeof open>) => {
    const [claimed, ...more] = await queue.claim(1, 1_000);
    if (claimed === undefined || more.length > 0) throw new Error("expected one job");
    return claimed;
  };
  const row = () => fixture.database.get<Record<string, unknown>>("select * from jobs");

  test("a job is claimed once, and gone when it is complete", async () => {
    const queue = open();
    await queue.commit({ jobs: [job] });
    const claimed = await claimOne(queue);
    expect(claimed).toMatchObject({ ...job, attempt: 1 });
    expect(await queue.claim(10, 1_000)).toEqual([]);
    expect(await queue.complete(claimed.id, claimed.attempt)).toBe(true);
    expect(await row()).toBeUndefined();
  });

  test("the jobs that are due longest come first, as many as asked for", async () => {
    const queue = open();
    await queue.commit({ jobs: [{ ...job, payload: { n: 2 }, delayMs: 20 }] });
    await queue.commit({ jobs: [{ ...job, payload: { n: 1 }, delayMs: 10 }] });
    await queue.commit({ jobs: [{ ...job, payload: { n: 3 }, delayMs: 30 }] });
    expect(await queue.claim(9, 1_000)).toEqual([]);
    now += 30;
    expect((await queue.claim(2, 1_000)).map(({ payload }) => payload["n"])).toEqual([1, 2]);
    expect((await queue.claim(2, 1_000)).map(({ payload }) => payload["n"])).toEqual([3]);
  });

  test("queues on one table do not see each other's jobs", async () => {
    await open(3, "default").commit({ jobs: [job] });
    expect(await open(3, "critical").claim(9, 1_000)).toEqual([]);
  });

  test("X-46 an app takes and counts its own jobs alone", async () => {
    const [app, admin] = [open(), open(3, "default", "admin")];
    await app.commit({ jobs: [job] });
    // A job may name the app that it is for, whichever app enqueues it.
    await app.commit({ jobs: [{ ...job, app: "admin", payload: { user_id: "grace" } }] });
    await admin.commit({ jobs: [{ ...job, payload: { user_id: "joan" }, delayMs: 10 }] });
    expect([await app.depth(), await admin.depth()]).toMatchObject([
      { ready: 1, delayed: 0 },
      { ready: 1, delayed: 1 },
    ]);
    expect(await admin.claim(9, 1_000)).toMatchObject([{ payload: { user_id: "grace" } }]);
    expect(await app.claim(9, 1_000)).toMatchObject([{ payload: { user_id: "ada" } }]);
    now += 5_000;
    expect((await app.claim(9, 1_000)).map(({ payload }) => payload["user_id"])).toEqual(["ada"]);
  });

  test("only what was accepted wakes a worker", async () => {
    const queue = open();
    await queue.commit({ statements: [{ sql: "delete from notes", guard: true }], jobs: [job] });
    await queue.commit({ statements: [{ sql: "insert into notes (id) values ('a')" }] });
    expect(woken).toBe(0);
    await queue.commit({ jobs: [job] });
    await queue.commit({ jobs: [job] });
    expect(woken).toBe(2);
  });

  test("a lease that runs out gives the job to another worker, once", async () => {
    const queue = open();
    await queue.commit({ jobs: [job] });
    const first = await claimOne(queue);
    now += 999;
    expect(await queue.claim(1, 1_000)).toEqual([]);
    now += 1;
    expect(await claimOne(queue)).toMatchObject({ id: first.id, attempt: 2 });
    expect(await queue.claim(1, 1_000)).toEqual([]);
  });

  test("an extended lease keeps the job", async () => {
    const queue = open();
    await queue.commit({ jobs: [job] });
    const { id, attempt } = await claimOne(queue);
    now += 900;
    expect(await queue.extend(id, attempt, 1_000)).toBe(true);
    now += 900;
    expect(await queue.claim(1, 1_000)).toEqual([]);
  });

  test("a worker that lost its lease can report nothing any more", async () => {
    const queue = open();
    await queue.commit({ jobs: [job] });
    const lost = await claimOne(queue);
    now += 1_000;
    const held = await claimOne(queue);
    expect(await queue.extend(lost.id, lost.attempt, 1_000)).toBe(false);
    expect(await queue.complete(lost.id, lost.attempt)).toBe(false);
    expect(await queue.fail(lost.id, lost.attempt, "late")).toBe("lost");
    expect(await queue.release(lost.id, lost.attempt)).toBe(false);
    expect(await queue.complete(held.id, held.attempt)).toBe(true);
  });

  test("a job that failed rests, longer each time", async () => {
    const queue = open(9);
    await queue.commit({ jobs: [job] });
    for (const restMs of [1_000, 2_000, 4_000]) {
      const { id, attempt } = await claimOne(queue);
      expect(await queue.fail(id, attempt, "relay down")).toBe("retry");
      now += restMs - 1;
      expect(await queue.claim(1, 1_000)).toEqual([]);
      now += 1;
    }
    expect(await row()).toMatchObject({ state: "pending", last_error: "relay down", attempts: 3 });
  });

  test("a job out of attempts is kept as a dead letter and never claimed again", async () => {
    const queue = open(1);
    await queue.commit({ jobs: [job] });
    const { id, attempt } = await claimOne(queue);
    expect(await queue.fail(id, attempt, `refused ${"x".repeat(9_000)}`)).toBe("dead");
    now += 365 * 24 * 3_600_000;
    expect(await queue.claim(1, 1_000)).toEqual([]);
    const dead = await row();
    expect(dead).toMatchObject({ state: "dead", finished_at: start, leased_until: null });
    expect(String(dead?.["last_error"])).toHaveLength(500);
  });

  test("a job that takes its worker down every time becomes a dead letter too", async () => {
    const queue = open(2);
    await queue.commit({ jobs: [job] });
    for (const _ of [1, 2]) {
      await claimOne(queue);
      now += 1_000;
    }
    expect(await queue.claim(1, 1_000)).toEqual([]);
    expect(await row()).toMatchObject({ state: "dead", last_error: "the lease of the last attempt ran out" });
  });

  test("a job that has a time is retried until then, whatever its attempts, and a last time when the time is up", async () => {
    const queue = open(1);
    await queue.commit({ jobs: [{ ...job, retryForMs: 3_600_000 }] });
    let attempts = 0;
    for (let ended = ""; ended !== "dead";) {
      const { id, attempt } = await claimOne(queue);
      attempts = attempt;
      ended = await queue.fail(id, attempt, "relay down");
      const due = Number((await row())?.["available_at"]);
      if (ended !== "dead") {
        expect(due).toBeGreaterThan(now);
        expect(due - now).toBeLessThanOrEqual(15 * 60_000);
        now = due;
      }
    }
    expect(now).toBe(start + 3_600_000);
    expect(attempts).toBeWithin(12, 24);
    expect(await row()).toMatchObject({ state: "dead", finished_at: now, last_error: "relay down" });
  });

  test("a job that waits for its worker beyond its time still gets an attempt", async () => {
    const queue = open(1);
    await queue.commit({ jobs: [{ ...job, retryForMs: 1_000 }] });
    now += 3_600_000;
    const { id, attempt } = await claimOne(queue);
    expect(await queue.fail(id, attempt, "relay down")).toBe("dead");
  });

  test("a job that has a time and takes its worker down becomes a dead letter when the time is up", async () => {
    const queue = open(1);
    await queue.commit({ jobs: [{ ...job, retryForMs: 2_500 }] });
    for (const _ of [1, 2, 3]) {
      await claimOne(queue);
      now += 1_000;
    }
    expect(await queue.claim(1, 1_000)).toEqual([]);
    expect(await row()).toMatchObject({ state: "dead", last_error: "the lease of the last attempt ran out" });
  });

  test("an operator's retry of a dead letter gives it its time anew, again and again", async () => {
    const queue = open(1);
    const deadLetters = createDeadLetters({ database: fixture.database, clock, maxAttempts: 1 });
    await queue.commit({ jobs: [{ ...job, retryForMs: 10_000 }] });
    for (const _ of [1, 2, 3]) {
      now += 60_000;
      const { id, attempt } = await claimOne(queue);
      expect(await queue.fail(id, attempt, "relay down")).toBe("dead");
      expect(await deadLetters.retry(id)).toBe(true);
      expect(await row()).toMatchObject({ state: "pending", retry_until: now + 10_000 });
    }
    await deadLetters.retryAll();
    const { id, attempt } = await claimOne(queue);
    expect(await queue.fail(id, attempt, "relay down")).toBe("retry");
  });

  test("a job handed back is due at once, keeps its attempts and its fence", async () => {
    const queue = open(1);
    await queue.commit({ jobs: [job] });
    const first = await claimOne(queue);
    expect(await queue.release(first.id, first.attempt)).toBe(true);
    const second = await claimOne(queue);
    expect(second.attempt).toBe(2);
    expect(await queue.complete(first.id, first.attempt)).toBe(false);
    expect(await queue.fail(second.id, second.attempt, "no")).toBe("dead");
  });

  test.each(["[1]", "{", '{"a":{"b":1}}', "null"])(
    "a stored payload that is none (%s) is buried, not run",
    async (payload) => {
      const queue = open();
      await queue.commit({ jobs: [job] });
      await fixture.database.run("update jobs set payload = $payload", { payload });
      expect(await queue.claim(1, 1_000)).toEqual([]);
      expect(await row()).toMatchObject({ state: "dead", last_error: "the stored payload is not readable" });
    },
  );

  test("its depth tells ready, delayed, leased and dead apart", async () => {
    const queue = open(1);
    expect(await queue.depth()).toEqual({ ready: 0, delayed: 0, leased: 0, dead: 0 });
    for (const _ of [1, 2, 3]) await queue.commit({ jobs: [job] });
    await queue.commit({ jobs: [{ ...job, delayMs: 5_000 }] });
    const { id, attempt } = await claimOne(queue);
    await claimOne(queue);
    await queue.fail(id, attempt, "no");
    expect(await queue.depth()).toEqual({ ready: 1, delayed: 1, leased: 1, dead: 1 });
    now += 1_000;
    expect(await queue.depth()).toEqual({ ready: 2, delayed: 1, leased: 0, dead: 1 });
  });

  test("processes that claim side by side never get the same job", async () => {
    const queue = open();
    now = Date.now() - 1_000;
    await queue.commit({ jobs: Array.from({ length: 60 }, (_, n) => ({ name: "mail:send", payload: { n } })) });
    const claimer = join(import.meta.dir, "queue.claimer.process.ts");
    const outputs = await Promise.all(
      [1, 2, 3].map(async () => {
        const child = Bun.spawn([process.execPath, claimer, fixture.path], { stderr: "inherit", timeout: 20_000 });
        const text = await new Response(child.stdout).text();
        expect(await child.exited).toBe(0);
        return text;
      }),
    );
    const ids = outputs.flatMap((text) => [...text.matchAll(/"([0-9a-f-]{36})"/g)].map(([, id]) => id));
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
  }, 120_000);
});
