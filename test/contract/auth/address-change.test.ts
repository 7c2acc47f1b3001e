import { describe, expect, test } from "bun:test";
import {
  auth,
  expectRefusal,
  hour,
  isServed,
  mailedToken,
  minute,
  nextMail,
  second,
  type Person,
} from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { stage } from "../../support/stage.ts";

const verifySubject = "Verify your email";
const movedSubject = "Your email address was changed";

const { target, mailbox, rows, people } = await stage({ env: { APP_URL: "https://id.example.test" } });

const stranger = () => createClient(target.url);
const move = ({ client, password }: Person, email: string) =>
  client.post(auth("profile"), { email, current_password: password });
const confirm = (token: string, browser = stranger()) => browser.post(auth("email-verification/confirm"), { token });
const reject = (token: string) => stranger().post(auth("email-verification/reject"), { token });
const undo = (token: string) => stranger().post(auth("email-change/undo"), { token });
const login = (name: string, password: string) => stranger().post(auth("login"), { login: name, password });
const me = async ({ client }: Person) => (await client.get(auth("me"))).at("user");
async function member(name: string): Promise<Person> {
  const person = await people.register(name);
  await nextMail(mailbox, person.email, verifySubject);
  rows.prove(person);
  return person;
}
const quiet = () => eventually("no job is left", async () => rows.count("jobs where state = 'pending'") === 0);
const mailsTo = (email: string) => mailbox.all().filter(({ recipients }) => recipients.includes(email));

describe("a new address", () => {
  test("G-23 counts once its mailbox has confirmed it: until then the old one signs in, gets the mail and resets", async () => {
    const ada = await member("ada");
    const moved = `tpyo.${ada.email}`;
    expect((await move(ada, moved)).at("user")).toMatchObject({ email: ada.email, pending_email: moved });
    expect((await login(moved, ada.password)).status).toBe(401);
    expect((await login(ada.email, ada.password)).status).toBe(200);
    await stranger().post(auth("password-reset/request"), { login: moved });
    await stranger().post(auth("password-reset/request"), { login: ada.email });
    await nextMail(mailbox, ada.email, "Reset your password");
    await nextMail(mailbox, moved, verifySubject);
    await quiet();
    expect(mailsTo(moved)).toHaveLength(1);
    expect(await me(ada)).toMatchObject({ email: ada.email, pending_email: moved });
  });

  test("G-23 is given up by an edit back to the current one: its link works no longer", async () => {
    const ada = await member("ada");
    await move(ada, `new.${ada.email}`);
    const token = await mailedToken(mailbox, `new.${ada.email}`, verifySubject);
    const back = await ada.client.post(auth("profile"), { email: ada.email });
    expect(back.at("user")).toMatchObject({ email: ada.email, pending_email: null });
    expect(back.at("user.email_verified_at")).toBeString();
    expectRefusal(await confirm(token), 401, "invalid email verification token", "invalid_verification_token");
  });

  test("G-23 two accounts may wait for one address: the first to confirm gets it", async () => {
    const [ada, grace] = [await member("ada"), await member("grace")];
    const wanted = `wanted.${ada.email}`;
    await move(ada, wanted);
    await move(grace, wanted);
    const tokens = [
      await mailedToken(mailbox, wanted, verifySubject),
      await mailedToken(mailbox, wanted, verifySubject),
    ];
    const answers = [await confirm(tokens[0] ?? ""), await confirm(tokens[1] ?? "")];
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect(answers[0]?.at("user")).toMatchObject({ email: wanted, pending_email: null });
  });

  test("G-23 that is not yours to have is refused, where addresses need no verification", async () => {
    const [ada, grace] = [await member("ada"), await member("grace")];
    expectRefusal(await move(ada, grace.email), 409, "email already in use", "email_taken");
  });
});

describe("the way back", () => {
  test("G-25 the old address takes a change back within 72 hours: sessions end, and a reset is mailed to it", async () => {
    const ada = await member("ada");
    const thief = await ada.login();
    const stolen = `thief.${ada.email}`;
    await thief.post(auth("profile"), { email: stolen, current_password: ada.password });
    await confirm(await mailedToken(mailbox, stolen, verifySubject));
    const token = await mailedToken(mailbox, ada.email, movedSubject);
    rows.letPass(71 * hour);
    expect((await undo(token)).json).toEqual({ ok: true });
    expect(await isServed(thief)).toBe(false);
    expect((await login(stolen, ada.password)).status).toBe(401);
    const reset = await mailedToken(mailbox, ada.email, "Reset your password");
    const next = "another walk by the sea";
    const answer = await stranger().post(auth("password-reset/confirm"), { token: reset, new_password: next });
    expect(answer.status).toBe(200);
    expect((await login(ada.email, next)).at("user.email")).toBe(ada.email);
    expect((await undo(token)).status).toBe(401);
  });

  test("G-25 not later, and moving on does not close it", async () => {
    const ada = await member("ada");
    for (const step of ["one", "two"]) {
      await move(ada, `${step}.${ada.email}`);
      await confirm(await mailedToken(mailbox, `${step}.${ada.email}`, verifySubject), ada.client);
    }
    const token = await mailedToken(mailbox, ada.email, movedSubject);
    expect((await undo(token)).status).toBe(200);
    const later = await mailedToken(mailbox, `one.${ada.email}`, movedSubject);
    expectRefusal(await undo(later), 401, "invalid email verification token", "invalid_verification_token");
    const grace = await member("grace");
    await move(grace, `new.${grace.email}`);
    await confirm(await mailedToken(mailbox, `new.${grace.email}`, verifySubject));
    const late = await mailedToken(mailbox, grace.email, movedSubject);
    rows.letPass(72 * hour + second);
    expect((await undo(late)).status).toBe(401);
  });

  test("G-25 an address that was never proven is told nothing and takes nothing back", async () => {
    const ada = await people.register("ada");
    await nextMail(mailbox, ada.email, verifySubject);
    await move(ada, `new.${ada.email}`);
    await confirm(await mailedToken(mailbox, `new.${ada.email}`, verifySubject));
    await quiet();
    expect(mailsTo(ada.email)).toHaveLength(1);
  });
});

describe("this was not me", () => {
  test("G-26 ends every way into an account that was made with the address: sessions, password, and older links", async () => {
    const mallory = await people.register("mallory");
    const token = await mailedToken(mailbox, mallory.email, verifySubject);
    expect((await reject(token)).json).toEqual({ ok: true });
    expect(await isServed(mallory.client)).toBe(false);
    expect((await login(mallory.email, mallory.password)).status).toBe(401);
    expect((await reject(token)).status).toBe(401);
    expect((await confirm(token)).status).toBe(401);
  });

  test("G-26 said of a new address it leaves the account as it is, without the move", async () => {
    const ada = await member("ada");
    await move(ada, `strangers.${ada.email}`);
    const token = await mailedToken(mailbox, `strangers.${ada.email}`, verifySubject);
    expect((await reject(token)).status).toBe(200);
    expect(await me(ada)).toMatchObject({ email: ada.email, pending_email: null });
    expect((await confirm(token)).status).toBe(401);
  });
});

describe("mails to strangers", () => {
  test("N-01 80 changes of address send a stranger five mails at most, from however many accounts", async () => {
    const victim = "victim@elsewhere.test";
    const accounts = [];
    for (let count = 0; count < 7; count += 1) accounts.push(await member("mallory"));
    for (const account of accounts)
      for (let times = 0; times < 10; times += 1) {
        const { status } = await move(account, times % 2 === 0 ? victim : `other.${account.email}`);
        expect([200, 429]).toContain(status);
      }
    await quiet();
    expect(mailsTo(victim).length).toBeWithin(1, 6);
    expect(rows.count("audit_events where action = 'auth.mail-withheld' and reason = 'cap_reached'")).toBeWithin(1, 15);
    expect((await stranger().get("/metrics")).text).toMatch(
      /^mails_withheld_total\{.*mail="email_verification_link",reason="cap_reached"\} \d+$/m,
    );
  });

  test("N-02 a user can ask for ten changes of address an hour", async () => {
    const ada = await member("ada");
    for (let times = 1; times <= 10; times += 1) expect((await move(ada, `${times}.${ada.email}`)).status).toBe(200);
    const refused = await move(ada, `11.${ada.email}`);
    expectRefusal(refused, 429, "rate limited", "rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(3_500, 3_601);
    expect((await ada.client.post(auth("profile"), { locale: "de" })).status).toBe(200);
    rows.letPass(hour + second);
    expect((await move(ada, `11.${ada.email}`)).status).toBe(200);
  });

  test("N-01 31 changes of a password send five notices, and the sixth is there again after an hour", async () => {
    const ada = await member("ada");
    const change = (count: number) =>
      ada.client.post(auth("change-password"), {
        current_password: count === 0 ? ada.password : `walk number ${count - 1} by the sea`,
        new_password: `walk number ${count} by the sea`,
      });
    for (let count = 0; count < 8; count += 1) expect((await change(count)).status).toBe(200);
    await quiet();
    expect(mailsTo(ada.email)).toHaveLength(6);
    expect(rows.count("audit_events where action = 'auth.mail-withheld' and subject_user_id = ?", ada.id)).toBe(1);
    rows.letPass(hour + minute);
    await change(8);
    await quiet();
    expect(mailsTo(ada.email)).toHaveLength(7);
  });

  test("N-03 an address that was never proven gets its verification and a reset, and nothing else", async () => {
    const ada = await people.register("ada");
    await ada.client.post(auth("change-password"), {
      current_password: ada.password,
      new_password: "another walk by the sea",
    });
    for (let times = 0; times < 6; times += 1) await login(ada.email, "not the password");
    await stranger().post(auth("password-reset/request"), { login: ada.email });
    await nextMail(mailbox, ada.email, "Reset your password");
    await quiet();
    expect(
      mailsTo(ada.email)
        .map(({ subject }) => subject)
        .toSorted(),
    ).toEqual(["Reset your password", verifySubject]);
  });
});
