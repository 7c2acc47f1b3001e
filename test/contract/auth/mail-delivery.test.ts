import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import {
  auth,
  calm,
  createPeople,
  mailTo,
  hour,
  mailedToken,
  minute,
  nextMail,
  second,
  type Person,
} from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { openRows, type Rows } from "../../support/rows.ts";
import { startMailbox, type Mailbox } from "../../support/smtp.ts";
import { startTarget, type Target } from "../../support/target.ts";

const resetSubject = "Reset your password";

let down = false;
let mailbox: Mailbox;
let target: Target;
let rows: Rows;
let people: ReturnType<typeof createPeople>;
beforeAll(async () => {
  mailbox = await startMailbox({
    onMailFrom: (_address, _session, done) => (down ? done(new Error("try again later")) : done()),
  });
  target = await startTarget({ env: { ...calm, ...mailTo(mailbox) } });
  rows = openRows(target.databasePath);
  people = createPeople(target.url);
});
beforeEach(() => {
  down = false;
});
afterAll(async () => {
  rows.close();
  await target.stop();
  await mailbox.stop();
});

const request = (login: string) => createClient(target.url).post(auth("password-reset/request"), { login });
const confirm = (token: string, new_password = "another walk by the sea") =>
  createClient(target.url).post(auth("password-reset/confirm"), { token, new_password });
async function tokenFor({ email }: Person): Promise<string> {
  await request(email);
  return mailedToken(mailbox, email, resetSubject);
}
async function member(name: string): Promise<Person> {
  const person = await people.register(name);
  await nextMail(mailbox, person.email, "Verify your email");
  rows.prove(person);
  return person;
}
const resting = (): number =>
  rows.count("jobs where state = 'pending' and leased_until is null and available_at > ?", Date.now());
const waiting = (): number => rows.count("jobs where state = 'pending'");

/** Lets the time pass until every job is due, and waits until each has been tried; at most `mostMs`. Returns how much passed. */
async function tryAgain(mostMs: number): Promise<number> {
  const latest = Number(rows.get("select max(available_at) as at from jobs")["at"]);
  const passing = Math.min(mostMs, Math.max(0, latest - Date.now()) + 1);
  const attempts = Number(rows.get("select sum(attempts) as n from jobs")["n"]);
  const jobs = waiting();
  rows.letPass(passing);
  await eventually("each job is tried again", async () => {
    const now = Number(rows.get("select sum(attempts) as n from jobs")["n"]);
    return now >= attempts + (passing === mostMs ? 0 : jobs) && resting() === jobs;
  });
  return passing;
}

test("G-20 a relay that is down for an hour loses no mail: each arrives once it is back, whatever was asked for meanwhile", async () => {
  const [ada, grace, alan] = [await member("ada"), await member("grace"), await member("alan")];
  down = true;
  await alan.client.post(auth("change-password"), {
    current_password: alan.password,
    new_password: "another walk by the sea",
  });
  const newcomer = await people.register("newcomer");
  await request(ada.email);
  let left = 59 * minute;
  let again = false;
  await eventually("all jobs rest", async () => resting() === 3);
  while (left > 0) {
    left -= await tryAgain(left);
    if (again || left > 40 * minute) continue;
    expect(rows.count("auth_grants where user_id = ? and purpose = 'password_reset'", ada.id)).toBe(1);
    again = true;
    await request(ada.email);
    await request(grace.email);
    await eventually("all jobs rest", async () => resting() === 5);
  }
  expect(mailbox.all().filter(({ recipients }) => recipients.includes(newcomer.email))).toEqual([]);
  expect(rows.count("jobs where state = 'dead'")).toBe(0);
  down = false;
  rows.letPass(15 * minute);
  await nextMail(mailbox, newcomer.email, "Verify your email");
  await nextMail(mailbox, alan.email, "Your password was changed");
  const tokens = [
    await mailedToken(mailbox, ada.email, resetSubject),
    await mailedToken(mailbox, ada.email, resetSubject),
  ];
  expect((await confirm(tokens[0] ?? "")).status).toBe(200);
  expect((await confirm(await mailedToken(mailbox, grace.email, resetSubject))).status).toBe(200);
  await eventually("no job is left", async () => waiting() === 0);
}, 120_000);

test("G-30 a mail that is tried again has the link of the first try, and none once that has ended", async () => {
  const [ada, grace] = [await member("ada"), await member("grace")];
  down = true;
  await Promise.all([request(ada.email), request(grace.email)]);
  await eventually("both rest", async () => resting() === 2);
  rows.run("update auth_grants set voided_at = ? where user_id = ?", Date.now(), grace.id);
  rows.letPass(50 * minute);
  await eventually("both are tried again", async () => rows.count("jobs where attempts > 1") > 0 && resting() === 1);
  down = false;
  rows.letPass(5 * minute);
  const token = await mailedToken(mailbox, ada.email, resetSubject);
  expect(rows.count("auth_grants where user_id = ? and purpose = 'password_reset'", ada.id)).toBe(1);
  await eventually("no job is left", async () => waiting() === 0);
  expect(
    rows.get("select state, reason from mails where user_id = ? and kind = 'password_reset_link'", grace.id),
  ).toEqual({
    state: "withheld",
    reason: "link_ended",
  });
  // The link counts its hour from the try that arrived.
  rows.letPass(50 * minute);
  expect((await confirm(token)).status).toBe(200);
});

/** The address of somebody who has the password, and moves the account there. */
async function stolen(name: string) {
  const ada = await member(name);
  const thiefs = `thief.${ada.email}`;
  const move = async (to: string, from: string): Promise<void> => {
    const thief = createClient(target.url);
    expect((await thief.post(auth("login"), { login: from, password: ada.password })).status).toBe(200);
    const asked = await thief.post(auth("profile"), { email: to, current_password: ada.password });
    expect(asked.status).toBe(200);
  };
  await move(thiefs, ada.email);
  const token = await mailedToken(mailbox, thiefs, "Verify your email");
  expect((await createClient(target.url).post(auth("email-verification/confirm"), { token })).status).toBe(200);
  const wayBack = await mailedToken(mailbox, ada.email, "Your email address was changed");
  const undo = (link: string) => createClient(target.url).post(auth("email-change/undo"), { token: link });
  return { ada, thiefs, move, wayBack, undo };
}

test("A-95 a mail that waits while its account is taken back brings no link that works, and its address is told of the end", async () => {
  const { ada, thiefs, move, wayBack, undo } = await stolen("ada");
  down = true;
  await move(`next.${ada.email}`, thiefs);
  await eventually("the mails rest", async () => resting() === 2);
  expect((await undo(wayBack)).status).toBe(200);
  await eventually("the mails of the way back rest", async () => resting() >= 3);
  down = false;
  rows.letPass(50 * minute);
  await nextMail(mailbox, ada.email, resetSubject);
  await nextMail(mailbox, thiefs, "The email address of your account was changed back");
  await eventually("no job is left", async () => waiting() === 0);
  const asked = rows.all(
    "select state, reason from mails where user_id = ? and kind = 'email_change_requested'",
    ada.id,
  );
  expect(asked).toContainEqual({ state: "withheld", reason: "link_ended" });
  expect(mailbox.all().filter(({ recipients, text }) => recipients.includes(thiefs) && text.includes("undo"))).toEqual(
    [],
  );
});

test("A-96 nobody uses up the mails by which an account is taken back: each address has its own, and the only way back is always mailed", async () => {
  const { ada, thiefs, wayBack, undo } = await stolen("ada");
  for (let times = 0; times < 12; times += 1) {
    await request(thiefs);
    const token = await mailedToken(mailbox, thiefs, resetSubject);
    expect((await confirm(token, `the thief walks by the sea ${times}`)).status).toBe(200);
  }
  // Five notices of a kind an hour is what an address gets: the next one is the only way back.
  rows.run("update auth_attempts set attempts = 5 where attempt_key in (select attempt_key from auth_attempts)");
  expect((await undo(wayBack)).status).toBe(200);
  expect((await confirm(await mailedToken(mailbox, ada.email, resetSubject))).status).toBe(200);
});

test("A-97 a way back that leads further back than a thief's goes on working when the thief's is used", async () => {
  const { ada, thiefs, move, wayBack, undo } = await stolen("ada");
  await move(`next.${ada.email}`, thiefs);
  const own = await mailedToken(mailbox, thiefs, "Your email address is to be changed");
  expect((await undo(own)).status).toBe(200);
  expect((await undo(wayBack)).status).toBe(200);
  expect(rows.get("select email from users where id = ?", ada.id)).toEqual({ email: ada.email });
});

test("G-21 mailed links stand side by side: a stranger's request voids none, and the first one used voids the rest", async () => {
  const ada = await member("ada");
  const tokens: string[] = [];
  for (let times = 0; times < 10; times += 1) {
    tokens.push(await tokenFor(ada));
    rows.letPass(5 * minute + second);
  }
  expect(new Set(tokens).size).toBe(10);
  expect((await confirm(tokens[3] ?? "")).status).toBe(200);
  for (const token of tokens) expect((await confirm(token)).status).toBe(401);
});

test("G-22 a request within five minutes of the last one joins it: the link in the mailbox stays good, and no second mail comes", async () => {
  const ada = await member("ada");
  const token = await tokenFor(ada);
  for (let times = 0; times < 40; times += 1) expect((await request(ada.email)).json).toEqual({ ok: true });
  await tokenFor(await member("grace"));
  await eventually("all requests are handled", async () => waiting() === 0);
  const mails = mailbox
    .all()
    .filter(({ recipients, subject }) => recipients.includes(ada.email) && subject.startsWith(resetSubject));
  expect(mails).toHaveLength(1);
  expect((await confirm(token)).status).toBe(200);
  // Once it is used, the next request is answered with a mail of its own.
  expect((await confirm(await tokenFor(ada))).status).toBe(200);
});

test("G-22 whoever asks all the time keeps nobody from a link that is at most five minutes old", async () => {
  const ada = await member("ada");
  for (let passed = 0; passed < 2 * hour; passed += 4 * minute) {
    await request(ada.email);
    rows.letPass(4 * minute);
  }
  await request(ada.email);
  await eventually("all requests are handled", async () => waiting() === 0);
  const open = rows.count(
    "auth_grants where user_id = ? and voided_at is null and requested_at > ?",
    ada.id,
    Date.now() - 5 * minute - second,
  );
  expect(open).toBeGreaterThan(0);
  const mails = mailbox
    .all()
    .filter(({ recipients, subject }) => recipients.includes(ada.email) && subject.startsWith(resetSubject));
  const { text } = mails.at(-1) ?? { text: "" };
  expect((await confirm(/token=([\w-]+)/.exec(text)?.[1] ?? "")).status).toBe(200);
});
