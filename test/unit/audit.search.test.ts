import { keptAlike } from "../support/ages.ts";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  actionInWords,
  auditRow,
  createAudit,
  reasonInWords,
  rowInWords,
  type AuditSearch,
} from "../../src/audit/index.ts";
import { auditActions, auditEntry, type Occurrence } from "../../src/core/audit.ts";
import { hour } from "../../src/core/clock.ts";
import { factorFlaws, loginFlaws } from "../../src/core/flaws.ts";
import type { Position } from "../../src/core/text/position.ts";
import { agesOf } from "../support/ages.ts";
import { englishStaffWords } from "../../src/words/staff.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../support/database.ts";
import { createRecordingLog } from "../support/log.ts";

const now = Date.UTC(2026, 5, 1);
const clock = { now: () => now };
let temporary: TemporaryDatabase;
const audit = () =>
  createAudit({
    database: temporary.database,
    app: { name: "app" },
    retentionMs: keptAlike(hour),
    clock,
    ages: agesOf(clock),
    log: createRecordingLog(),
  });

const from = (address: string) => ({ address, userAgent: "A browser", requestId: "" });
const people = ["ada", "grace", "edith"] as const;

/** Makes a row of a busy log, in which two rows at a time share a millisecond. */
const busy = (index: number): Occurrence => {
  const user = people[index % 3] ?? "ada";
  const at = now - Math.floor(index / 2) * 1_000;
  const origin = from(index % 5 === 0 ? "203.0.113.7" : "198.51.100.1");
  if (index % 4 === 0)
    return {
      topic: "auth.login-failed",
      payload: { user_id: user, count: 1, reason: "wrong_password" },
      by: { actor: "anonymous", origin },
      outcome: "failure",
      at,
    };
  return { topic: "auth.logged-in", payload: { user_id: user, session_id: "one" }, by: { actor: "user", origin }, at };
};

beforeAll(async () => {
  temporary = await temporaryDatabase();
  const rare: Occurrence[] = [
    { topic: "auth.role-added", payload: { user_id: "ada", role: "admin" }, by: { actor: "operator" }, at: now - 1 },
    { topic: "service.used", payload: { service: "crm", count: 3 }, by: { actor: "system" }, at: now - 2 },
  ];
  const statements = [...Array.from({ length: 7_000 }, (_, index) => busy(index)), ...rare].map((each) =>
    auditRow({ name: "app" }, auditEntry(each, now)),
  );
  for (let at = 0; at < statements.length; at += 500) await temporary.database.batch(statements.slice(at, at + 500));
});
afterAll(() => temporary.dispose());

/** Resolves to all rows that pages of that size give, one after another. */
async function walk(search: AuditSearch, limit: number, most = 20): Promise<{ ids: string[]; gaveUp: number }> {
  const ids: string[] = [];
  let before: Position | undefined;
  let gaveUp = 0;
  for (let pages = 0; pages < most; pages += 1) {
    const page = await audit().page(search, before, limit);
    ids.push(...page.rows.map(({ id }) => id));
    if (page.gaveUp) gaveUp += 1;
    if (page.next === undefined) break;
    before = page.next;
  }
  return { ids, gaveUp };
}

const searches: readonly (readonly [string, AuditSearch, string])[] = [
  ["a person", { subjectUserId: "ada" }, "subject_user_id = 'ada'"],
  ["an action", { action: "auth.login-failed" }, "action = 'auth.login-failed'"],
  ["an outcome", { outcome: "failure" }, "outcome = 'failure'"],
  ["a rare actor", { actor: "operator" }, "actor = 'operator'"],
  ["a common actor", { actor: "anonymous" }, "actor = 'anonymous'"],
  ["an address", { address: "203.0.113.7" }, "address = '203.0.113.7'"],
  ["a service", { service: "crm" }, "service = 'crm'"],
  ["a span", { since: now - 60_000, until: now - 5_000 }, `at >= ${now - 60_000} and at < ${now - 5_000}`],
  [
    "several at once",
    { subjectUserId: "grace", action: "auth.login-failed", address: "203.0.113.7", since: now - 900_000 },
    `subject_user_id = 'grace' and action = 'auth.login-failed' and address = '203.0.113.7' and at >= ${now - 900_000}`,
  ],
];

describe("S-42 the audit log is searched", () => {
  test.each(searches)("by %s: page after page each row once, newest first", async (_, search, where) => {
    const rows = await temporary.database.all<{ id: string }>(
      `select id from audit_events where ${where} order by at desc, id desc`,
    );
    expect(rows.length).toBeGreaterThan(0);
    const { ids } = await walk(search, 400);
    expect(ids).toEqual(rows.map(({ id }) => id));
  });

  test.each(searches)("by %s along an index", async (_, search) => {
    const asked: Parameters<TemporaryDatabase["database"]["all"]>[] = [];
    const { database } = temporary;
    const watched = {
      ...database,
      all: <Row>(sql: string, params?: Parameters<typeof database.all>[1]) => {
        asked.push([sql, params]);
        return database.all<Row>(sql, params);
      },
    };
    await createAudit({
      database: watched,
      app: { name: "app" },
      retentionMs: keptAlike(hour),
      clock,
      ages: agesOf(clock),
      log: createRecordingLog(),
    }).page(search, { at: now, id: "z" }, 10);
    const [sql, params] = asked[0] ?? [""];
    const plan = await database.all<{ detail: string }>(`explain query plan ${sql}`, params);
    expect(plan[0]?.detail).toMatch(/^SEARCH audit_events USING INDEX/);
    expect(plan.map(({ detail }) => detail)).not.toContain("USE TEMP B-TREE FOR ORDER BY");
  });

  test("a search that finds nothing among much stops at its bound, says so, and goes on from there", async () => {
    const search = { action: "auth.logged-in", outcome: "failure" };
    const first = await audit().page(search, undefined, 50);
    expect(first).toMatchObject({ rows: [], gaveUp: true });
    expect(first.next).toBeDefined();
    expect(await audit().page(search, first.next, 50)).toEqual({ rows: [], next: undefined, gaveUp: false });
  });
});

const words = englishStaffWords().reasons;

test.each(auditActions)("%s has words", (action) => {
  expect(actionInWords(action, words)).not.toBe(action);
});

test("every reason for which a proof is refused has words", () => {
  expect([...loginFlaws, ...factorFlaws].filter((reason) => reasonInWords(reason, words) === reason)).toEqual([]);
});

test("a row is said in words, with its reason", () => {
  expect(
    rowInWords({ action: "auth.login-failed", outcome: "failure", reason: "wrong_password", count: 1 }, words),
  ).toBe("Sign-in refused: the password was wrong");
  expect(
    rowInWords({ action: "auth.login-failed", outcome: "failure", reason: "unknown_login", count: 1_200 }, words),
  ).toBe("Sign-in refused: no account has that name or address (1,200 times)");
  const signIn = {
    action: "auth.client-authorized",
    outcome: "success",
    reason: null,
    service: "Shop",
    count: 1,
  } as const;
  expect(rowInWords(signIn, words)).toBe("Signed in to a program: Shop");
  expect(rowInWords({ ...signIn, action: "client.refused", outcome: "failure", reason: "consent_denied" }, words)).toBe(
    "Program refused: Shop, the person said no",
  );
  expect(rowInWords({ action: "audit.exported", outcome: "success", reason: "actor staff", count: 1_200 }, words)).toBe(
    "Audit log downloaded: actor staff (1,200 rows)",
  );
  expect(rowInWords({ action: "of.another-release", outcome: "failure", reason: "unheard_of", count: 1 }, words)).toBe(
    "of.another-release, refused: unheard_of",
  );
  // Each of these actions is bad news by itself: nobody was refused a lock.
  for (const action of ["auth.locked", "auth.logins-blocked", "auth.refresh-reused", "auth.address-rejected"])
    expect(rowInWords({ action, outcome: "failure", reason: null, count: 1 }, words)).toBe(
      actionInWords(action, words),
    );
});
