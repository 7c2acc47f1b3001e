import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { auditRow } from "../../src/audit/index.ts";
import { auditEntry, type Occurrence } from "../../src/core/audit.ts";
import { dayOf, hour, minute, systemClock } from "../../src/core/clock.ts";
import { migrations } from "../../migrations/index.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { createFigures, lastDay, lastMonth, type Count } from "../../src/figures/index.ts";
import { agesOf } from "../support/ages.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../support/database.ts";

const now = Date.UTC(2026, 5, 1, 12, 30);
const day = 24 * hour;
let temporary: TemporaryDatabase;
beforeEach(async () => {
  temporary = await temporaryDatabase();
});
afterEach(() => temporary.dispose());

const figures = () =>
  createFigures({ database: temporary.database, clock: { now: () => now }, ages: agesOf({ now: () => now }) });
const calm = { readiness: async () => [], depths: async () => [] };
const collect = (sources: Parameters<ReturnType<typeof figures>["module"]>[0] = calm) =>
  figures().module(sources).schedules?.[0]?.run(new AbortController().signal);

const origin = { address: "203.0.113.7", userAgent: "", requestId: "" };
const loggedIn = (at: number): Occurrence => ({
  topic: "auth.logged-in",
  payload: { user_id: "ada", session_id: "one" },
  by: { actor: "user", origin },
  at,
});
const failed = (at: number, reason: string, count = 1): Occurrence => ({
  topic: "auth.login-failed",
  payload: { user_id: null, count, reason },
  by: { actor: "anonymous", origin },
  outcome: "failure",
  at,
});
async function write(...occurrences: readonly Occurrence[]): Promise<void> {
  await temporary.database.batch(occurrences.map((each) => auditRow({ name: "app" }, auditEntry(each, now))));
}

/** Resolves to the sums of the rows themselves, in the shape of the counts. */
const sums = (since: number, widthMs: number) =>
  temporary.database.all<Count>(
    `select at - at % $widthMs as at, action, outcome, case outcome when 'failure' then coalesce(reason, '') else '' end as reason,
       sum(count) as events
     from audit_events where at >= $since group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    { since, widthMs },
  );

describe("S-40 the counts of the dashboard", () => {
  const samples = (): Occurrence[] =>
    Array.from({ length: 400 }, (_, index) => {
      const at = now - (index * 31 * day) / 400;
      return index % 3 === 0
        ? failed(at, index % 2 === 0 ? "wrong_password" : "unknown_login", 1 + (index % 4))
        : loggedIn(at);
    });

  test.each([lastDay, lastMonth])("are the sums of the rows, as soon as a row is committed: %o", async (span) => {
    await write(...samples());
    const { counts, since, countedFrom } = await figures().of(span);
    expect(counts).toEqual(await sums(since, span.widthMs));
    expect(counts.length).toBeGreaterThan(10);
    expect(countedFrom).toBeLessThan(since);
  });

  test("include what the log held before it was counted, each row once", async () => {
    await temporary.database.run("update audit_counting set counted_from = 253402300800000");
    await write(...samples());
    expect((await figures().of(lastMonth)).counts).toEqual([]);
    await Promise.all([collect(), collect()]);
    await write(loggedIn(now - minute), loggedIn(now - 20 * day));
    await collect();
    const { counts, since } = await figures().of(lastMonth);
    expect(counts).toEqual(await sums(since, lastMonth.widthMs));
  });

  test("outlive the rows, and are forgotten when no chart shows them any more", async () => {
    await write(loggedIn(now - 20 * day), loggedIn(now - 40 * day));
    await temporary.database.batch([
      { sql: "update audit_retention set prune_before = $now", params: { now } },
      { sql: "delete from audit_events" },
      { sql: "update audit_retention set prune_before = 0" },
    ]);
    await collect();
    expect((await figures().of(lastMonth)).counts).toMatchObject([{ action: "auth.logged-in", events: 1 }]);
    expect(await temporary.database.all("select hour from audit_hours")).toHaveLength(1);
  });
});

describe("the accounts and their people", () => {
  const today = now - 12.5 * hour;
  type Made = { readonly made?: number; readonly seen?: number | null; readonly factors?: number };
  const add = (id: string, { made = now, seen = null, factors = 0 }: Made) =>
    temporary.database.run(
      `insert into users (id, username, username_key, email, email_key, display_name, factors, created_at, updated_at, last_seen_at)
       values ($id, $id, $id, $id, $id, '', $factors, $made, $made, $seen)`,
      { id, made, seen, factors },
    );
  const people = async () => (await figures().of(lastDay)).people;

  test("are those of the last 30 days, whatever the span is, and nobody is counted twice", async () => {
    await add("ada", { made: now - 400 * day, seen: now - 20 * day, factors: 2 });
    await add("grace", { made: now - 29 * day, seen: now - 29 * day });
    await add("edith", { made: now - 30 * day, seen: now - 30 * day });
    await add("mary", { made: now - day, factors: 3 });
    for (const at of [now - 5 * day, now - 5 * day + hour, now - minute, now])
      await temporary.database.run("update users set last_seen_at = $at where id = 'ada'", { at });
    expect(await people()).toEqual({
      since: today - 29 * day,
      accounts: 4,
      factors: [
        { bits: 0, accounts: 2 },
        { bits: 2, accounts: 1 },
        { bits: 3, accounts: 1 },
      ],
      made: [
        { at: today - 29 * day, accounts: 1 },
        { at: today - day, accounts: 1 },
      ],
      active: [
        { at: today - 29 * day, accounts: 1 },
        { at: today - 20 * day, accounts: 1 },
        { at: today - 5 * day, accounts: 1 },
        { at: today, accounts: 1 },
      ],
      lastSeen: [
        { at: today - 29 * day, accounts: 1 },
        { at: today, accounts: 1 },
      ],
      countedSince: undefined,
    });
  });

  test("days that no chart shows are forgotten, and the accounts stay counted", async () => {
    await add("ada", { made: now - 400 * day, seen: now - 40 * day });
    await collect();
    expect(await temporary.database.all("select kind, accounts from account_counts")).toEqual([
      { kind: "factors", accounts: 1 },
    ]);
    await temporary.database.run("update users set last_seen_at = $now", { now });
    expect((await people()).lastSeen).toEqual([{ at: today, accounts: 1 }]);
    await temporary.database.run("delete from users");
    expect(await people()).toMatchObject({ accounts: 0, made: [], active: [], lastSeen: [] });
  });

  test("from before they were counted are counted once, with the day on which that began", async () => {
    const { database } = temporary;
    const migrator = createMigrator({ database, migrations, clock: systemClock });
    await migrator.down({ step: migrations.length - migrations.findIndex(({ id }) => id.endsWith("account_counts")) });
    await add("ada", { made: now - 3 * day, seen: now, factors: 1 });
    await add("grace", { made: now - 3 * day });
    await migrator.up();
    expect(await people()).toMatchObject({
      accounts: 2,
      factors: [
        { bits: 0, accounts: 1 },
        { bits: 1, accounts: 1 },
      ],
      made: [{ at: today - 3 * day, accounts: 2 }],
      active: [{ at: today, accounts: 1 }],
      lastSeen: [{ at: today, accounts: 1 }],
      countedSince: dayOf(Date.now()),
    });
  });
});

test("mails are counted by the hour in which they came to an end, each once for each end", async () => {
  const insert = `insert into mails (id, kind, app, state, attempts, count, requested_at, changed_at)
    values ($id, 'reset', 'app', $state, 0, 1, $at, $at)`;
  const at = now - hour;
  await temporary.database.run(insert, { id: "1", state: "waiting", at });
  await temporary.database.run(insert, { id: "2", state: "withheld", at });
  await temporary.database.run("update mails set attempts = 1, changed_at = $now where id = '1'", { now });
  await temporary.database.run("update mails set state = 'refused' where id = '1'");
  await temporary.database.run("update mails set state = 'sent' where id = '1'");
  await temporary.database.run("update mails set attempts = 2 where id = '1'");
  await temporary.database.run("update mails set count = 4 where id = '2'");
  const thisHour = now - 30 * minute;
  expect((await figures().of(lastDay)).mails.toSorted((a, b) => a.at - b.at || (a.state < b.state ? -1 : 1))).toEqual([
    { at: thisHour - hour, state: "withheld", mails: 4 },
    { at: thisHour, state: "refused", mails: 1 },
    { at: thisHour, state: "sent", mails: 1 },
  ]);
});

test("S-41 each look at the app is kept by the hour: how often it was ready, what failed last, and the most jobs", async () => {
  const jobs = { leased: 0, delayed: 3 };
  await collect({
    readiness: async () => [],
    depths: async () => [
      { ...jobs, ready: 2, dead: 1 },
      { ...jobs, ready: 5, dead: 0 },
    ],
  });
  await collect({
    readiness: async () => [
      { type: "cache", name: "default", status: "failed" },
      { type: "db", name: "default", status: "ok" },
    ],
    depths: async () => [{ ...jobs, ready: 1, dead: 2 }],
  });
  expect((await figures().of(lastDay)).lookedSince).toBe(now - 30 * minute);
  expect((await figures().of(lastDay)).health).toEqual([
    { at: now - 30 * minute, ready: 1, notReady: 1, failed: "cache default", mostWaiting: 7, mostDead: 2 },
  ]);
});
