import { afterEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auth, createPeople, isServed, mailedToken, mailTo } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { readExposition } from "../../support/exposition.ts";
import { faketimeMissing, settableClock } from "../../support/faketime.ts";
import { eventually } from "../../support/log.ts";
import { openRows, type Rows } from "../../support/rows.ts";
import { startMailbox, type Mailbox } from "../../support/smtp.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";

endTargetsAfterEach();

const limitMs = 300_000;
const day = 24 * 3_600_000;
const jumps = [2 * day, 400 * day, -2 * day, -400 * day] as const;
/** The jumps of each of two services, which take them at the same time. */
const turns = [
  [2 * day, -400 * day],
  [400 * day, -2 * day],
] as const;
const heldBack = "schedule held back: the clock can't be trusted yet";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-clock-"));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
async function openMailbox(): Promise<Mailbox> {
  const mailbox = await startMailbox();
  ends.push(() => mailbox.stop());
  return mailbox;
}
function rowsOf(target: Target): Rows {
  const rows = openRows(target.databasePath);
  ends.push(() => rows.close());
  return rows;
}

const kinds = ["audit_events", "auth_sessions", "auth_grants", "mails", "jobs where queue = 'nobody'", "cache_entries"];
const countsOf = (rows: Rows): Record<string, number> =>
  Object.fromEntries(kinds.map((kind) => [kind, rows.count(kind)]));
const lines = (target: Target, text: string, schedule: string): number =>
  target
    .logs()
    .split("\n")
    .filter((line) => line.includes(text) && line.includes(`"schedule":"${schedule}"`)).length;

const prunesOf = (target: Target): number => lines(target, '"message":"schedule', "audit:prune");

/** Has a schedule run at once, as the pages of staff do. */
const ask = (rows: Rows, schedule: string): void =>
  void rows.run("update schedules set requested_at = ?, requested_by = 'ada' where name = ?", Date.now(), schedule);

/** Makes an account with a session, a grant, a mail, rows of the audit log and of a cache, and jobs that no worker takes. */
async function settle(target: Target, mailbox: Mailbox, rows: Rows) {
  const people = createPeople(target.url);
  const ada = await people.register("ada");
  await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
  await mailedToken(mailbox, ada.email, "Reset your password");
  const now = Date.now();
  for (const [id, state, finished] of [
    ["0193f000-0000-7000-8000-000000000001", "pending", null],
    ["0193f000-0000-7000-8000-000000000002", "dead", now],
  ] as const)
    rows.run(
      `insert into jobs (id, app, queue, name, payload, state, attempts, max_attempts, available_at, created_at, finished_at)
       values (?, 'app', 'nobody', 'a:b', '{}', ?, 0, 8, ?, ?, ?)`,
      id,
      state,
      now,
      now,
      finished,
    );
  rows.run(
    "insert into cache_entries (cache, entry_key, value, expires_at) values ('default', 'a', 'b', ?)",
    now + day,
  );
  await eventually("a mail that is known to be sent", () => rows.count("mails where state = 'sent'") > 0);
  return { ada, people };
}

/** Checks the service once the clock is right again. */
async function expectService(target: Target, mailbox: Mailbox, { ada, people }: Awaited<ReturnType<typeof settle>>) {
  expect(await isServed(ada.client)).toBe(true);
  expect((await ada.client.post(auth("refresh"))).status).toBe(200);
  const client = createClient(target.url);
  expect((await client.post(auth("login"), { login: ada.email, password: ada.password })).status).toBe(200);
  await client.post(auth("login"), { login: ada.email, password: "wrong" });
  // Mails are counted for each person: this person's mail does not join one that was just sent.
  const grace = await people.register("grace");
  await client.post(auth("password-reset/request"), { login: grace.email });
  await mailedToken(mailbox, grace.email, "Reset your password");
}

describe.skipIf(faketimeMissing !== undefined)(
  `a clock that is set${faketimeMissing === undefined ? "" : ` (skipped: ${faketimeMissing})`}`,
  () => {
    /** Sets the clock of one service by each of these, one after the other, and each time back. */
    async function setAndBack(turn: readonly number[]): Promise<void> {
      const mailbox = await openMailbox();
      const clock = await settableClock(join(await temporaryFolder(), "ahead"));
      const target = await startTarget({ env: mailTo(mailbox), ownProcess: true, within: clock.within });
      const rows = rowsOf(target);
      const settled = await settle(target, mailbox, rows);
      for (const by of turn) {
        const before = countsOf(rows);
        const prunes = () => prunesOf(target);
        const warnings = () => target.logs().split("it jumped by more than a minute").length;
        const [pruned, warned] = [prunes(), warnings()];
        await clock.set(by);
        await eventually("the jump to be seen", () => warnings() > warned);
        ask(rows, "audit:prune");
        await eventually("a prune", () => prunes() > pruned);
        const metrics = readExposition((await createClient(target.url).get("/metrics")).text);
        await clock.set(0);
        await eventually("the right time", async () => {
          const date = (await createClient(target.url).get("/-/health")).headers.get("date");
          return Math.abs(Date.parse(date ?? "") - Date.now()) < 10_000;
        });
        const after = countsOf(rows);
        for (const kind of kinds) expect([kind, Number(after[kind]) >= Number(before[kind])]).toEqual([kind, true]);
        expect([metrics.types.get("clock_trusted"), metrics.sum("clock_trusted")]).toEqual(["gauge", 0]);
        await expectService(target, mailbox, settled);
        // Schedules continue as well.
        const collected = lines(target, '"schedule', "figures:collect");
        ask(rows, "figures:collect");
        await eventually("a schedule to run", () => lines(target, '"schedule', "figures:collect") > collected);
      }
      expect(lines(target, heldBack, "audit:prune")).toBe(prunesOf(target));
      expect(target.logs()).not.toContain("schedule failed");
      await target.stop();
    }

    test(
      "K-03 while the service runs takes nothing away, and the service goes on once it is right",
      async () => {
        await Promise.all(turns.map(setAndBack));
      },
      limitMs,
    );

    test(
      "K-03 before the service starts takes nothing away, and the other processes go on",
      async () => {
        await Promise.all(
          jumps.map(async (by) => {
            const mailbox = await openMailbox();
            const target = await startTarget({ env: mailTo(mailbox), ownProcess: true });
            const rows = rowsOf(target);
            const settled = await settle(target, mailbox, rows);
            rows.run("insert into schedule_runs values ('auth:cleanup', ?, 0, 'grace')", Date.now());
            const before = countsOf(rows);

            // The clock stands ten seconds before a time at which the five-minute schedules run.
            const now = Date.now() + by;
            const ahead = by + 300_000 - (now % 300_000) - 10_000;
            const clock = await settableClock(join(await temporaryFolder(), "ahead"), ahead);
            const { env } = target;
            const wrong = await startTarget({
              env,
              roles: ["scheduler"],
              migrate: false,
              ownProcess: true,
              within: clock.within,
            });
            await eventually("a cleanup", () => lines(wrong, '"schedule', "auth:cleanup") > 0);
            expect(await wrong.stop()).toBe(0);

            expect(countsOf(rows)).toEqual(before);
            expect(wrong.logs()).toContain("the clock can't be trusted yet");
            expect(lines(wrong, heldBack, "auth:cleanup")).toBe(1);
            // The process with the right time keeps running its schedules. The other process sees that, and doubts its own clock.
            ask(rows, "auth:cleanup");
            await eventually("the schedule to run", () => lines(target, heldBack, "auth:cleanup") > 0);
            await eventually("the other clock to be seen", () =>
              target.logs().includes("more than a day away from it"),
            );
            await expectService(target, mailbox, settled);
            await target.stop();
          }),
        );
      },
      limitMs,
    );
  },
);
