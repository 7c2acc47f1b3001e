import { beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { auth, browserWith, calm, createPeople, minute, secretsOf } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";
import { openRows } from "../../support/rows.ts";
import { readAudit } from "./audit.fixture.ts";
import { folderOfEachTest } from "../../support/folder.ts";

const folder = folderOfEachTest();

endTargetsAfterEach();
let env: Record<string, string>;
beforeEach(async () => {
  env = { ...calm, APP_URL: "http://127.0.0.1:3000", DB_DATABASE: join(folder(), "app.db") };
});

const start = (migrate: boolean): Promise<Target> => startTarget({ env, roles: ["http"], ownProcess: true, migrate });

/** Registers, signs in and signs out for as long as the process answers. Calls `onLogout` for each logout that was answered. */
async function keepBusy(url: string, name: string, onLogout: () => void): Promise<void> {
  const password = "a long walk by the sea";
  for (let turn = 0; turn < 1_000; turn += 1) {
    const browsers = [createClient(url), createClient(url)];
    const [first = createClient(url), second = first] = browsers;
    const email = `${name}.${turn}@example.test`;
    try {
      await first.post(auth("register"), { email, password });
      await second.post(auth("login"), { login: email, password });
      await Promise.all([second.post(auth("logout")), first.post(auth("logout-all"))]);
      onLogout();
      await second.post(auth("login"), { login: email, password: "not the password" });
    } catch {
      // The process has been killed.
      return;
    }
  }
}

/** Finds changes without a row and rows without a change among everything that was committed before the kill. */
function inconsistencies(path: string): Record<string, number> {
  using opened = openRows(path);
  const audit = readAudit(opened);
  const count = (where: string): number => audit.all(where).length;
  const found = {
    "accounts of no row": opened.count(
      `users u where not exists
         (select 1 from audit_events a where a.action = 'auth.registered' and a.subject_user_id = u.id)`,
    ),
    "rows of no account": count(
      `action = 'auth.registered' and not exists (select 1 from users u where u.id = subject_user_id)`,
    ),
    "sessions of no row": opened.count(
      `auth_sessions s where not exists (select 1 from audit_events a
         where a.action in ('auth.registered', 'auth.logged-in') and a.session_id = s.id)`,
    ),
    "rows of no session": count(
      `action in ('auth.registered', 'auth.logged-in') and not exists (select 1 from auth_sessions s where s.id = session_id)`,
    ),
    "ended sessions of no row": opened.count(
      `auth_sessions s where revoked_at is not null and not exists (select 1 from audit_events a
         where a.action = 'auth.logged-out' and a.subject_user_id = s.user_id
           and (a.session_id = s.id or a.reason = 'all_sessions'))`,
    ),
    "logouts that ended nothing": count(
      `action = 'auth.logged-out' and not exists (select 1 from auth_sessions s
         where s.user_id = subject_user_id and s.revoked_at is not null and (session_id = s.id or session_id is null))`,
    ),
  };
  return found;
}

const logoutsBeforeKill = 6;
const day = 24 * 60 * minute;

describe("two processes", () => {
  test("X-18 killed at any moment they leave no change without its row and no row without its change", async () => {
    let targets = [await start(true), await start(false)];
    for (let round = 0; round < 3; round += 1) {
      const busy = Promise.withResolvers<void>();
      let logouts = 0;
      const onLogout = (): void => void (++logouts >= logoutsBeforeKill && busy.resolve());
      const load = targets.flatMap(({ url }, place) =>
        Array.from({ length: 3 }, (_, index) => keepBusy(url, `ada${round}.${place}.${index}`, onLogout)),
      );
      await busy.promise;
      // The wait varies the moment of the kill.
      await Bun.sleep(Math.random() * 200);
      await Promise.all(targets.map((target) => target.kill()));
      await Promise.all(load);
      expect(inconsistencies(env["DB_DATABASE"] ?? "")).toEqual({
        "accounts of no row": 0,
        "rows of no account": 0,
        "sessions of no row": 0,
        "rows of no session": 0,
        "ended sessions of no row": 0,
        "logouts that ended nothing": 0,
      });
      targets = [await start(false), await start(false)];
    }
    using opened = openRows(env["DB_DATABASE"] ?? "");
    const audit = readAudit(opened);
    expect(audit.all("action = 'auth.logged-out'").length).toBeGreaterThanOrEqual(3 * logoutsBeforeKill);
    await Promise.all(targets.map((target) => target.stop()));
  }, 120_000);

  test("S-40 the counts of the dashboard are those of every row, while one process deletes old rows and another writes new ones", async () => {
    const writer = await start(true);
    using opened = openRows(env["DB_DATABASE"] ?? "");
    const old = 20_000;
    // Too old for the log and young enough for its counts, which a schedule forgets after a month.
    const then = Math.floor(Date.now() / day) * day - 3 * day + 12 * 60 * minute;
    opened.run(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
       insert into audit_events (id, at, app, action, outcome, actor, count)
       select 'old-' || n, cast(? as bigint) + (n % 3) * 3600000, 'app', 'auth.logged-out', 'success', 'user', 1 + n % 2 from numbers`,
      old,
      then,
    );
    const counts = (from: string) =>
      opened.all(`select hour, action, outcome, reason, app, sum(events) as events from (${from}) as counted
        group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`);
    const kept = `select at - at % 3600000 as hour, action, outcome,
      case when outcome = 'failure' or action = 'auth.logged-in' then coalesce(reason, '') else '' end as reason, app, count as events from audit_events`;
    const written = counts(`${kept} where at < ${then + day}`);
    const left = () => opened.count("audit_events where at < ?", then + day);

    const scheduler = await startTarget({
      env: { ...env, AUDIT_RETENTION: "24h" },
      roles: ["scheduler"],
      watchedClock: true,
      migrate: false,
    });
    await eventually("the schedule", () => opened.count("schedules where name = 'audit:prune'") === 1);
    const load = Array.from({ length: 3 }, (_, index) => keepBusy(writer.url, `ada${index}`, () => undefined));
    opened.run("update schedules set requested_at = ? where name = 'audit:prune'", Date.now());
    let during = 0;
    await eventually("the old rows to be gone", () => {
      if (left() > 0) during = opened.count("audit_events where at > ?", then + day);
      return left() === 0;
    });
    await eventually("rows after that", () => opened.count("audit_events where at > ?", then + day) > during + 10);
    await writer.kill();
    await Promise.all(load);

    const counted = "select hour - hour % 3600000 as hour, action, outcome, reason, app, events from audit_hours";
    expect(counts(`${counted} where hour < ${then + day}`)).toEqual(written);
    expect(written.reduce((sum, { events }) => sum + Number(events), 0)).toBe(old * 1.5);
    expect(counts(`${counted} where hour >= ${then + day}`)).toEqual(counts(kept));
    await scheduler.stop();
  }, 120_000);

  test("that race for one change leave one row; each writes into the one log", async () => {
    const targets = [await start(true), await start(false)];
    const [first, second] = targets;
    const ada = await createPeople(first?.url ?? "").register("ada");
    const at = (target: Target | undefined) => browserWith(target?.url ?? "", secretsOf(ada.client));
    await Promise.all([first, second, first, second].map((target) => at(target).post(auth("logout"))));
    for (const target of targets)
      await createClient(target.url).post(auth("login"), { login: ada.email, password: "not the password" });
    using opened = openRows(env["DB_DATABASE"] ?? "");
    const audit = readAudit(opened);
    await audit.about(ada.id, 2, "auth.login-failed");
    expect((await audit.about(ada.id, 4)).map(({ action }) => action).toSorted()).toEqual([
      "auth.logged-out",
      "auth.login-failed",
      "auth.login-failed",
      "auth.registered",
    ]);
    await Promise.all(targets.map((target) => target.stop()));
  });
});
