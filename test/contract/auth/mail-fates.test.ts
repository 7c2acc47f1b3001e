import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { createCleanupRepository } from "../../../src/auth/cleanup.repository.ts";
import { staleAuthRows } from "../../../src/auth/cleanup.ts";
import { openDatabaseAt } from "../../support/database.ts";
import { auth, calm, createPeople, hour, mailTo, minute, nextMail, type Person } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { openRows, type Rows } from "../../support/rows.ts";
import { startMailbox, type Mailbox } from "../../support/smtp.ts";
import { startTarget, type Target } from "../../support/target.ts";
import { serviceKit } from "../backend/service.fixture.ts";

/** The relay's answer to the next recipients; undefined: it takes the mail. */
let refusal: ((address: string) => Error) | undefined;
/** The relay's answer to the next senders, whatever the recipient. */
let refusalOfSender: Error | undefined;
let mailbox: Mailbox;
let target: Target;
let rows: Rows;
let people: ReturnType<typeof createPeople>;
beforeAll(async () => {
  mailbox = await startMailbox({
    onMailFrom: (_address, _session, done) => done(refusalOfSender),
    onRcptTo: ({ address }, _session, done) => done(refusal?.(address)),
  });
  target = await startTarget({ env: { ...calm, ...mailTo(mailbox) } });
  rows = openRows(target.databasePath);
  people = createPeople(target.url);
});
beforeEach(() => {
  refusal = undefined;
  refusalOfSender = undefined;
});
afterAll(async () => {
  rows.close();
  await target.stop();
  await mailbox.stop();
});

const reply = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode });
const reset = ({ email }: Person) => createClient(target.url).post(auth("password-reset/request"), { login: email });
const idle = () => eventually("no job is left", async () => rows.count("jobs where state = 'pending'") === 0);

/** Registers a signed-in person with a proven address, whose mails are forgotten. */
async function member(name: string): Promise<Person> {
  const person = await people.register(name);
  await nextMail(mailbox, person.email, "Verify your email");
  await idle();
  rows.prove(person);
  rows.run("delete from mails where user_id = ?", person.id);
  return person;
}
/** Reads the mails in the browser that registered: a sign-in by another one would be told by a mail. */
async function mailsOf(person: Person): Promise<readonly Record<string, unknown>[]> {
  await person.client.post(auth("reauthenticate"), { current_password: person.password });
  const mails = (await person.client.get(auth("account/export"))).at("mails");
  if (!Array.isArray(mails)) throw new Error("no mails");
  return mails.map((mail: unknown) => Object.fromEntries(Object.entries(Object(mail))));
}
const stateOf = (person: Person): unknown =>
  rows.get("select state from mails where user_id = ? order by requested_at desc", person.id)["state"];
const becomes = (person: Person, state: string) =>
  eventually(`the mail is ${state}`, async () => stateOf(person) === state);

test("X-90 a mail that the relay has taken is told with its answer, and when it was asked for", async () => {
  const ada = await member("ada");
  const asked = Date.now();
  await reset(ada);
  await becomes(ada, "sent");
  const [mail, ...others] = await mailsOf(ada);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    kind: "password_reset_link",
    app: "app",
    state: "sent",
    attempts: 1,
    count: 1,
    reason: null,
  });
  expect(mail?.["answer"]).toMatch(/^250 /);
  expect(Date.parse(String(mail?.["requested_at"]))).toBeWithin(asked - 1_000, Date.now());
});

test("X-90 a mail that is refused for good, tried again and given up has one row, which says so", async () => {
  const ada = await member("ada");
  refusal = () => reply(450, "4.2.0 come back later");
  await reset(ada);
  await eventually("the first attempt has ended", async () => (await mailsOf(ada))[0]?.["attempts"] === 1);
  expect((await mailsOf(ada))[0]).toMatchObject({
    state: "waiting",
    answer: expect.stringContaining("450 4.2.0 come back later"),
  });
  [refusal, refusalOfSender] = [undefined, reply(550, "5.7.1 not from here")];
  rows.letPass(15 * minute);
  await becomes(ada, "refused");
  expect((await mailsOf(ada))[0]).toMatchObject({
    state: "refused",
    attempts: 2,
    answer: expect.stringMatching(/^550 5\.7\.1/),
  });
  rows.letPass(hour);
  await idle();
  const mails = await mailsOf(ada);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({ state: "gave_up", attempts: 3 });
  rows.run("delete from jobs");
});

test("H-87 a link for a first password is not mailed any more once the person has a password", async () => {
  const ada = await member("ada");
  const backend = await serviceKit(target).backend("keeper", "users:write");
  const hash = String(rows.get("select password_hash from users where id = ?", ada.id)["password_hash"]);
  rows.run("update users set password_hash = null where id = ?", ada.id);
  refusal = () => reply(450, "4.2.0 come back later");
  await backend.post(`/${ada.id}/send-password-reset`);
  await becomes(ada, "waiting");
  await eventually(
    "the first attempt has ended",
    async () => rows.count("jobs where attempts = 1 and leased_until is null") === 1,
  );
  rows.run("update users set password_hash = ? where id = ?", hash, ada.id);
  refusal = undefined;
  rows.letPass(15 * minute);
  await becomes(ada, "withheld");
  await idle();
  expect((await mailsOf(ada)).map(({ kind, reason }) => [kind, reason])).toContainEqual([
    "first_password_link",
    "link_ended",
  ]);
});

test.each([
  [550, "5.1.1 nobody of that name", "gave_up"],
  [552, "5.2.2 the mailbox is full", "gave_up"],
  [530, "5.7.0 authenticate first", "refused"],
  [451, "4.7.1 greylisted", "waiting"],
])("G-31 an answer of %i about the recipient (%s) leaves the mail %s", async (code, text, state) => {
  const ada = await member("ada");
  refusal = () => reply(code, text);
  await reset(ada);
  await eventually("the first attempt has ended", async () => (await mailsOf(ada))[0]?.["attempts"] === 1);
  if (state === "gave_up") await idle();
  expect((await mailsOf(ada))[0]).toMatchObject({ state, attempts: 1, answer: expect.stringContaining(text) });
  expect(rows.count("jobs where state = 'pending'")).toBe(state === "gave_up" ? 0 : 1);
  rows.run("delete from jobs");
});

test("X-90 a mail that is sent a second time, because nobody recorded the first, has one row and stays sent", async () => {
  const ada = await member("ada");
  await reset(ada);
  await becomes(ada, "sent");
  await idle();
  const [id = ""] = String(rows.get("select id from mails where user_id = ?", ada.id)["id"]).split("/");
  refusal = () => reply(550, "5.1.1 nobody of that name");
  rows.run(
    `insert into jobs (id, queue, app, name, payload, state, attempts, max_attempts, available_at, created_at)
     values (?, 'default', 'app', 'auth:send-password-reset', ?, 'pending', 1, 2, 0, 0)`,
    id,
    JSON.stringify({ login: ada.email }),
  );
  await idle();
  expect(await mailsOf(ada)).toMatchObject([{ state: "sent", attempts: 1 }]);
  rows.run("delete from jobs");
});

test("X-90 mails that were held back share a row an hour", async () => {
  const ada = await member("ada");
  for (let times = 0; times < 8; times += 1) await reset(ada);
  await idle();
  const mails = await mailsOf(ada);
  expect(mails.map(({ state, reason, count }) => [state, reason, count]).toSorted()).toEqual([
    ["sent", null, 1],
    ["withheld", "joined", 7],
  ]);
});

test("G-29 a mail that was refused is no reason to withhold the next one", async () => {
  const ada = await member("ada");
  refusal = () => reply(550, "5.1.1 nobody of that name");
  await reset(ada);
  await becomes(ada, "refused");
  refusal = undefined;
  await reset(ada);
  await becomes(ada, "sent");
  expect((await mailsOf(ada)).map(({ state }) => state).toSorted()).toEqual(["gave_up", "sent"]);
  rows.run("delete from jobs");
});

test("X-91 what is kept of the relay's answer has no address, no token, and an end", async () => {
  const ada = await member("ada");
  const token = "Zm9yIGFkYSBhbG9uZSwgYW5kIGZvciBub2JvZHkgZWxzZQ";
  refusal = (address) =>
    reply(
      550,
      `5.1.1 <${address}> (${ada.username.toUpperCase()}): /reset-password?token=${token} from ops@relay.test ${"no ".repeat(300)}`,
    );
  await reset(ada);
  await becomes(ada, "refused");
  const kept = JSON.stringify(rows.all("select * from mails where user_id = ?", ada.id));
  expect(kept).toContain("550 5.1.1 <[address]> ([address])");
  for (const secret of [ada.email, ada.username, "ops@relay.test", token])
    expect(kept.toLowerCase()).not.toContain(secret.toLowerCase());
  expect(kept.length).toBeLessThan(1_000);
  rows.run("delete from jobs");
});

test("X-92 what became of a mail is forgotten a month after it was asked for", async () => {
  const ada = await member("ada");
  await reset(ada);
  await becomes(ada, "sent");
  const clean = async (): Promise<void> => {
    const database = openDatabaseAt(target.databasePath);
    const stale = staleAuthRows({ rows: createCleanupRepository(database, "app"), sessionIdleTtlMs: 2 * hour });
    await stale.find(({ name }) => name === "old_mails")?.deleteSome(Date.now(), 100);
    await database.close();
  };
  rows.run("update mails set requested_at = requested_at - ?", 29 * 24 * hour);
  await clean();
  expect(stateOf(ada)).toBe("sent");
  rows.run("update mails set requested_at = requested_at - ?", 24 * hour + minute);
  await clean();
  expect(rows.count("mails")).toBe(0);
});

test("X-92 the mails of an account go with it, and nothing is kept of those to nobody", async () => {
  const [ada, before] = [await member("ada"), rows.count("mails")];
  await createClient(target.url).post(auth("password-reset/request"), { login: "nobody@example.test" });
  await idle();
  expect(rows.count("mails")).toBe(before);
  await reset(ada);
  await becomes(ada, "sent");
  const browser = await ada.login();
  expect((await browser.post(auth("account/delete"), { current_password: ada.password })).status).toBe(200);
  await nextMail(mailbox, ada.email, "Your account was deleted");
  await idle();
  expect(rows.count("mails where user_id = ? or user_id is null", ada.id)).toBe(0);
});
