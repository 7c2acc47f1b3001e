import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openDeadLetters } from "../../src/app/resources/dead.letters.ts";
import { createJobBoard } from "../../src/drivers/queue/table/board.repository.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../support/database.ts";

const now = 1_000_000;
const clock = { now: () => now };
let temporary: TemporaryDatabase;
beforeEach(async () => {
  temporary = await temporaryDatabase();
});
afterEach(() => temporary.dispose());

interface Row {
  readonly id: string;
  readonly app?: string;
  readonly queue?: string;
  readonly name?: string;
  readonly state?: string;
  readonly dueIn?: number;
  readonly leasedFor?: number;
}
async function store(...rows: readonly Row[]): Promise<void> {
  await temporary.database.batch(
    rows.map(
      ({ id, app = "app", queue = "default", name = "auth:send-notice", state = "pending", dueIn = 0, leasedFor }) => ({
        sql: `insert into jobs (id, app, queue, name, payload, state, max_attempts, available_at, leased_until, created_at, finished_at)
            values ($id, $app, $queue, $name, '{}', $state, 3, $due, $leased, 1, $finished)`,
        params: {
          id,
          app,
          queue,
          name,
          state,
          due: now + dueIn,
          leased: leasedFor === undefined ? null : now + leasedFor,
          finished: state === "dead" ? now - 1 : null,
        },
      }),
    ),
  );
}

describe("S-44 what is stored of jobs", () => {
  test("of every queue and app, counted up to a bound", async () => {
    await store(
      { id: "1" },
      { id: "2" },
      { id: "3" },
      { id: "4", dueIn: 5 },
      { id: "5", leasedFor: 5 },
      { id: "6", leasedFor: -5 },
      { id: "7", state: "dead" },
      { id: "8", app: "admin", queue: "webhook:crm", leasedFor: 1 },
    );
    const board = createJobBoard(temporary.database);
    expect(await board.queues()).toEqual(["default", "webhook:crm"]);
    const place = { queue: "default", app: "app", now };
    expect(await board.depth({ ...place, most: 3 })).toEqual({ ready: 3, delayed: 1, leased: 1, dead: 1 });
    expect(await board.depth({ ...place, most: 9 })).toEqual({ ready: 4, delayed: 1, leased: 1, dead: 1 });
    const late = { ...place, now: now + 20 };
    expect(await board.due({ ...place, most: 9 })).toEqual({ jobs: 4, oldest: now });
    expect(await board.due({ ...late, most: 3 })).toEqual({ jobs: 3, oldest: now });
    expect(await board.due({ ...place, queue: "other", most: 9 })).toEqual({ jobs: 0, oldest: null });
    expect((await board.running(now, 9)).map(({ id, app }) => [id, app])).toEqual([
      ["5", "app"],
      ["8", "admin"],
    ]);
    expect((await board.waiting({ ...place, limit: 3 })).map(({ id }) => id)).toEqual(["1", "2", "3"]);
    expect(await board.deadNames(9)).toEqual([{ name: "auth:send-notice", count: 1 }]);
  });
});

describe("S-45 a retry of dead letters", () => {
  const deadLetters = () =>
    openDeadLetters({
      config: { app: { name: "admin" }, queue: { maxAttempts: 3 } },
      database: temporary.database,
      clock,
    });
  const audit = () =>
    temporary.database.all("select app, action, reason, actor, count from audit_events order by rowid");
  const row = { app: "admin", action: "queue.retried", actor: "operator" };

  test("commits with its row in the audit log, and leaves none where there is nothing to retry", async () => {
    await store({ id: "1", state: "dead" }, { id: "2" });
    expect(await deadLetters().retry("1")).toBe(true);
    expect(await deadLetters().retry("1")).toBe(false);
    expect(await deadLetters().retry("2")).toBe(false);
    expect(await audit()).toEqual([{ ...row, reason: "auth:send-notice", count: 1 }]);
  });

  test("of all is bounded where a bound is given, and by name where one is", async () => {
    const dead = Array.from({ length: 120 }, (_, index): Row => ({ id: `a${index}`, state: "dead" }));
    await store(...dead, { id: "b", state: "dead", name: "webhook:deliver" });
    expect(await deadLetters().retryAll("webhook:deliver")).toBe(1);
    expect(await deadLetters().retryAll(undefined, { most: 110 })).toBe(110);
    expect(await deadLetters().retryAll()).toBe(10);
    expect(await audit()).toEqual([
      { ...row, reason: "webhook:deliver", count: 1 },
      { ...row, reason: "all", count: 100 },
      { ...row, reason: "all", count: 10 },
      { ...row, reason: "all", count: 10 },
    ]);
  });
});
