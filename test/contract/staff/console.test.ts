import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Answer } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { stage } from "../../support/stage.ts";
import { becomeStaff, createPageVisitor, textOf, titleOf, type PageVisitor, writeAudit } from "../../support/staff.ts";
import { startTarget, type Target } from "../../support/target.ts";

// The admin app and the app share one database, which also holds the maintenance state of both.
const shared = { APP_MAINTENANCE_DRIVER: "cache", CACHE_DRIVER: "database" };
const { target, rows } = await stage({ app: "admin", env: shared });
const password = "a long walk by the sea";

let grace: PageVisitor;
let id: string;
let app: Target;
beforeAll(async () => {
  grace = createPageVisitor(target.url);
  const email = "grace@example.test";
  await grace.submit("/register", { email, password, display_name: "Grace Hopper" });
  becomeStaff(rows, email);
  id = String(rows.get("select id from users")["id"]);
  app = await startTarget({
    app: "app",
    env: { ...shared, DB_DATABASE: target.databasePath },
    roles: ["http", "scheduler"],
    migrate: false,
  });
});
afterAll(() => app.stop());

const page = async (path: string): Promise<Answer> => {
  const answer = await grace.get(path);
  expect(answer.status).toBe(200);
  return answer;
};
/** Returns the last row that the acts of staff have left. */
const lastAct = () =>
  rows.get(
    "select action, reason, actor, actor_user_id, count, app from audit_events where actor = 'staff' order by id desc limit 1",
  );
const byGrace = () => ({ actor: "staff", actor_user_id: id, app: "admin" });

/** Makes the proof of the session older than ten minutes, until the password is given again. */
const letProofAge = () => rows.run("update auth_sessions set proved_at = proved_at - 700000 where user_id = ?", id);
async function prove(asked: Answer, path: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
  expect(titleOf(asked)).toBe("Confirm that it is you");
  const csrf = /name="csrf" value="([^"]+)"/.exec(asked.text)?.[1] ?? "";
  return grace.send(path, { ...fields, csrf, current_password: password });
}

const write = (action: string, more?: Readonly<Record<string, string | number | null>>): void =>
  writeAudit(rows, id, action, more);

describe("the dashboard", () => {
  test("S-40 draws what has just happened, and has the same numbers in a table", async () => {
    const signIns = async (): Promise<number> =>
      Number(/(\d+) sign-ins?, /.exec(textOf(await page("/")))?.[1] ?? Number.NaN);
    const before = await signIns();
    for (const _ of [1, 2, 3]) write("auth.logged-in");
    write("auth.login-failed", { outcome: "failure", reason: "wrong_password", actor: "anonymous", count: 4 });
    expect(await signIns()).toBe(before + 3);
    for (const path of ["/", "/?span=30d"]) {
      const answer = await page(path);
      const drawn = answer.text.matchAll(/<svg viewBox="0 0 352 136" role="img" aria-label="([^"]+) over time;/g);
      expect([...drawn].map(([, title]) => title)).toEqual(
        expect.arrayContaining(["Active people by day", "New accounts by day", "Sign-ins", "Refused sign-ins"]),
      );
      expect(answer.text).not.toContain(" style=");
      const text = textOf(answer);
      expect(text).toContain("4 attempts");
      expect(text).toMatch(/the password was wrong 4/);
      expect(text).toMatch(/As a table : Sign-ins From Signed in Registered/);
    }
  });

  test("S-41 says of readiness what was seen, and that nobody looked before", async () => {
    expect(textOf(await page("/"))).toContain("Readiness Nobody has looked yet.");
    const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
    rows.run("insert into health_hours values (?, 3, 1, 'cache default', 2, 1)", hour);
    const text = textOf(await page("/"));
    expect(text).toContain("ready 3 of 4 times that it was looked at");
    expect(text).toContain("Failed last: cache default.");
    expect(text).toContain("Readiness From Ready Not ready Not looked at");
    expect(text).not.toContain("Nobody has looked yet");
  });
});

describe("the audit log", () => {
  test("S-47 is found by each filter, and says what happened, why and by whom", async () => {
    write("auth.role-added", { reason: "admin", actor: "operator", actor_user_id: null });
    write("service.used", {
      actor: "service",
      service: "crm",
      subject_user_id: null,
      actor_user_id: null,
      count: 1_204,
    });
    write("auth.user-disabled", { actor: "staff", subject_user_id: Bun.randomUUIDv7(), address: "192.0.2.8" });
    const found = async (query: string): Promise<string> => textOf(await page(`/audit?${query}`));
    expect(await found("action=auth.role-added")).toContain("Role given: admin Grace Hopper a command");
    expect(await found("actor=operator")).toContain("Role given: admin");
    expect(await found("service=crm")).toContain("Service used its secret (1,204 times) crm service crm");
    expect(await found("address=192.0.2.8")).toContain("Account disabled");
    expect(await found("by=grace@example.test")).toContain("Account disabled");
    expect(await found(`person=${id}&outcome=failure`)).toContain("Sign-in refused: the password was wrong");
    expect(await found("action=auth.login-failed&reason=unknown_login")).toContain("Nothing like that is in the log.");
    expect(await found("from=2020-01-01T00:00&until=2020-02-01T00:00")).toContain("Nothing like that is in the log.");
    expect((await page("/audit")).text).toContain(`href="/people/${id}"`);
  });

  test("says what is wrong with a filter, and looks for nothing", async () => {
    const text = textOf(await page("/audit?person=nobody&address=here&from=now&action=none"));
    for (const words of ["Nobody has this name", "This is no IP address.", "Write a time as in"])
      expect(text).toContain(words);
    expect(text).not.toContain("Download as CSV");
    expect((await grace.get("/audit.csv?person=nobody")).status).toBe(400);
  });

  test("is read page by page", async () => {
    for (let index = 0; index < 60; index += 1) write("auth.logged-out", { at: 1_000 + index });
    const first = await page("/audit?action=auth.logged-out");
    expect(first.text.match(/Signed out<\/span>/g)).toHaveLength(50);
    const next = /href="([^"]+)" rel="next"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await page(next);
    expect(second.text.match(/Signed out<\/span>/g)).toHaveLength(10);
    expect(second.text).not.toContain('rel="next"');
  });

  test("S-48 comes as a file in which no cell is a formula", async () => {
    // Spreadsheets whose lists have semicolons between them split there, whatever the quotes say: S, T and U begin a cell then.
    const inside = ["S;=1+1;y", "T; +1", 'U;"=1+1;y'];
    const agents = ['=cmd|"/c calc"!A1', "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\uff1d1+1", ...inside];
    for (const [index, agent] of agents.entries())
      write("auth.password-changed", { at: 2_000 + index, user_agent: agent });
    const answer = await grace.get("/audit.csv?action=auth.password-changed&until=1971-01-01");
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="audit.csv"');
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const lines = answer.text.trimEnd().split("\r\n");
    expect(lines).toHaveLength(agents.length + 1);
    expect(lines[0]).toStartWith('"time","what","action"');
    expect(lines.find((each) => each.includes("calc"))).toContain(`"'=cmd|""/c calc""!A1"`);
    expect(answer.text).not.toMatch(/(?:^|[,;])"*\s*[=+\-@\uff1d]/m);
    expect(answer.text).toContain(`"S;'=1+1;y"`);
  });

  test("S-49 who has downloaded how much of it, and what they looked for, is in the log, without what was typed for a person", async () => {
    for (const at of [3_000, 3_001]) write("auth.email-changed", { at });
    await grace.get("/audit.csv?person=grace@example.test&action=auth.email-changed&until=1971-01-01");
    const reason = `person ${id}, action auth.email-changed, until 1971-01-01T00:00:00.000Z`;
    expect(lastAct()).toEqual({ ...byGrace(), action: "audit.exported", reason, count: 2 });
    expect(textOf(await page("/audit?action=audit.exported"))).toContain(`Audit log downloaded: ${reason} (2 rows)`);
    await grace.get("/audit.csv?until=1970-01-01");
    expect(lastAct()).toMatchObject({ action: "audit.exported", reason: "until 1970-01-01T00:00:00.000Z", count: 0 });
  });

  test("S-49 a download that is broken off is in the log as well", async () => {
    rows.run(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 30000)
       insert into audit_events (id, at, app, action, outcome, actor, count, user_agent)
       select 'old-' || n, 5000, 'app', 'auth.user-imported', 'success', 'operator', 1, '${"x".repeat(200)}' from numbers`,
    );
    const leaving = new AbortController();
    const cookie = ["access", "refresh"]
      .map((name) => `admin_auth_${name}=${grace.client.cookie(`admin_auth_${name}`)}`)
      .join("; ");
    const answer = await fetch(new URL("/audit.csv?action=auth.user-imported", target.url), {
      headers: { cookie },
      signal: leaving.signal,
    });
    const reader = answer.body?.getReader();
    await reader?.read();
    leaving.abort();
    await eventually("the row", () => lastAct()["reason"] === "action auth.user-imported");
    expect(lastAct()).toMatchObject({ actor: "staff", actor_user_id: id, action: "audit.exported" });
    expect(Number(lastAct()["count"])).toBeGreaterThan(0);
  });

  test("says of a lock until when it is, on the page, on that of the person and in the file", async () => {
    write("auth.locked", { at: 4_000, ends_at: Date.UTC(2026, 0, 2, 14, 5), actor: "anonymous", actor_user_id: null });
    expect(textOf(await page("/audit?action=auth.locked"))).toContain("Account locked, until 2 Jan 2026, 14:05");
    expect((await page("/audit.csv?action=auth.locked")).text).toContain('"2026-01-02T14:05:00.000Z"');
    const person = textOf(await page(`/people/${id}?before=4000.${"f".repeat(36)}`));
    expect(person).toContain("Account locked, until 2 Jan 2026, 14:05");
  });
});

describe("jobs", () => {
  const bury = (name: string, error: string): string => {
    const job = Bun.randomUUIDv7();
    rows.run(
      `insert into jobs (id, app, queue, name, payload, state, attempts, max_attempts, available_at, last_error, created_at, finished_at)
       values (?, 'app', 'default', ?, '{}', 'dead', 3, 3, 1, ?, 1, ?)`,
      job,
      name,
      error,
      Date.now(),
    );
    return job;
  };
  const stateOf = (job: string) => rows.get("select state from jobs where id = ?", job)["state"];

  test("S-45 one that failed is shown with its error, tried again by a button, and the log knows who did it", async () => {
    const job = bury("auth:send-notice", "the relay is down");
    expect(textOf(await page("/jobs"))).toMatch(
      /auth:send-notice default of app just now , [^A-Z]* [A-Z][a-z]+ [^a-z]* 3 the relay is down/,
    );
    expect((await grace.send(`/jobs/${job}/retry`, {})).status).toBe(403);
    expect(stateOf(job)).toBe("dead");
    const answer = await grace.submit("/jobs", {}, `/jobs/${job}/retry`);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/jobs"]);
    expect(stateOf(job)).toBe("pending");
    expect(lastAct()).toEqual({ ...byGrace(), action: "queue.retried", reason: "auth:send-notice", count: 1 });
    expect(textOf(await page("/jobs"))).toContain("The job is tried again at once");
  });

  test("S-49 all of a name are tried again after the password was given anew", async () => {
    const jobs = [bury("webhook:deliver", "503"), bury("webhook:deliver", "503")];
    const other = bury("auth:send-notice", "the relay is down");
    letProofAge();
    const asked = await grace.submit("/jobs?name=webhook:deliver", {}, "/jobs/retry");
    expect(jobs.map(stateOf)).toEqual(["dead", "dead"]);
    const done = await prove(asked, "/jobs/retry", { name: "webhook:deliver" });
    expect(done.status).toBe(303);
    expect([...jobs, other].map(stateOf)).toEqual(["pending", "pending", "dead"]);
    expect(lastAct()).toEqual({ ...byGrace(), action: "queue.retried", reason: "webhook:deliver", count: 2 });
    rows.run("delete from jobs");
  });
});

describe("schedules", () => {
  test("S-43 one is run at once by the app that owns it, and the page says how it went and who asked", async () => {
    await eventually("the schedules to be known", async () => (await page("/schedules")).text.includes("auth:cleanup"));
    expect(textOf(await page("/schedules"))).toContain("Runs every 5 minutes (*/5 * * * *)");
    const answer = await grace.submit("/schedules", {}, "/schedules/auth:cleanup/run");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/schedules"]);
    expect(lastAct()).toEqual({ ...byGrace(), action: "schedule.requested", reason: "auth:cleanup", count: 1 });
    await eventually(
      "the run",
      () => rows.count("schedule_history where name = 'auth:cleanup' and ok = 1 and requested_by is not null") > 0,
    );
    const text = textOf(await page("/schedules"));
    expect(text).toMatch(/auth:cleanup .* Last \d+ runs? : auth:cleanup Began .* done Grace Hopper –/);
  });

  test("one that does not exist is not found, and asks nobody", async () => {
    const csrf = /name="csrf" value="([^"]+)"/.exec((await page("/schedules")).text)?.[1] ?? "";
    for (const name of ["no:such", "..", "auth:cleanup'--"])
      expect((await grace.send(`/schedules/${encodeURIComponent(name)}/run`, { csrf })).status).toBe(404);
    expect((await grace.send("/schedules/auth:cleanup/run", {})).status).toBe(403);
  });

  test("a run that nobody has begun is taken back", async () => {
    rows.run("insert into schedules (name, cron, requested_at, requested_by) values ('a:b', '0 0 1 1 *', 1, ?)", id);
    expect(textOf(await page("/schedules"))).toContain("No scheduler has taken it");
    await grace.submit("/schedules", {}, "/schedules/a:b/withdraw");
    expect(rows.get("select requested_at from schedules where name = 'a:b'")).toEqual({ requested_at: null });
    expect(lastAct()).toMatchObject({ action: "schedule.withdrawn", reason: "a:b" });
    rows.run("delete from schedules where name = 'a:b'");
  });
});

describe("maintenance", () => {
  const health = async (): Promise<number> => (await fetch(`${app.url}/api/v1/auth/session`)).status;

  test("S-46 the other app is switched on with a reason, and off by the undo of the notice", async () => {
    letProofAge();
    const path = "/maintenance/app";
    const asked = await grace.submit("/maintenance", { message: "moving house" }, path);
    expect((await prove(asked, path, { switch: "on", message: "moving house" })).status).toBe(303);
    await eventually("maintenance", async () => (await health()) === 503);
    expect(lastAct()).toEqual({ ...byGrace(), action: "maintenance.enabled", reason: "app", count: 1 });
    const text = textOf(await page("/maintenance"));
    expect(text).toContain("Maintenance of app is on. Switch off again");
    expect(text).toContain("by Grace Hopper . Reason: moving house");
    expect(textOf(await page("/"))).toContain("app is in maintenance");
    expect((await grace.submit("/maintenance", {}, path)).status).toBe(303);
    await eventually("the end of maintenance", async () => (await health()) !== 503);
    expect(lastAct()).toMatchObject({ action: "maintenance.disabled", reason: "app" });
  });

  test("S-46 an app that keeps its state in its memory is not switched, and the page says what to do", async () => {
    rows.run("update maintenance_places set driver = 'memory' where app = 'app'");
    const answer = await page("/maintenance");
    expect(textOf(answer)).toContain("On its host use gatehouse maintenance:enable");
    const csrf = /name="csrf" value="([^"]+)"/.exec(answer.text)?.[1] ?? "";
    expect((await grace.send("/maintenance/app", { csrf, switch: "on" })).status).toBe(404);
    expect((await grace.send("/maintenance/elsewhere", { csrf, switch: "on" })).status).toBe(404);
    rows.run("update maintenance_places set driver = 'cache' where app = 'app'");
  });
});
