import { afterEach, beforeEach, expect, test } from "bun:test";
import { createAuditRepository } from "../../src/audit/audit.repository.ts";
import { createJournal } from "../../src/auth/journal.ts";
import { createRefusals, type Refusal, type Refusals } from "../../src/auth/pressure/refusals.ts";
import { minute } from "../../src/core/clock.ts";
import type { DomainEvent } from "../../src/core/topics.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { createInprocEventBus } from "../../src/drivers/events/inproc.ts";
import { createDatabaseQueue } from "../../src/drivers/queue/table/database.ts";
import { createUnitOfWork } from "../../src/drivers/queue/unit.of.work.ts";
import { createLog } from "../../src/observe/log.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../support/database.ts";

let temporary: TemporaryDatabase;
let refusals: Refusals;
let now: number;
let commits: number;
let isBroken: boolean;
let lines: string[];
let told: DomainEvent[];

beforeEach(async () => {
  temporary = await temporaryDatabase();
  [now, commits, isBroken, lines, told] = [Date.UTC(2026, 0, 1), 0, false, [], []];
  const clock = { now: () => now };
  const database: Database = {
    ...temporary.database,
    batch(statements) {
      commits += 1;
      return isBroken ? Promise.reject(new Error("the disk is full")) : temporary.database.batch(statements);
    },
  };
  const log = createLog({ format: "json", level: "info", clock, write: (line) => void lines.push(line) });
  const events = createInprocEventBus({ name: "default", log });
  events.subscribe(["auth.login-failed", "auth.locked"], (event) => void told.push(event), "the test");
  const queue = createDatabaseQueue({ app: "app", database, clock, name: "default", maxAttempts: 1 });
  const audit = { row: createAuditRepository(database, { name: "app" }).insert };
  refusals = createRefusals({
    journal: createJournal({ work: createUnitOfWork(database, queue), audit, events, clock }),
    clock,
    log,
  });
});
afterEach(async () => {
  await refusals.close();
  await temporary.dispose();
});

const refusal = (userId: string | null, address: string, topic: Refusal["topic"] = "auth.login-failed"): Refusal => {
  const by = { actor: "anonymous", origin: { address, userAgent: "", requestId: "" } } as const;
  const of = { user_id: userId, count: 1 };
  return topic === "auth.login-failed"
    ? { topic, payload: { ...of, reason: "wrong_password" }, by, outcome: "failure" }
    : { topic, payload: of, by, outcome: "failure" };
};
const refused = (userId: string | null, address: string, reason: string) =>
  refusals.add({ ...refusal(userId, address, "auth.attempt-refused"), reason }, address);
const add = (userId: string | null, address: string, topic?: Refusal["topic"]) =>
  refusals.add(refusal(userId, address, topic), address);
const rows = async () =>
  (await createAuditRepository(temporary.database, { name: "app" }).list({}, 10_000)).map(
    ({ subjectUserId, address, count }) => `${subjectUserId ?? "-"} ${address ?? "-"} ${count}`,
  );

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error("did not happen within a minute");
    await Bun.sleep(10);
  }
}
const written = (count: number) => until(async () => (await rows()).length >= count);

test("a burst of failures of one account is one commit, and a row and an event each", async () => {
  for (let time = 0; time < 5; time += 1) add("ada", "192.0.2.1");
  await written(5);
  expect(await rows()).toEqual(Array<string>(5).fill("ada 192.0.2.1 1"));
  expect(commits).toBe(1);
  await until(async () => told.length === 5);
});

test("failures of no account are one row at once, then one a minute for each address", async () => {
  for (let time = 0; time < 100; time += 1) add(null, "192.0.2.1");
  add(null, "192.0.2.2");
  await written(2);
  expect((await rows()).toSorted()).toEqual(["- 192.0.2.1 100", "- 192.0.2.2 1"]);
  for (let time = 0; time < 50; time += 1) add(null, "192.0.2.1");
  // The sleep lasts for two more flushes.
  await Bun.sleep(600);
  expect(await rows()).toHaveLength(2);
  now += minute;
  await written(3);
  expect(await rows()).toContain("- 192.0.2.1 50");
  expect(told.map(({ payload }) => ("count" in payload ? payload.count : 0)).toSorted()).toEqual(
    [1, 100, 50].toSorted(),
  );
});

test("what is beyond the bounds is one nameless row with their number, and none is lost", async () => {
  for (let address = 0; address < 1_500; address += 1) add(null, `address ${address}`);
  for (let failure = 0; failure < 1_500; failure += 1) add(`user ${failure}`, "192.0.2.1");
  await refusals.close();
  const all = await rows();
  expect(all).toHaveLength(1_000 + 1_000 + 1);
  expect(all).toContain("- - 1000");
});

test("a lock and a failed login of no account are counted apart", async () => {
  add(null, "192.0.2.1");
  add(null, "192.0.2.1", "auth.locked");
  await written(2);
  expect(await rows()).toEqual(["- 192.0.2.1 1", "- 192.0.2.1 1"]);
});

test("while the database can't write they wait, bounded and logged, and nobody is told of them", async () => {
  isBroken = true;
  add("ada", "192.0.2.1");
  await until(async () => lines.length > 0);
  expect(lines[0]).toContain("failed logins not written to the audit log yet");
  expect(told).toEqual([]);
  isBroken = false;
  await written(1);
  expect(await rows()).toEqual(["ada 192.0.2.1 1"]);
  await until(async () => told.length === 1);
});

test("closing writes what is left, and what comes later is not waited for", async () => {
  for (let time = 0; time < 250; time += 1) add("ada", "192.0.2.1");
  await refusals.close();
  expect(await rows()).toHaveLength(250);
  add("grace", "192.0.2.1");
  await Bun.sleep(300);
  expect(await rows()).toHaveLength(250);
});

test("refused attempts are one row at once for each account, reason and address, and one a minute", async () => {
  for (let time = 0; time < 500; time += 1) {
    refused("ada", "192.0.2.1", "account_locked");
    refused("ada", "192.0.2.1", "rate_limited");
    refused("ada", "192.0.2.2", "account_locked");
    refused("grace", "192.0.2.1", "account_locked");
    refused(null, "192.0.2.1", "account_locked");
  }
  await written(5);
  expect((await rows()).toSorted()).toEqual(
    [
      "- 192.0.2.1 500",
      "ada 192.0.2.1 500",
      "ada 192.0.2.1 500",
      "ada 192.0.2.2 500",
      "grace 192.0.2.1 500",
    ].toSorted(),
  );
  for (let time = 0; time < 7; time += 1) refused("ada", "192.0.2.1", "account_locked");
  now += minute;
  await written(6);
  expect(await rows()).toContain("ada 192.0.2.1 7");
  expect(commits).toBe(2);
});

test("whoever has to read them has all that was added until then written at once", async () => {
  now -= 1;
  for (let time = 0; time < 250; time += 1) add("ada", `192.0.2.${time}`);
  refused("ada", "198.51.100.7", "account_locked");
  await refusals.settle();
  expect(await rows()).toHaveLength(251);
  expect(commits).toBe(3);
  await refusals.settle();
  expect(commits).toBe(3);
  add("ada", "192.0.2.1");
  await Promise.all([refusals.settle(), refusals.settle()]);
  expect([await rows().then(({ length }) => length), commits]).toEqual([252, 4]);
});

test("where they can't be written, whoever waits for them is not kept waiting", async () => {
  isBroken = true;
  add("ada", "192.0.2.1");
  await refusals.settle();
  expect(commits).toBe(2);
  isBroken = false;
  await refusals.settle();
  expect(await rows()).toHaveLength(1);
});
