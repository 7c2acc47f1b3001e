import { expect, test } from "bun:test";
import { auth, isServed, nextMail, signInSubject } from "../../support/auth.ts";
import type { Client } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { stage } from "../../support/stage.ts";

const env = {
  AUTH_EMAIL_LOGIN_ENABLED: "true",
  AUTH_LOGIN_LOCKOUT_ATTEMPTS: "80",
  AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "500",
};
const { rows, mailbox, people, browser } = await stage({ env });
const confirm = (client: Client, login: string, code: string) =>
  client.post(auth("email-login/confirm"), { login, code });
async function ask(login: string): Promise<Client> {
  const client = browser();
  expect((await client.post(auth("email-login/request"), { login })).status).toBe(200);
  await eventually("no job is left", async () => rows.count("jobs where state = 'pending'") === 0);
  return client;
}
async function codeOf(email: string): Promise<string> {
  const { text } = await nextMail(mailbox, email, signInSubject);
  return /^(\d{6})$/m.exec(text)?.[1] ?? "";
}
const wrong = (code: string): string => (code === "000000" ? "111111" : "000000");

test("M-92 the code of a mail that somebody else has asked for works in the browser of whoever asked since", async () => {
  const ada = await people.register("ada");
  const stranger = await ask(ada.email);
  const code = await codeOf(ada.email);
  const owner = await ask(ada.email);
  const other = browser();
  // A stranger's tries do not count as the owner's, and a browser that has not asked has no tries.
  for (let times = 0; times < 8; times += 1) expect((await confirm(stranger, ada.email, wrong(code))).status).toBe(401);
  expect((await confirm(stranger, ada.email, code)).status).toBe(401);
  expect((await confirm(other, ada.email, code)).status).toBe(401);
  expect((await confirm(owner, ada.email, code)).status).toBe(200);
  expect(await isServed(owner)).toBe(true);
});

test("M-92 it works once, whichever of them uses it", async () => {
  const ada = await people.register("ada");
  const clients = [await ask(ada.email)];
  const code = await codeOf(ada.email);
  for (let more = 0; more < 7; more += 1) clients.push(await ask(ada.email));
  const answers = await Promise.all(clients.map((client) => confirm(client, ada.email, code)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 401)]);
});

test("M-92 it works in two hundred browsers, the newest of those that asked, and asking again keeps a place", async () => {
  const ada = await people.register("ada");
  await ask(ada.email);
  const code = await codeOf(ada.email);
  const first = await ask(ada.email);
  const [grant] = rows.all("select id from auth_grants where user_id = ?", ada.id);
  for (let more = 0; more < 220; more += 1)
    rows.run(
      "insert into auth_grant_browsers (grant_id, browser_hash, created_at) values (?, ?, ?)",
      String(grant?.["id"]),
      `browser ${more}`,
      Date.now() + more,
    );
  rows.run("update auth_grant_browsers set created_at = created_at - 60000");
  const owner = await ask(ada.email);
  expect(rows.count("auth_grant_browsers where grant_id = ?", String(grant?.["id"]))).toBe(200);
  expect((await confirm(first, ada.email, code)).status).toBe(401);
  rows.run("update auth_grant_browsers set created_at = created_at - 60000");
  await owner.post(auth("email-login/request"), { login: ada.email });
  await eventually("the owner's browser has the newest place", async () => {
    const [newest] = rows.all("select created_at from auth_grant_browsers order by created_at desc limit 1");
    return Number(newest?.["created_at"]) > Date.now() - 30_000;
  });
  expect((await confirm(owner, ada.email, code)).status).toBe(200);
});
