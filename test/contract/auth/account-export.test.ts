import { describe, expect, test } from "bun:test";
import { auth, browserWith, expectRefusal, nextMail, secretsOf } from "../../support/auth.ts";
import { setUpTotp } from "../../support/factors.ts";
import { stage } from "../../support/stage.ts";

const { target, people, rows, browser, mailbox } = await stage();
const path = auth("account/export");

describe("GET /account/export", () => {
  test("A-07 holds all that is kept of its user, as a file, and no secret or hash", async () => {
    const ada = await people.register("ada", { display_name: "Ada Lovelace" });
    await nextMail(mailbox, ada.email, "Verify your email");
    await ada.client.post(auth("profile"), { timezone: "Europe/Vienna", avatar_url: "https://people.test/ada.png" });
    await (await ada.login()).post(auth("logout"));
    await browser().post(auth("login"), { login: ada.email, password: "wrong" });
    rows.run(
      `insert into auth_identities (id, user_id, provider, issuer, subject, email, username, linked_at, last_login_at)
       values ('identity', ?, 'google', 'https://accounts.example', 'subject-1', 'ada@people.test', null, 1, null)`,
      ada.id,
    );
    rows.run(
      `insert into jobs (id, queue, app, name, payload, state, attempts, max_attempts, available_at, created_at)
       values ('waiting', 'default', 'nobody', 'auth:send-notice', ?, 'pending', 0, 1, 0, 0)`,
      JSON.stringify({ notice: "password_changed", user_id: ada.id }),
    );
    for (let waited = 0; waited < 100; waited += 1) {
      if (rows.count("audit_events where action = 'auth.login-failed' and subject_user_id = ?", ada.id) > 0) break;
      await Bun.sleep(20);
    }

    const answer = await ada.client.get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="account-\d{4}-\d\d-\d\d\.json"$/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.at("user")).toMatchObject({ id: ada.id, email: ada.email, timezone: "Europe/Vienna" });
    expect(answer.at("identities.0")).toMatchObject({ provider: "google", subject: "subject-1" });
    expect(answer.at("mailed_links.0")).toMatchObject({ purpose: "email_verification", email: ada.email });
    expect(answer.at("jobs.0")).toMatchObject({ name: "auth:send-notice", state: "pending" });
    expect(answer.at("sessions.0.revoked_at")).toBeString();
    expect(answer.at("sessions.1.ip_address")).toBe("127.0.0.1");
    expect(answer.at("events.0.action")).toBe("auth.login-failed");
    expect(answer.at("next")).toBeNull();

    const kept = [
      ...rows.all("select password_hash from users where id = ?", ada.id),
      ...rows.all("select secret_hash from auth_sessions where user_id = ?", ada.id),
      ...rows.all("select token_hash from auth_grants where user_id = ?", ada.id),
    ].flatMap((row) => Object.values(row));
    expect(kept.length).toBeGreaterThan(3);
    for (const secret of kept) expect(answer.text).not.toContain(String(secret));
    expect(answer.text.replace('"personal_tokens":[]', "")).not.toMatch(/hash|secret|token/);
  });

  test("A-07 has every column of the user's rows but what is a secret or serves only the service", async () => {
    const left = new Set([
      "password_hash",
      "secret_hash",
      "token_hash",
      "code_hash",
      "browser_hash",
      "username_key",
      "email_key",
      "pending_email_key",
    ]);
    for (const column of [
      "user_id",
      "updated_at",
      "device_epoch",
      "factors",
      "display_name_key",
      "generation",
      "rotated_at",
      "request_id",
      "password_at_least",
      "short_address",
      "pending_email_since",
      "pending_email_epoch",
      "hold_epoch",
      "requested_at",
      "mailed",
      "address_key",
      // Shown with its name, as `client`.
      "client_id",
      // Shown with its name, as `impersonator`.
      "impersonator_id",
      "parent_id",
      "standing",
    ])
      left.add(column);
    const ada = await people.register("ada");
    await nextMail(mailbox, ada.email, "Verify your email");
    const { text } = await ada.client.get(path);
    const tables = rows.tables();
    for (const table of ["users", "auth_sessions", "auth_grants", "auth_identities", "mails"]) {
      const columns = tables.get(table) ?? [];
      const known = text.includes('"identities":[]')
        ? `${text}"provider" "issuer" "subject" "username" "linked_at" "last_login_at"`
        : text;
      expect(columns).not.toEqual([]);
      expect(columns.filter((name) => !left.has(name) && !known.includes(`"${name}"`))).toEqual([]);
    }
  });

  test("M-26 names the second factors, and nothing that one could be copied by", async () => {
    const ada = await people.register("ada");
    const { secret, recoveryCodes } = await setUpTotp(ada);
    const { text, ...answer } = await ada.client.get(path);
    expect(answer.at("factors")).toMatchObject([{ method: "totp", name: null, added_at: expect.any(String) }]);
    expect(answer.at("recovery_codes_left")).toBe(10);
    expect([secret, ...recoveryCodes].filter((hidden) => text.includes(hidden))).toEqual([]);
  });

  test("A-07 shows nothing of anybody else, and no address of an operator", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    rows.run(
      `insert into audit_events (id, at, app, action, outcome, actor, subject_user_id, address, user_agent, count)
       values (?, 9999999999999, 'admin', 'auth.session-revoked', 'success', 'operator', ?, '198.51.100.7', 'an operator', 1)`,
      crypto.randomUUID(),
      ada.id,
    );
    const { text } = await ada.client.get(path);
    expect(text).toContain('"actor":"operator"');
    for (const other of [grace.id, grace.email, grace.username, "198.51.100.7", "an operator"])
      expect(text).not.toContain(other);
  });

  test("X-96 says why a session was ended", async () => {
    const ada = await people.register("ada");
    const stolen = browserWith(target.url, secretsOf(ada.client));
    await ada.client.post(auth("refresh"));
    rows.run("update auth_sessions set rotated_at = rotated_at - 60000 where user_id = ?", ada.id);
    expect((await stolen.post(auth("refresh"))).status).toBe(401);
    await (await ada.login()).post(auth("logout"));
    const answer = await (await ada.login()).get(path);
    const reasons = [0, 1, 2].map((index) => answer.at(`sessions.${index}.revoked_reason`));
    expect(reasons).toEqual([null, "logged_out", "refresh_reused"]);
  });

  test("A-08 takes a sign-in that is ten minutes old at most, or the password given again", async () => {
    expectRefusal(await browser().get(path), 401, "unauthorized", "unauthorized");
    const ada = await people.register("ada");
    rows.run("update auth_sessions set proved_at = proved_at - 601000 where user_id = ?", ada.id);
    expectRefusal(await ada.client.get(path), 403, "reauthentication required", "reauthentication_required");
    await ada.client.post(auth("reauthenticate"), { current_password: ada.password });
    expect((await ada.client.get(path)).status).toBe(200);
  });

  test("gives a long log page by page, each row once, and 60 pages an hour", async () => {
    const ada = await people.register("ada");
    const insert = `insert into audit_events (id, at, app, action, outcome, actor, subject_user_id, count)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 4500)
      select '00000000-0000-4000-8000-' || substr(cast(1000000000000 + i as text), 2), 1000 + i / 7, 'app', 'auth.login-failed', 'failure', 'anonymous', ?, 1 from n`;
    rows.run(insert, ada.id);
    const ids: string[] = [];
    let next: unknown = "";
    for (let page = 0; page < 3; page += 1) {
      const answer = await ada.client.get(next === "" ? path : `${path}?events_before=${String(next)}`);
      const events: unknown = answer.at("events");
      if (!Array.isArray(events)) throw new Error("no events");
      for (const { id } of events) ids.push(String(id));
      next = answer.at("next");
    }
    expect(next).toBeNull();
    expect(ids.length).toBe(rows.count("audit_events where subject_user_id = ?", ada.id));
    expect(new Set(ids).size).toBe(ids.length);
    const astray = await ada.client.get(`${path}?events_before=nowhere`);
    expectRefusal(astray, 400, "invalid payload", "invalid_payload");
    for (let pages = 3; pages < 60; pages += 1) expect((await ada.client.get(path)).status).toBe(200);
    expect((await ada.client.get(path)).status).toBe(429);
  });
});
