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
  type Person,
} from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const appUrl = "https://id.example.test";
const subject = "Reset your password";

const { target, rows, mailbox, people } = await stage({ env: { APP_URL: appUrl } });

const stranger = () => createClient(target.url);
const request = (login: string, headers: Record<string, string> = {}) =>
  stranger().post(auth("password-reset/request"), { login }, { headers });
async function tokenFor({ email }: Person): Promise<string> {
  await request(email);
  return mailedToken(mailbox, email, subject);
}

describe("POST /password-reset/request", () => {
  test("answers nothing but ok, and mails a link in text and HTML", async () => {
    const ada = await people.register("ada");
    const answer = await request(ada.email);
    expect({ status: answer.status, json: answer.json, cookies: answer.setCookies }).toEqual({
      status: 200,
      json: { ok: true },
      cookies: [],
    });
    const mail = await nextMail(mailbox, ada.email, subject);
    const link = /^https:\/\/id\.example\.test\/reset-password\?token=([\w-]{43})$/m.exec(mail.text);
    expect(link).not.toBeNull();
    expect(mail.html).toContain(`href="${link?.[0]}"`);
    expect(mail.recipients).toEqual([ada.email]);
  });

  test("takes the user name as well as the address", async () => {
    const ada = await people.register("ada");
    await request(ada.username.toUpperCase());
    await nextMail(mailbox, ada.email, subject);
  });

  test.each([
    ["an empty body", undefined],
    ["no login", {}],
    ["an empty login", { login: "" }],
    ["spaces", { login: "  " }],
  ])("refuses %s", async (_, body) => {
    const answer = await stranger().post(auth("password-reset/request"), body);
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
    expect(answer.at("fields")).toEqual({ login: { code: "required", message: "This is required." } });
  });

  test("refuses a login that is no text", async () => {
    const answer = await stranger().post(auth("password-reset/request"), { login: ["ada"] });
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
  });

  test("G-01 a known, an unknown, a disabled and a passwordless account get the same answer, byte for byte", async () => {
    const [ada, grace, alan] = [
      await people.register("ada"),
      await people.register("grace"),
      await people.register("alan"),
    ];
    rows.run("update users set active = 0 where id = ?", grace.id);
    rows.run("update users set password_hash = null where id = ?", alan.id);
    const logins = [
      ada.email,
      "nobody@example.test",
      "nobody",
      grace.email,
      alan.email,
      "not an address@",
      "'; drop table users;--",
    ];
    const [first, ...others] = (await Promise.all(logins.map((login) => request(login)))).map(appearance);
    for (const other of others) expect(other).toEqual(first ?? other);
    await nextMail(mailbox, ada.email, subject);
    await nextMail(mailbox, alan.email, "Choose your first password");
    await tokenFor(await people.register("last"));
    const reached = mailbox
      .all()
      .filter((mail) => mail.subject === subject)
      .flatMap(({ recipients }) => recipients);
    expect(reached).not.toContain(grace.email);
    expect(reached).not.toContain("nobody@example.test");
  });

  test("G-05 the link leads to APP_URL whatever the request says about its host", async () => {
    const ada = await people.register("ada");
    const poison = [
      { host: "evil.example" },
      { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http", "x-forwarded-port": "81" },
      { forwarded: "host=evil.example;proto=http" },
      { "x-original-url": "https://evil.example/", "x-rewrite-url": "https://evil.example/", "x-host": "evil.example" },
      {
        "x-forwarded-server": "evil.example",
        "x-forwarded-prefix": "//evil.example",
        referer: "https://evil.example/",
      },
    ];
    for (const headers of poison) {
      expect((await request(ada.email, headers)).status).toBe(200);
      const mail = await nextMail(mailbox, ada.email, subject);
      rows.letPass(5 * minute + second);
      expect(mail.raw).not.toContain("evil.example");
      expect(mail.text).toContain(`${appUrl}/reset-password?token=`);
    }
  });

  test("G-12 changes nothing in the account: no lock, no password, no session", async () => {
    const ada = await people.register("ada");
    const account = () => ({
      ...rows.get("select * from users where id = ?", ada.id),
      created_at: "shifted by letPass",
    });
    const before = account();
    for (let times = 0; times < 3; times += 1) {
      await tokenFor(ada);
      rows.letPass(5 * minute + second);
    }
    expect(account()).toEqual(before);
    expect(await isServed(ada.client)).toBe(true);
    await ada.login();
  });

  test("G-10 one account is mailed at most once in five minutes, without becoming an oracle", async () => {
    const ada = await people.register("ada");
    const mails = () =>
      mailbox.all().filter((mail) => mail.recipients.includes(ada.email) && mail.subject === subject).length;
    const answers = [];
    for (let times = 1; times <= 13; times += 1) answers.push(appearance(await request(ada.email)));
    await nextMail(mailbox, ada.email, subject);
    await tokenFor(await people.register("grace"));
    expect(mails()).toBe(1);
    for (const answer of answers) expect(answer).toEqual(answers[0] ?? answer);
    rows.letPass(5 * minute + second);
    await tokenFor(ada);
  });
});
