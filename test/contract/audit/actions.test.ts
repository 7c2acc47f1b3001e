import { describe, expect, test } from "bun:test";
import {
  auth,
  browserWith,
  claimsOf,
  mailedToken,
  minute,
  second,
  secretsOf,
  type Person,
} from "../../support/auth.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { eventsOf, readAudit, telling, type AuditRow } from "./audit.fixture.ts";
import { stage } from "../../support/stage.ts";

const next = "another walk by the sea";
const userAgent = `A browser/1.0 ${"x".repeat(300)}`;
const { target, rows, mailbox, people } = await stage({ env: telling });
const audit = readAudit(rows);

const headers = { "user-agent": userAgent };
const sessionOf = (client: Client): unknown => claimsOf(secretsOf(client).access)["sid"];
const stranger = () => createClient(target.url);
const wrongly = (name: string) =>
  stranger().post(auth("login"), { login: name, password: "not the password" }, { headers });

/**
 * Resolves to the answer, and to the one row that the work leaves about the user. Checks the row's time and request id, and that its event
 * was told.
 */
async function leaves(person: { id: string }, work: () => Promise<Answer>): Promise<{ answer: Answer; row: AuditRow }> {
  const before = (await audit.about(person.id, 0)).length;
  const since = Date.now();
  const answer = await work();
  const added = (await audit.about(person.id, before + 1)).slice(before);
  expect(added).toHaveLength(1);
  const [row = {}] = added;
  expect(row["at"]).toBeWithin(since, Date.now() + 1);
  expect(row["request_id"]).toBe(answer.headers.get("x-request-id"));
  expect(await eventsOf(target, added)).toEqual([String(row["action"])]);
  return { answer, row };
}

const fromHere = { app: "app", address: "127.0.0.1", user_agent: userAgent.slice(0, 200), count: 1 };
const done = (action: string, person: Person, session: unknown) => ({
  ...fromHere,
  action,
  outcome: "success",
  reason: null,
  actor: "user",
  actor_user_id: person.id,
  subject_user_id: person.id,
  session_id: session,
});

describe("each action leaves one row and tells one event", () => {
  test("registering", async () => {
    const client = stranger();
    const answer = await client.post(
      auth("register"),
      { email: "newcomer@example.test", password: next },
      { headers: { ...headers, "x-request-id": "a-trace-of-the-caller" } },
    );
    const id = answer.textAt("user.id");
    const added = await audit.about(id, 1);
    expect(added).toMatchObject([
      {
        ...done("auth.registered", { ...(await people.register("ada")), id }, sessionOf(client)),
        request_id: "a-trace-of-the-caller",
      },
    ]);
    expect(await eventsOf(target, added)).toEqual(["auth.registered"]);
  });

  test("logging in, out, and out everywhere", async () => {
    const ada = await people.register("ada");
    const client = stranger();
    const credentials = { login: ada.email, password: ada.password };
    const login = await leaves(ada, () => client.post(auth("login"), credentials, { headers }));
    expect(login.row).toMatchObject({
      ...done("auth.logged-in", ada, sessionOf(client)),
      reason: "by_password",
    });
    const session = sessionOf(client);
    const logout = await leaves(ada, () => client.post(auth("logout"), undefined, { headers }));
    expect(logout.row).toMatchObject(done("auth.logged-out", ada, session));
    const everywhere = await leaves(ada, () => ada.client.post(auth("logout-all"), undefined, { headers }));
    expect(everywhere.row).toMatchObject({ ...done("auth.logged-out", ada, null), reason: "all_sessions" });
  });

  test("revoking a session", async () => {
    const ada = await people.register("ada");
    const session = sessionOf(await ada.login());
    const revoked = await leaves(ada, () =>
      ada.client.post(auth(`sessions/${String(session)}/revoke`), {}, { headers }),
    );
    expect(revoked.row).toMatchObject(done("auth.session-revoked", ada, session));
  });

  test("C-07 theft: a swapped-out refresh secret that comes back", async () => {
    const ada = await people.register("ada");
    const { refresh } = secretsOf(ada.client);
    const session = sessionOf(ada.client);
    await ada.client.post(auth("refresh"));
    rows.letPass(11 * second);
    const theft = await leaves(ada, () => browserWith(target.url, { refresh }).post(auth("refresh"), {}, { headers }));
    expect(theft.answer.status).toBe(401);
    expect(theft.row).toMatchObject({
      ...done("auth.refresh-reused", ada, session),
      outcome: "failure",
      actor: "anonymous",
      actor_user_id: null,
    });
    await browserWith(target.url, { refresh }).post(auth("refresh"));
    expect(await audit.about(ada.id, 1, "auth.refresh-reused")).toHaveLength(1);
  });

  test("changing the password", async () => {
    const ada = await people.register("ada");
    const fields = { current_password: ada.password, new_password: next };
    const changed = await leaves(ada, () => ada.client.post(auth("change-password"), fields, { headers }));
    expect(changed.answer.status).toBe(200);
    expect(changed.row).toMatchObject(done("auth.password-changed", ada, sessionOf(ada.client)));
  });

  test("resetting the password: asked for, nothing; redeemed, one", async () => {
    const ada = await people.register("ada");
    await stranger().post(auth("password-reset/request"), { login: ada.email });
    const token = await mailedToken(mailbox, ada.email, "Reset your password");
    expect(await audit.about(ada.id, 1)).toHaveLength(1);
    const reset = await leaves(ada, () =>
      stranger().post(auth("password-reset/confirm"), { token, new_password: next }, { headers }),
    );
    expect(reset.row).toMatchObject(done("auth.password-reset", ada, null));
  });

  test("verifying the address", async () => {
    const ada = await people.register("ada");
    const token = await mailedToken(mailbox, ada.email, "Verify your email");
    const verified = await leaves(ada, () =>
      ada.client.post(auth("email-verification/confirm"), { token }, { headers }),
    );
    expect(verified.row).toMatchObject(done("auth.email-verified", ada, null));
  });

  test("changing the address, once its mailbox has confirmed it; other edits of the profile leave nothing", async () => {
    const ada = await people.register("ada");
    const fields = { email: `new.${ada.email}`, current_password: ada.password };
    expect((await ada.client.post(auth("profile"), fields, { headers })).status).toBe(200);
    const token = await mailedToken(mailbox, fields.email, "Verify your email");
    await ada.client.post(auth("email-verification/confirm"), { token }, { headers });
    await ada.client.post(auth("profile"), { display_name: "Ada L." });
    const [, asked, ...moved] = await audit.about(ada.id, 4);
    expect(asked).toMatchObject(done("auth.email-change-requested", ada, sessionOf(ada.client)));
    expect(moved.map(({ action }) => action).toSorted()).toEqual(["auth.email-changed", "auth.email-verified"]);
    for (const row of moved) expect(row).toMatchObject(done(String(row["action"]), ada, null));
    expect(await eventsOf(target, moved)).toHaveLength(2);
  });
});

describe("refusals", () => {
  const failed = (person: Person, reason: string) => ({
    ...done("auth.login-failed", person, null),
    outcome: "failure",
    reason,
    actor: "anonymous",
    actor_user_id: null,
  });

  test("a wrong password, an inactive account and one without a password leave one row each, with the reason", async () => {
    const [ada, grace, alan] = [
      await people.register("ada"),
      await people.register("grace"),
      await people.register("alan"),
    ];
    rows.run("update users set active = 0 where id = ?", grace.id);
    rows.run("update users set password_hash = null where id = ?", alan.id);
    const inactive = () =>
      stranger().post(auth("login"), { login: grace.email, password: grace.password }, { headers });
    expect((await leaves(ada, () => wrongly(ada.username))).row).toMatchObject(failed(ada, "wrong_password"));
    expect((await leaves(grace, inactive)).row).toMatchObject(failed(grace, "inactive"));
    expect((await leaves(alan, () => wrongly(alan.email))).row).toMatchObject(failed(alan, "no_password"));
  });

  test("a wrong current password names the session that gave it", async () => {
    const ada = await people.register("ada");
    const expected = {
      ...failed(ada, "wrong_current_password"),
      actor: "user",
      actor_user_id: ada.id,
      session_id: sessionOf(ada.client),
    };
    const fields = { current_password: "not the password", new_password: next, email: `new.${ada.email}` };
    for (const route of ["change-password", "profile"]) {
      const { row } = await leaves(ada, () => ada.client.post(auth(route), fields, { headers }));
      expect(row).toMatchObject(expected);
    }
  });

  test("the failure that locks leaves its own row and one for the lock; what is refused after it is counted in a row of its kind", async () => {
    const ada = await people.register("ada");
    for (let time = 1; time <= 12; time += 1) await wrongly(ada.email);
    await audit.about(ada.id, 1, "auth.locked");
    rows.letPass(16 * minute);
    await wrongly(ada.email);
    await audit.about(ada.id, 6, "auth.login-failed");
    const refused = await audit.about(ada.id, 2, "auth.attempt-refused");
    expect(refused.map(({ reason }) => reason).toSorted()).toEqual(["account_locked", "rate_limited"]);
    const isPublished = ({ action }: AuditRow): boolean => action !== "auth.attempt-refused";
    const added = (await audit.about(ada.id, 8)).slice(1).filter(isPublished);
    expect(added.map(({ action }) => action)).toEqual([
      ...Array<string>(5).fill("auth.login-failed"),
      "auth.locked",
      "auth.login-failed",
    ]);
    expect(added[5]).toMatchObject({ ...failed(ada, ""), action: "auth.locked", reason: null });
    expect((await eventsOf(target, added)).toSorted()).toEqual(added.map(({ action }) => String(action)).toSorted());
  });

  test("what was undone or refused before anything was tried leaves nothing", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const total = audit.all().length;
    const refused = [
      await stranger().post(auth("register"), { email: ada.email, password: next }),
      await ada.client.post(auth("sessions/00000000-0000-7000-8000-000000000000/revoke")),
      await ada.client.post(auth(`sessions/${String(sessionOf(grace.client))}/revoke`)),
      await ada.client.post(auth("profile"), { email: grace.email, current_password: ada.password }),
      await ada.client.post(auth("change-password"), { current_password: ada.password, new_password: "password1" }),
      await stranger().post(auth("password-reset/confirm"), { token: "no token", new_password: next }),
      await stranger().post(auth("email-verification/confirm"), { token: "no token" }),
      await stranger().post(auth("logout")),
      await stranger().post(auth("refresh")),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 404, 404, 409, 400, 401, 401, 401, 401]);
    expect(audit.all()).toHaveLength(total);
  });

  test("of racing requests that want the same, the one that wins leaves a row", async () => {
    const ada = await people.register("ada");
    const logouts = await Promise.all(Array.from({ length: 8 }, () => ada.client.copy().post(auth("logout"))));
    expect(logouts.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(await audit.about(ada.id, 1, "auth.logged-out")).toHaveLength(1);
    await stranger().post(auth("password-reset/request"), { login: ada.email });
    const token = await mailedToken(mailbox, ada.email, "Reset your password");
    const confirmations = await Promise.all(
      Array.from({ length: 8 }, () => stranger().post(auth("password-reset/confirm"), { token, new_password: next })),
    );
    expect(confirmations.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await audit.about(ada.id, 1, "auth.password-reset")).toHaveLength(1);
    const email = "raced@example.test";
    const racers = await Promise.all(
      Array.from({ length: 4 }, () => stranger().post(auth("register"), { email, password: next })),
    );
    const winner = racers.find(({ status }) => status === 200)?.textAt("user.id") ?? "nobody";
    expect(audit.all("action = 'auth.registered' and subject_user_id = ?", winner)).toHaveLength(1);
    expect(
      rows.count(
        "audit_events a where action = 'auth.registered' and not exists (select 1 from users u where u.id = a.subject_user_id)",
      ),
    ).toBe(0);
  });
});
