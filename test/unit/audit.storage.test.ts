import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createAuditRepository } from "../../src/audit/audit.repository.ts";
import { createMonths } from "../../src/audit/months.ts";
import { createPrune, type Retention } from "../../src/audit/prune.ts";
import { auditEntry, type Occurrence } from "../../src/core/audit.ts";
import { hour } from "../../src/core/clock.ts";
import { createLog } from "../../src/observe/log.ts";
import { agesOf, keptAlike } from "../support/ages.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../support/database.ts";

const now = Date.UTC(2026, 5, 1);
let temporary: TemporaryDatabase;
beforeEach(async () => {
  temporary = await temporaryDatabase();
});
afterEach(() => temporary.dispose());

const repository = () => createAuditRepository(temporary.database, { name: "app" });

/** Stores rows of these ages. */
async function keep(...ages: number[]): Promise<void> {
  const statements = ages.map((age) =>
    repository().insert(
      auditEntry(
        { topic: "maintenance.enabled", payload: { app: "app" }, by: { actor: "operator" }, at: now - age },
        now,
      ),
    ),
  );
  for (let at = 0; at < statements.length; at += 200) await temporary.database.batch(statements.slice(at, at + 200));
}
const ages = async (): Promise<number[]> => (await repository().list({}, 10_000)).map(({ at }) => now - at);
const count = async (): Promise<number> => (await ages()).length;

describe("X-18 the audit log only grows", () => {
  test.each([
    ["an update", "update audit_events set outcome = 'success'"],
    ["a delete", "delete from audit_events"],
    ["a delete of old rows", "delete from audit_events where at < 1"],
    [
      "a replacement",
      `insert or replace into audit_events (id, at, app, action, outcome, actor, count)
         select id, at, app, action, 'success', actor, count from audit_events`,
    ],
  ])("%s is refused", async (_, sql) => {
    await keep(0, hour, now);
    await expect(temporary.database.run(sql)).rejects.toThrow("append-only");
    expect(await ages()).toEqual([0, hour, now]);
  });

  test("what is left of a prune that did not end lets nothing through", async () => {
    await keep(0, 3 * hour);
    expect(await repository().prune(now - 2 * hour, 100)).toBe(1);
    expect(await ages()).toEqual([0]);
    await expect(temporary.database.run("delete from audit_events")).rejects.toThrow("append-only");
    const left = await temporary.database.all("select prune_before from audit_retention");
    expect(left).toEqual([{ prune_before: 0 }]);
  });
});

describe("audit:prune", () => {
  const log = createLog({ format: "json", level: "error", clock: { now: () => now } });
  const prune = (retentionMs: number, others: Partial<Retention> = {}) =>
    createPrune({
      rows: repository(),
      retentionMs: { ...keptAlike(retentionMs), ...others },
      months: temporary.partitions && createMonths(temporary.partitions, log),
      ages: agesOf({ now: () => now }),
      log,
    });

  test("deletes what is older than the retention, in small steps, and nothing else", async () => {
    const old = Array.from({ length: 1_030 }, (_, index) => 2 * hour + 1 + index);
    await keep(0, hour, 2 * hour, ...old);
    await prune(2 * hour).run(new AbortController().signal);
    expect(await ages()).toEqual([0, hour, 2 * hour]);
    await prune(2 * hour).run(new AbortController().signal);
    expect(await count()).toBe(3);
  });

  const origin = { address: "203.0.113.7", userAgent: "a browser", requestId: "1" };
  const at = now - 2 * hour;
  const ofEachKind: Readonly<Record<keyof Retention, readonly Occurrence[]>> = {
    sign_in: [
      { topic: "auth.logged-in", payload: { user_id: "ada", session_id: "one" }, by: { actor: "user", origin }, at },
      {
        topic: "auth.login-failed",
        payload: { user_id: "ada", count: 1, reason: "x" },
        by: { actor: "anonymous", origin },
        at,
      },
    ],
    account: [{ topic: "auth.password-changed", payload: { user_id: "ada" }, by: { actor: "user", origin }, at }],
    staff: [
      { topic: "auth.password-changed", payload: { user_id: "ada" }, by: { actor: "operator" }, at },
      {
        topic: "auth.logged-out",
        payload: { user_id: "ada", session_id: "one" },
        by: { actor: "staff", userId: "grace", role: "admin", origin },
        at,
      },
    ],
    system: [{ topic: "service.used", payload: { service: "crm", count: 3 }, by: { actor: "system" }, at }],
  };

  test.each(["sign_in", "account", "staff", "system"] as const)(
    "A-19 rows of the kind %s are kept as long as it says, and others as long as theirs",
    async (kind) => {
      const entriesOf = (occurrences: readonly Occurrence[]) => occurrences.map((each) => auditEntry(each, now));
      const [all, some] = [entriesOf(Object.values(ofEachKind).flat()), entriesOf(ofEachKind[kind])];
      const store = (entries: typeof all) =>
        temporary.database.batch(entries.map((entry) => repository().insert(entry)));
      await store(all);
      await prune(3 * hour, { [kind]: hour }).run(new AbortController().signal);
      expect(await count()).toBe(all.length - some.length);
      await store(some);
      await prune(hour, { [kind]: 3 * hour }).run(new AbortController().signal);
      expect(await count()).toBe(some.length);
    },
  );

  test("A-19 what is kept longest may stay until its month is over, and no longer; what is kept shorter does not", async () => {
    const [may, april] = [Date.UTC(2026, 4, 1), Date.UTC(2026, 3, 1)];
    await keep(now - may, now - may + 1, now - april);
    const settings = (retentionMs: number) => ({ ...keptAlike(retentionMs), sign_in: 1 });
    const pruneAt = (at: number) =>
      createPrune({
        rows: repository(),
        retentionMs: settings(30 * 24 * hour),
        wholeMonths: true,
        months: temporary.partitions && createMonths(temporary.partitions, log),
        ages: agesOf({ now: () => at }),
        log,
      }).run(new AbortController().signal);
    await pruneAt(may + 29 * 24 * hour);
    expect(await count()).toBe(3);
    await pruneAt(may + 30 * 24 * hour);
    expect(await ages()).toEqual([now - may]);
    await pruneAt(may + 60 * 24 * hour);
    expect(await ages()).toEqual([now - may]);
    await pruneAt(may + 61 * 24 * hour);
    expect(await count()).toBe(0);
  });

  test("stops at the end of a step when the scheduler is stopped", async () => {
    await keep(...Array.from({ length: 500 }, (_, index) => hour + index));
    await prune(1).run(AbortSignal.abort());
    expect(await count()).toBe(400);
  });
});
