import { describe, expect, test } from "bun:test";
import { auth, mailedToken, minute, second } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { stage } from "../../support/stage.ts";
import { readAudit } from "./audit.fixture.ts";

const { target, rows, people, mailbox } = await stage({
  env: { AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "8", AUTH_IP_LOGIN_FAILURES: "60", AUTH_IP_RATE_LIMIT_ATTEMPTS: "30" },
});
const audit = readAudit(rows);
const login = (name: string, password = "not the password") =>
  createClient(target.url).post(auth("login"), { login: name, password });
const sum = (found: readonly { readonly [column: string]: unknown }[]): number =>
  found.reduce((total, { count }) => total + Number(count), 0);

/** Resolves to the rows about refusals that count up to `total`, once they are written. Each kind gets one row at once and one a minute. */
async function counting(total: number, where: string, ...params: string[]) {
  const read = () => audit.all(`action in ('auth.attempt-refused', 'auth.request-refused') and ${where}`, ...params);
  // The first row of a kind is written at once. Later ones wait for their minute, or for the end of the process.
  await eventually("a row is written", async () => read().length > 0);
  expect(sum(read())).toBeLessThanOrEqual(total);
  return read();
}

describe("X-94 what a lock or a limit refuses is in the audit log, folded", () => {
  test("logins refused with 423, and whose account they are at", async () => {
    const ada = await people.register("ada");
    for (let time = 0; time < 5; time += 1) await login(ada.email);
    const [first] = await Promise.all(Array.from({ length: 3 }, () => login(ada.email, ada.password)));
    expect(first?.status).toBe(423);
    const [row, ...others] = await counting(3, "subject_user_id = ?1", ada.id);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      action: "auth.attempt-refused",
      outcome: "failure",
      reason: "account_locked",
      actor: "anonymous",
      address: "127.0.0.1",
    });
  });

  test("logins refused with 429, of a name and of an address, without the name", async () => {
    rows.forgive();
    const name = "nobody-of-that-name@example.test";
    for (let time = 0; time < 5; time += 1) await login(name);
    while ((await login(name)).status !== 429);
    const [limited] = await counting(10, "reason = 'rate_limited'");
    expect(limited).toMatchObject({ action: "auth.attempt-refused", subject_user_id: null, address: "127.0.0.1" });
    for (let names = 0; names < 60; names += 1) await login(`nobody-${names}@example.test`);
    const [overall] = await counting(60, "reason = 'address_limited'");
    expect(overall).toMatchObject({ action: "auth.attempt-refused", subject_user_id: null });
    expect(JSON.stringify(audit.all())).not.toContain("nobody");
    rows.forgive();
  });

  test("requests refused with 429, by what was asked for", async () => {
    for (let time = 0; time < 32; time += 1)
      await createClient(target.url).post(auth("password-reset/request"), { login: "nobody@example.test" });
    const [row] = await counting(2, "action = 'auth.request-refused'");
    expect(row).toMatchObject({
      reason: "password_reset",
      outcome: "failure",
      subject_user_id: null,
      address: "127.0.0.1",
    });
    rows.forgive();
  });

  test("a session that guesses is told with its user", async () => {
    const ada = await people.register("ada");
    const guess = () => ada.client.post(auth("reauthenticate"), { current_password: "not the password" });
    for (let time = 0; time < 5; time += 1) await guess();
    expect((await guess()).status).toBe(423);
    const [row] = await counting(1, "subject_user_id = ?1", ada.id);
    expect(row).toMatchObject({ reason: "account_locked", actor: "user", actor_user_id: ada.id });
    expect(row?.["session_id"]).toBeString();
  });
});

describe("X-95 the lock of an account tells when it ends, and what ended it before", () => {
  test("its row has the time, and the row of the reset is followed by one that says that it is lifted", async () => {
    const ada = await people.register("ada");
    const before = Date.now();
    for (let time = 0; time < 5; time += 1) await login(ada.email);
    const [locked] = await audit.about(ada.id, 1, "auth.locked");
    expect(locked?.["ends_at"]).toBeWithin(before + 15 * minute, Date.now() + 15 * minute + second);

    await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
    const token = await mailedToken(mailbox, ada.email, "Reset your password");
    const body = { token, new_password: "another walk by the sea" };
    expect((await createClient(target.url).post(auth("password-reset/confirm"), body)).status).toBe(200);
    const [unlocked] = await audit.about(ada.id, 1, "auth.user-unlocked");
    expect(unlocked).toMatchObject({ actor: "user", reason: "password_reset", outcome: "success", ends_at: null });
    // Without a lock there is nothing to record.
    rows.letPass(6 * minute);
    await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
    const again = {
      token: await mailedToken(mailbox, ada.email, "Reset your password"),
      new_password: "a third walk by the sea",
    };
    expect((await createClient(target.url).post(auth("password-reset/confirm"), again)).status).toBe(200);
    expect(await audit.about(ada.id, 2, "auth.password-reset")).toHaveLength(2);
    expect(audit.all("action = 'auth.user-unlocked' and subject_user_id = ?1", ada.id)).toHaveLength(1);
  });
});
