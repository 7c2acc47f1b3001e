import { describe, expect, test } from "bun:test";
import {
  appearance,
  auth,
  expectRefusal,
  isServed,
  mailedToken,
  minute,
  nextMail,
  second,
} from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { stage } from "../../support/stage.ts";

const password = "a long walk by the sea";
const subject = "Verify your email";

let newcomers = 0;
const { target, rows, mailbox } = await stage({ env: { AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true" } });

const stranger = () => createClient(target.url);
const register = (fields: Record<string, unknown>) => stranger().post(auth("register"), { password, ...fields });
const login = (email: string, secret = password) => stranger().post(auth("login"), { login: email, password: secret });
const confirm = async (email: string, browser = stranger()) =>
  browser.post(auth("email-verification/confirm"), { token: await mailedToken(mailbox, email, subject) });
const newcomer = (name: string): string => {
  newcomers += 1;
  return `${name}${newcomers}@example.test`;
};
/** Registers and verifies. */
async function member(name: string, fields: Record<string, unknown> = {}): Promise<string> {
  const email = newcomer(name);
  await register({ email, ...fields });
  expect((await confirm(email)).status).toBe(200);
  return email;
}

describe("where registering takes a verified address", () => {
  test("register answers that a verification is needed, opens no session, and mails the link", async () => {
    const email = newcomer("ada");
    const answer = await register({ email });
    expect({ status: answer.status, json: answer.json }).toEqual({
      status: 200,
      json: { ok: true, requires_email_verification: true },
    });
    expect(answer.setCookies).toEqual([]);
    expect(rows.count("auth_sessions")).toBe(0);
    await nextMail(mailbox, email, subject);
  });

  test("X-82 nor does an app get tokens in the answer", async () => {
    const email = newcomer("ada");
    const answer = await register({ email, delivery: "body" });
    expect(answer.json).toEqual({ ok: true, requires_email_verification: true });
    const refused = await stranger().post(auth("login"), { login: email, password, delivery: "body" });
    expect([refused.status, refused.at("code"), refused.at("tokens")]).toEqual([403, "email_not_verified", undefined]);
    expect(rows.count("auth_sessions")).toBe(0);
  });

  test("the right password gets 403 until the address is verified, and then a session", async () => {
    const email = newcomer("ada");
    await register({ email });
    const early = await login(email);
    expectRefusal(early, 403, "email not verified", "email_not_verified");
    expect(early.setCookies).toEqual([]);
    expect((await confirm(email)).at("user.email")).toBe(email);
    expect((await login(email)).status).toBe(200);
  });

  test("L-01 a wrong password looks like that of an unknown login: it does not tell that the address is unverified", async () => {
    const email = newcomer("ada");
    await register({ email });
    const wrong = await login(email, "not the password");
    expectRefusal(wrong, 401, "invalid credentials", "invalid_credentials");
    expect(appearance(wrong)).toEqual(appearance(await login("nobody@example.test", "not the password")));
  });

  test("a refused login re-sends the mail, at most once in five minutes, and is no failure of the password", async () => {
    const email = newcomer("ada");
    await register({ email });
    await nextMail(mailbox, email, subject);
    for (let times = 1; times <= 12; times += 1)
      expectRefusal(await login(email), 403, "email not verified", "email_not_verified");
    await nextMail(mailbox, await unverifiedMail(), subject);
    expect(mailbox.all().filter(({ recipients }) => recipients.includes(email))).toHaveLength(1);
    rows.letPass(5 * minute + second);
    expectRefusal(await login(email), 403, "email not verified", "email_not_verified");
    await nextMail(mailbox, email, subject);
  });

  test("a taken address gets the same answer as a free one, byte for byte, and its owner a mail", async () => {
    const email = await member("ada");
    const before = rows.get("select * from users where email = ?", email);
    const taken = await register({ email: email.toUpperCase(), password: "the attacker's own words" });
    const free = await register({ email: newcomer("grace"), password: "the attacker's own words" });
    expect(appearance(taken)).toEqual(appearance(free));
    await nextMail(mailbox, email, "You already have an account");
    expect(rows.get("select * from users where email = ?", email)).toEqual(before);
    expect((await login(email)).status).toBe(200);
    expectRefusal(await login(email, "the attacker's own words"), 401, "invalid credentials", "invalid_credentials");
  });

  test("G-10 the owner of a taken address is told at most 5 times an hour, whoever asks", async () => {
    const email = await member("ada");
    for (let times = 1; times <= 12; times += 1) expect((await register({ email })).status).toBe(200);
    const told = () => mailbox.all().filter(({ recipients }) => recipients.includes(email)).length - 1;
    for (let times = 1; times <= 5; times += 1) await nextMail(mailbox, email, "You already have an account");
    await nextMail(mailbox, await unverifiedMail(), subject);
    expect(told()).toBe(5);
  });

  test("the audit log has a registration, a refused one and a refused login; only the first is an account's", async () => {
    const email = newcomer("ada");
    await register({ email });
    await login(email);
    await register({ email });
    const about = (where: string) =>
      rows.count(`audit_events where ${where} and subject_user_id = (select id from users where email = ?)`, email);
    const refused = "outcome = 'failure' and actor = 'anonymous'";
    expect({
      registered: about("action = 'auth.registered' and outcome = 'success' and session_id is null"),
      refused: about(`action = 'auth.registration-refused' and reason = 'email_taken' and ${refused}`),
      login: about(`action = 'auth.login-failed' and reason = 'email_not_verified' and ${refused}`),
      all: about("1 = 1"),
    }).toEqual({ registered: 1, refused: 1, login: 1, all: 3 });
  });

  test("a taken address stays hidden whatever name is given with it", async () => {
    const email = await member("ada", { username: "countess" });
    const names = { taken: "countess", free: "somebody.new" };
    const withTaken = [
      await register({ email, username: names.taken }),
      await register({ email: newcomer("mallory"), username: names.taken }),
    ];
    for (const answer of withTaken) expectRefusal(answer, 409, "username already in use", "username_taken");
    const ofTaken = await register({ email, username: names.free });
    const ofFree = await register({ email: newcomer("mallory"), username: names.free });
    expect(appearance(ofTaken)).toEqual(appearance(ofFree));
  });

  test("a taken address does not tell by a weak password or a bad field either", async () => {
    const email = await member("ada");
    for (const fields of [
      { password: "short" },
      { password: "password123" },
      { username: "<b>" },
      { password: undefined },
    ]) {
      const [taken, free] = [
        await register({ email, ...fields }),
        await register({ email: newcomer("mallory"), ...fields }),
      ];
      expect(taken.status).toBe(400);
      expect(appearance(taken)).toEqual(appearance(free));
    }
  });

  test("a second registration of an unverified address changes nothing, so that nobody can take it over", async () => {
    const email = newcomer("ada");
    await register({ email });
    const before = rows.get("select * from users where email = ?", email);
    const again = await register({ email, password: "the attacker's own words", display_name: "Mallory" });
    expect(again.json).toEqual({ ok: true, requires_email_verification: true });
    expect(rows.get("select * from users where email = ?", email)).toEqual(before);
    await confirm(email);
    expect((await login(email)).status).toBe(200);
    expectRefusal(await login(email, "the attacker's own words"), 401, "invalid credentials", "invalid_credentials");
  });

  test("G-24 a new address counts once it is confirmed: until then the old one signs in, so that the verification can't be got round", async () => {
    const email = await member("ada");
    const client = stranger();
    await client.post(auth("login"), { login: email, password });
    const moved = newcomer("countess");
    const answer = await client.post(auth("profile"), { email: moved, current_password: password });
    expect(answer.at("user")).toMatchObject({ email, pending_email: moved });
    expect(answer.at("user.email_verified_at")).toBeString();
    expectRefusal(await login(moved), 401, "invalid credentials", "invalid_credentials");
    expect((await login(email)).status).toBe(200);
    await confirm(moved, client);
    expect(await isServed(client)).toBe(true);
    expect((await login(moved)).status).toBe(200);
  });

  test("G-28 moving to a taken address looks like moving to a free one, and its owner gets a mail", async () => {
    const [email, taken] = [await member("ada"), await member("grace")];
    const client = stranger();
    await client.post(auth("login"), { login: email, password });
    const move = (address: string) => client.post(auth("profile"), { email: address, current_password: password });
    const [toTaken, free] = [await move(taken), newcomer("free")];
    const toFree = await move(free);
    const look = (answer: typeof toFree, address: string) => {
      const { status, body, headers } = appearance(answer);
      return {
        status,
        body: body.replace(address, "ADDRESS"),
        headers: headers.filter(([name]) => name !== "content-length"),
      };
    };
    expect(look(toTaken, taken)).toEqual(look(toFree, free));
    await nextMail(mailbox, taken, "Your address was given for another account");
    await nextMail(mailbox, free, subject);
  });

  test("L-70 an export does not tell whether the address that its account wants to have is taken", async () => {
    const [ada, grace] = [await member("ada"), await member("grace")];
    const exported: unknown[] = [];
    const began = Date.now();
    for (const [own, email] of [
      [ada, grace],
      [await member("eve"), newcomer("nobody")],
    ] as const) {
      const browser = stranger();
      await browser.post(auth("login"), { login: own, password });
      expect((await browser.post(auth("profile"), { email, current_password: password })).status).toBe(200);
      await eventually("no job is left", async () => rows.count("jobs where state = 'pending'") === 0);
      const answer = await browser.get(auth("account/export"));
      expect(answer.status).toBe(200);
      const shown = JSON.stringify([answer.at("mailed_links"), answer.at("mails"), answer.at("jobs")]);
      exported.push(shown.replaceAll(own, "OWN").replaceAll(/"\d{4}-[^"]*Z"/g, '"WHEN"'));
    }
    expect(exported[1]).toEqual(exported[0]);
    // Whoever helps Ada sees what became of the mails all the same.
    const kept = rows.all(
      `select m.state, m.reason from mails m join users u on u.id = m.user_id
       where m.kind = 'email_change_link' and m.requested_at >= ? order by m.requested_at`,
      began,
    );
    expect(kept).toEqual([
      { state: "withheld", reason: "address_taken" },
      { state: "sent", reason: null },
    ]);
  });
});

/** Registers somebody whose mail comes after all that were asked for before. */
async function unverifiedMail(): Promise<string> {
  const email = newcomer("last");
  await register({ email });
  return email;
}

test("A-98 an address that an account has left is told of others who want it, and the address that the account has now is not", async () => {
  const [email, other] = [await member("ada"), await member("grace")];
  const moved = newcomer("thief");
  const [thief, grace] = [stranger(), stranger()];
  await thief.post(auth("login"), { login: email, password });
  expect((await thief.post(auth("profile"), { email: moved, current_password: password })).status).toBe(200);
  expect((await confirm(moved)).status).toBe(200);
  await nextMail(mailbox, email, "Your email address was changed");
  const before = mailbox.all().length;
  expect((await register({ email })).at("requires_email_verification")).toBe(true);
  await nextMail(mailbox, email, "You already have an account");
  await grace.post(auth("login"), { login: other, password });
  expect((await grace.post(auth("profile"), { email, current_password: password })).status).toBe(200);
  await nextMail(mailbox, email, "Your address was given for another account");
  const since = mailbox.all().slice(before);
  expect(since.filter(({ recipients }) => recipients.includes(moved))).toEqual([]);
});
