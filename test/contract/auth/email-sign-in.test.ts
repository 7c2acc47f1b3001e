import { describe, expect, test } from "bun:test";
import {
  appearance,
  auth,
  cookieNames,
  expectRefusal,
  isServed,
  minute,
  nextMail,
  type Person,
  signInSubject,
} from "../../support/auth.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { giveAuthenticator } from "../../support/factor.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";

const env = { APP_URL: "https://id.example.test", AUTH_EMAIL_LOGIN_ENABLED: "true", AUTH_LOGIN_LOCKOUT_ATTEMPTS: "8" };
const { target, rows, mailbox, people, browser } = await stage({ env });

const ask = (client: Client, login: string): Promise<Answer> => client.post(auth("email-login/request"), { login });
const confirm = (client: Client, body: object): Promise<Answer> => client.post(auth("email-login/confirm"), body);

/** Resolves to the next mail to the person, with its link and its code. */
async function mailed({ email }: Pick<Person, "email">) {
  const mail = await nextMail(mailbox, email, signInSubject);
  const token = /^https:\/\/id\.example\.test\/email-login\?token=([\w-]{43})$/m.exec(mail.text)?.[1] ?? "";
  const code = /^(\d{6})$/m.exec(mail.text)?.[1] ?? "";
  return { mail, token, code, wrong: code === "000000" ? "111111" : "000000" };
}

/** Resolves to a browser that has asked for a mail, and to the mail. */
async function asked(person: Pick<Person, "email">) {
  const client = browser();
  expect((await ask(client, person.email)).status).toBe(200);
  return { client, ...(await mailed(person)) };
}

const expectInvalid = (answer: Answer): void => {
  expectRefusal(answer, 401, "invalid code", "invalid_code");
  expect(answer.setCookies).toEqual([]);
};

describe("a sign-in by mail", () => {
  test("M-40 is refused unless it is switched on, whatever was sent", async () => {
    const off = await startTarget();
    try {
      for (const route of ["email-login/request", "email-login/confirm"])
        for (const body of [{}, { login: "ada" }, { token: "x" }]) {
          const answer = await createClient(off.url).post(auth(route), body);
          expectRefusal(answer, 403, "sign-in by email is off", "email_login_disabled");
          expect(answer.setCookies).toEqual([]);
        }
    } finally {
      await off.stop();
    }
  });

  test("mails a link and a code, and each of them opens one session", async () => {
    const ada = await people.register("ada");
    const { client, mail, token, code } = await asked(ada);
    // A lock screen shows the beginning of the subject, and a reader of the mail sees the code first.
    expect(mail.subject).toBe(`${code} is your code`);
    for (const text of [mail.text, mail.html]) expect(text.indexOf(code)).toBeLessThan(text.indexOf(token));
    expect(mail.html).toContain(`href="https://id.example.test/email-login?token=${token}"`);
    expect(mail.html).toContain(`>${code}</p>`);
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    const signedIn = await confirm(client, { login: ada.username.toUpperCase(), code: spaced });
    expect(signedIn.status).toBe(200);
    expect(signedIn.at("user.email")).toBe(ada.email);
    expect(cookieNames(signedIn)).toEqual(["auth_access", "auth_device", "auth_email_login", "auth_refresh"]);
    expect(await isServed(client)).toBe(true);
    const how = "audit_events where action = 'auth.logged-in' and reason = 'by_email' and subject_user_id = ?";
    expect(rows.count(how, ada.id)).toBe(1);
    // The sign-in used up the code, and the link went with it.
    expectInvalid(await confirm(browser(), { token }));
    expectInvalid(await confirm(client, { login: ada.email, code }));
  });

  test("a confirmation without one of its fields is told which", async () => {
    for (const [body, missing] of [
      [{}, "token"],
      [{ login: "ada@example.test" }, "code"],
      [{ code: "123456" }, "login"],
    ] as const) {
      const answer = await confirm(browser(), body);
      expectRefusal(answer, 400, "invalid payload", "invalid_payload");
      expect(answer.json).toMatchObject({ fields: { [missing]: { code: "required" } } });
    }
  });

  test("M-43 the link works in any browser, the code in the one that asked alone", async () => {
    const ada = await people.register("ada");
    const { client, token, code } = await asked(ada);
    const other = browser();
    await ask(other, "nobody@example.test");
    for (const wrong of [browser(), other]) expectInvalid(await confirm(wrong, { login: ada.email, code }));
    const grace = await people.register("grace");
    expectInvalid(await confirm(client, { login: grace.email, code }));
    const remembered = await confirm(browser(), { token, remember: true });
    expect(remembered.setCookies.find(({ name }) => name === "auth_refresh")?.attributes.has("max-age")).toBe(true);
  });

  test("M-43 a browser that asks again soon keeps its code, and a later mail has a new one", async () => {
    const ada = await people.register("ada");
    const { client, code } = await asked(ada);
    await ask(client, ada.email);
    rows.run(
      "update auth_grants set requested_at = requested_at - ?, created_at = created_at - 1 where user_id = ?",
      6 * minute,
      ada.id,
    );
    await ask(client, ada.email);
    const second = await mailed(ada);
    if (second.code !== code) expectInvalid(await confirm(client, { login: ada.email, code }));
    expect((await confirm(client, { login: ada.email, code: second.code })).status).toBe(200);
  });

  test("M-44 a code takes five tries, and wrong ones lock the name as wrong passwords do; the link goes on", async () => {
    const ada = await people.register("ada");
    const { client, token, code, wrong } = await asked(ada);
    for (let tries = 0; tries < 5; tries += 1) expectInvalid(await confirm(client, { login: ada.email, code: wrong }));
    expectInvalid(await confirm(client, { login: ada.email, code }));
    for (let tries = 0; tries < 2; tries += 1) await confirm(client, { login: ada.email, code: wrong });
    const locked = await browser().post(auth("login"), { login: ada.email, password: ada.password });
    expectRefusal(locked, 423, "account locked", "account_locked");
    expectRefusal(await confirm(client, { login: ada.email, code }), 423, "account locked", "account_locked");
    expect((await confirm(browser(), { token })).status).toBe(200);
  });

  test("M-44 guesses at once get no more tries", async () => {
    const ada = await people.register("ada");
    const { client, wrong } = await asked(ada);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => confirm(client.copy(), { login: ada.email, code: wrong })),
    );
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(8);
    const grant = rows.get("select id from auth_grants where user_id = ? and purpose = 'email_login'", ada.id);
    expect(grant).toBeDefined();
    expect(await isServed(client)).toBe(false);
  });

  test("M-42 of 20 uses of one mail at once in two processes one signs in", async () => {
    const ada = await people.register("ada");
    const beside = await startTarget({
      env: { ...env, DB_DATABASE: target.databasePath },
      migrate: false,
      roles: ["http"],
    });
    try {
      const { client, token, code } = await asked(ada);
      const secret = client.cookie("auth_email_login") ?? "";
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => {
          const each = createClient(index % 2 === 0 ? target.url : beside.url);
          each.setCookie("auth_email_login", secret);
          return confirm(each, index % 4 < 2 ? { token } : { login: ada.email, code });
        }),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(rows.count(`auth_sessions where user_id = '${ada.id}'`)).toBe(2);
    } finally {
      await beside.stop();
    }
  });
});

describe("the silence of a sign-in by mail", () => {
  test("M-41 a request is answered the same whether or not there is such an account, and looks nobody up", async () => {
    const ada = await people.register("ada");
    const grace = await people.register("grace");
    rows.run("update users set active = 0 where id = ?", grace.id);
    const shown = async (login: string) => {
      const answer = await ask(browser(), login);
      const [cookie] = answer.setCookies;
      expect(cookie?.value).toMatch(/^[\w-]{43}$/);
      expect([...(cookie?.attributes ?? [])]).toEqual(
        expect.arrayContaining([
          ["httponly", ""],
          ["samesite", "Lax"],
          ["max-age", "600"],
        ]),
      );
      return appearance(answer).status === 200 ? answer.json : answer.text;
    };
    for (const login of [ada.email, grace.email, "nobody@example.test", "constructor"])
      expect(await shown(login)).toEqual({ ok: true });
    await mailed(ada);
    const sent = mailbox.all().filter(({ subject }) => signInSubject.test(subject));
    expect(sent.filter(({ recipients }) => recipients.includes(grace.email))).toEqual([]);
  });

  test("M-41 a wrong code gets the same answers for an account, for none and for one that is switched off", async () => {
    const ada = await people.register("ada");
    const grace = await people.register("grace");
    const { client, wrong } = await asked(ada);
    const off = await asked(grace);
    rows.run("update users set active = 0 where id = ?", grace.id);
    const nobody = browser();
    await ask(nobody, "nobody@example.test");
    const asksOf = {
      known: () => confirm(client, { login: ada.email, code: wrong }),
      unknown: () => confirm(nobody, { login: "nobody@example.test", code: wrong }),
      inactive: () => confirm(off.client, { login: grace.email, code: off.code }),
    };
    for (let tries = 0; tries < 9; tries += 1) {
      const [known, unknown, inactive] = [await asksOf.known(), await asksOf.unknown(), await asksOf.inactive()];
      expect([unknown.status, inactive.status]).toEqual([known.status, known.status]);
      expect([unknown.at("code"), inactive.at("code")]).toEqual([known.at("code"), known.at("code")]);
    }
    expectInvalid(await confirm(browser(), { token: off.token }));
  });
});

describe("what a mail that signs in is worth", () => {
  test("M-45 nothing of it is in the database", async () => {
    const ada = await people.register("ada");
    const { client, token, code } = await asked(ada);
    const stored = JSON.stringify([
      rows.all("select * from auth_grants where user_id = ?", ada.id),
      rows.all("select * from jobs"),
      rows.all("select * from mails"),
    ]);
    for (const secret of [token, client.cookie("auth_email_login") ?? ""]) expect(stored).not.toContain(secret);
    const codes = new Set(rows.all("select code_hash from auth_grants").map((row) => JSON.stringify(row)));
    expect([...codes].some((hash) => hash.includes(code))).toBe(false);
  });

  test("M-46 the first proof of an address ends what the account held before, its password and second factors included", async () => {
    const ada = await people.register("ada");
    giveAuthenticator(rows, ada);
    expect(await isServed(ada.client)).toBe(true);
    const { client, code } = await asked(ada);
    const signedIn = await confirm(client, { login: ada.email, code });
    expect(signedIn.status).toBe(200);
    expect(signedIn.at("user.email_verified_at")).toBeString();
    expect(await isServed(ada.client)).toBe(false);
    expect((await browser().post(auth("login"), { login: ada.email, password: ada.password })).status).toBe(401);
    const actions = rows
      .all("select action from audit_events where subject_user_id = ?", ada.id)
      .map((row) => JSON.stringify(row));
    for (const action of ["auth.email-verified", "auth.session-revoked", "auth.factors-reset", "auth.logged-in"])
      expect([action, actions.some((each) => each.includes(action))]).toEqual([action, true]);
  });

  test("M-46 an account whose address is proven keeps its sessions and its password", async () => {
    const ada = await people.register("ada");
    rows.run("update users set email_verified_at = 1 where id = ?", ada.id);
    const { token } = await asked(ada);
    expect((await confirm(browser(), { token })).status).toBe(200);
    expect(await isServed(ada.client)).toBe(true);
    await ada.login();
  });

  test("M-48 an account with a second factor is asked for it, and the mail is used up", async () => {
    const ada = await people.register("ada");
    rows.run("update users set email_verified_at = 1, factors = 1 where id = ?", ada.id);
    const { client, token, code } = await asked(ada);
    const answer = await confirm(client, { login: ada.email, code });
    expectRefusal(answer, 401, "a second factor is required", "mfa_required");
    expect(answer.at("challenge")).toBeString();
    expect(cookieNames(answer)).toEqual(["auth_challenge"]);
    expect(await isServed(client)).toBe(false);
    expectInvalid(await confirm(browser(), { token }));
  });

  test.each([
    [
      "a new password",
      ({ client, password }: Person) =>
        client.post(auth("change-password"), { current_password: password, new_password: "another walk by the sea" }),
    ],
    [
      "the end of its time",
      ({ id }: Person) => rows.run("update auth_grants set expires_at = 1 where user_id = ?", id),
    ],
    [
      "another address",
      ({ id }: Person) => rows.run("update users set email_key = ? where id = ?", `${id}@example.test`, id),
    ],
  ])("M-47 it is void after %s", async (_, change) => {
    const ada = await people.register("ada");
    const { client, token, code } = await asked(ada);
    await change(ada);
    expectInvalid(await confirm(browser(), { token }));
    expectInvalid(await confirm(client, { login: ada.username, code }));
  });
});
