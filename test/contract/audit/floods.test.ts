import { beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { auth, calm, createPeople, inParallel, minute, nextMail, mailTo } from "../../support/auth.ts";
import { eventually } from "../../support/log.ts";
import { openRows } from "../../support/rows.ts";
import { createClient } from "../../support/client.ts";
import { startMailbox } from "../../support/smtp.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";
import { readAudit } from "./audit.fixture.ts";
import { folderOfEachTest } from "../../support/folder.ts";

const folder = folderOfEachTest();

endTargetsAfterEach();
let path: string;
beforeEach(async () => {
  path = join(folder(), "app.db");
});

const login = (target: Target, name: string, password = "not the password") =>
  createClient(target.url).post(auth("login"), { login: name, password });

describe("logins that are no account", () => {
  test("are counted by address, without what was typed: people type passwords there", async () => {
    const target = await startTarget({ env: { ...calm, DB_DATABASE: path } });
    const typed = Array.from({ length: 40 }, (_, index) => `correct horse battery ${index}`);
    await inParallel(4, typed, async (name) => {
      expect((await login(target, name)).status).toBe(401);
    });
    using opened = openRows(path);
    const audit = readAudit(opened);
    await target.stop();
    const rows = audit.all();
    const text = JSON.stringify(rows) + target.logs();
    expect(text).not.toContain("correct horse");
    for (const row of rows) {
      expect(row).toMatchObject({ action: "auth.login-failed", outcome: "failure", reason: "unknown_login" });
      expect(row).toMatchObject({ subject_user_id: null, actor_user_id: null, address: "127.0.0.1" });
    }
    // No attempt is lost, and all of them make few rows.
    expect(rows.reduce((sum, { count }) => sum + Number(count), 0)).toBe(typed.length);
    expect(rows.length).toBeWithin(1, 5);
  });

  test("lock as an account does, in rows of their own, and nobody gets a mail", async () => {
    const mailbox = await startMailbox();
    const target = await startTarget({ env: { ...calm, ...mailTo(mailbox), DB_DATABASE: path } });
    for (let time = 0; time < 5; time += 1) await login(target, "nobody@example.test");
    await target.stop();
    using opened = openRows(path);
    const audit = readAudit(opened);
    const counts = new Map<unknown, number>();
    for (const { action, count } of audit.all()) counts.set(action, (counts.get(action) ?? 0) + Number(count));
    expect([...counts]).toEqual([
      ["auth.login-failed", 5],
      ["auth.locked", 1],
    ]);
    expect(mailbox.all()).toEqual([]);
    await mailbox.stop();
  });
});

describe("a lock", () => {
  const subject = "Sign-in to your account is locked for a while";

  test("is told to the owner once, not once an attempt; the next lock is told again", async () => {
    const mailbox = await startMailbox();
    const target = await startTarget({ env: { ...calm, ...mailTo(mailbox), DB_DATABASE: path } });
    const rows = openRows(path);
    const ada = await createPeople(target.url).register("ada");
    rows.prove(ada);
    const locks = (): number => mailbox.all().filter((mail) => mail.subject === subject).length;
    for (let time = 0; time < 9; time += 1) await login(target, ada.email);
    const notice = await nextMail(mailbox, ada.email, subject);
    expect(notice.text).not.toContain("not the password");
    rows.letPass(16 * minute);
    for (let time = 0; time < 9; time += 1) await login(target, ada.email);
    await nextMail(mailbox, ada.email, subject);
    // Any other mail would have arrived before this one.
    await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
    await nextMail(mailbox, ada.email, "Reset your password");
    expect(locks()).toBe(2);
    rows.close();
    await target.stop();
    await mailbox.stop();
  });

  test("G-10 is told five times an hour at most, however often an attacker brings it about", async () => {
    const mailbox = await startMailbox();
    const env = { AUTH_LOGIN_LOCKOUT_ATTEMPTS: "1", AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000000" };
    const target = await startTarget({ env: { ...calm, ...env, ...mailTo(mailbox), DB_DATABASE: path } });
    const rows = openRows(path);
    const ada = await createPeople(target.url).register("ada");
    rows.prove(ada);
    for (let time = 0; time < 13; time += 1) {
      expect((await login(target, ada.email)).status).toBe(423);
      // The locks last 15 minutes; the counter of the mails lasts an hour.
      rows.run("delete from auth_attempts where expires_at < ?", Date.now() + 20 * minute);
    }
    using opened = openRows(path);
    const audit = readAudit(opened);
    await audit.about(ada.id, 13, "auth.locked");
    for (let time = 0; time < 5; time += 1) await nextMail(mailbox, ada.email, subject);
    // Strangers cause ten mails an hour at most. Those beyond the five are enqueued one by one, after the rows of the log.
    const withheld = "select sum(count) as n from mails where user_id = ? and state = 'withheld'";
    await eventually("the rest is withheld", () => Number(rows.get(withheld, ada.id)["n"]) === 5);
    await eventually("no notice is left", () => rows.count("jobs where name = 'auth:send-notice'") === 0);
    // Everything that is under way has been written by then.
    await target.stop();
    expect(rows.count("jobs where name = 'auth:send-notice'")).toBe(0);
    expect(mailbox.all().filter((mail) => mail.subject === subject)).toHaveLength(5);
    rows.close();
    await mailbox.stop();
  });
});
