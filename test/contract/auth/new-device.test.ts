import { describe, expect, test } from "bun:test";
import { expectEnded, expectRefusal, isServed, minute, nextMail, secretsOf, type Person } from "../../support/auth.ts";
import { auth } from "../../support/auth.ts";
import { createApp } from "../../support/native.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { eventually } from "../../support/log.ts";
import { signIn } from "./passkeys.fixture.ts";
import { stageTakeover } from "./takeover.fixture.ts";

const staged = await stageTakeover();
const { target, rows, mailbox, browser, member, addPasskey, addApp, confirmReset, inspect, newPassword } = staged;
const audit = readAudit(rows);

const subject = "New sign-in to your account";
const told = ({ email }: Person): Promise<{ text: string; html: string }> => nextMail(mailbox, email, subject);
const tokenIn = (text: string): string => /\/reset-password\?token=([\w-]+)&reject=1/.exec(text)?.[1] ?? "";
const reject = (token: string) => browser().post(auth("password-reset/reject"), { token });
/** How many jobs with such a mail the account has had, sent or not. */
const jobsFor = ({ id }: Person): number =>
  rows.all("select payload from jobs where name = 'auth:send-notice'").filter((row) => {
    const payload = String(row["payload"]);
    return payload.includes('"new_device"') && payload.includes(id);
  }).length;
/** How many such mails were handed to the relay or held back. */
const sentTo = ({ id }: Person): number => rows.count("mails where kind = 'new_device' and user_id = ?", id);

/** Returns how many there were once none is on its way any more. */
async function settled(person: Person): Promise<number> {
  await eventually("the mails are out", () => jobsFor(person) === 0);
  return sentTo(person);
}

describe("M-08 a sign-in from a new device", () => {
  test("is told to its owner, with a link that ends that session and leads to a new password", async () => {
    const ada = await member("ada");
    const thief = await ada.login();
    const { text } = await told(ada);
    expect(text).toContain("Device:");
    expect(text).toContain("This was not me:\n");
    const token = tokenIn(text);
    const shown = await inspect(token);
    expect([shown.status, shown.at("sign_in"), shown.at("has_password")]).toEqual([200, true, true]);
    // Looking at the link ends nothing: programs open the links of mails, too.
    expect(await isServed(thief)).toBe(true);
    const secrets = secretsOf(thief);
    expect((await reject(token)).status).toBe(200);
    await expectEnded(target.url, secrets);
    expect(await isServed(ada.client)).toBe(true);
    const [row] = await audit.about(ada.id, 1, "auth.session-revoked");
    expect(row).toMatchObject({ reason: "sign_in_rejected" });
    // A second press does no harm, and the link still leads to the new password, once.
    expect((await reject(token)).status).toBe(200);
    expect((await confirmReset(token)).status).toBe(200);
    expect(await isServed(ada.client)).toBe(false);
    expect((await browser().post(auth("login"), { login: ada.email, password: ada.password })).status).toBe(401);
    for (const answer of [await reject(token), await confirmReset(token)])
      expectRefusal(answer, 401, "invalid password reset token", "invalid_reset_token");
  });

  test("is not told after the first sign-in, nor by a browser that the account knows", async () => {
    const ada = await member("ada");
    const again = await ada.client.post(auth("login"), { login: ada.email, password: ada.password });
    expect(again.status).toBe(200);
    expect(await settled(ada)).toBe(0);
    // The first sign-in of an account that somebody else has made.
    rows.run("update users set last_login_at = null where id = ?", ada.id);
    const first = await ada.login();
    expect(await settled(ada)).toBe(0);
    // That browser is known from then on, after its session, too.
    await first.post(auth("logout"));
    expect((await first.post(auth("login"), { login: ada.email, password: ada.password })).status).toBe(200);
    expect(await settled(ada)).toBe(0);
    await ada.login();
    await told(ada);
  });

  test("is told although the browser knows somebody else", async () => {
    const [ada, grace] = [await member("ada"), await member("grace")];
    expect((await grace.client.post(auth("login"), { login: ada.email, password: ada.password })).status).toBe(200);
    await told(ada);
    expect(await settled(grace)).toBe(0);
  });

  test("is told whichever way it came by: passkey, second factor, mail, or an app that keeps no cookies", async () => {
    const ada = await member("ada");
    const passkey = await addPasskey(ada.client);
    expect((await signIn(browser(), passkey)).status).toBe(200);
    await told(ada);

    const grace = await member("grace");
    const factor = addApp(grace);
    const other = browser();
    const asked = await other.post(auth("login"), { login: grace.email, password: grace.password });
    expect(asked.at("code")).toBe("mfa_required");
    expect(sentTo(grace)).toBe(0);
    const fields = { challenge: asked.textAt("challenge"), method: "totp", code: factor.code() };
    expect((await other.post(auth("login/verify"), fields)).status).toBe(200);
    await told(grace);

    const edsger = await member("edsger");
    await browser().post(auth("email-login/request"), { login: edsger.email });
    const mail = await nextMail(mailbox, edsger.email, /is your code/);
    const link = /token=([\w-]+)/.exec(mail.text)?.[1] ?? "";
    expect((await browser().post(auth("email-login/confirm"), { token: link })).status).toBe(200);
    await told(edsger);

    const barbara = await member("barbara");
    const app = createApp(target.url);
    await app.login(barbara.email, barbara.password);
    await told(barbara);
  });

  test("is told to nobody whose address is not proven", async () => {
    const ada = await member("ada");
    rows.run("update users set email_verified_at = null where id = ?", ada.id);
    await ada.login();
    expect(jobsFor(ada)).toBe(0);
    rows.prove(ada);
    expect(await settled(ada)).toBe(0);
  });

  test("is told five times an hour at most", async () => {
    const ada = await member("ada");
    for (let count = 0; count < 7; count += 1) {
      await ada.login();
      rows.letPass(minute);
    }
    await settled(ada);
    const states = rows.all("select reason, count from mails where kind = 'new_device' and user_id = ?", ada.id);
    const sum = (all: typeof states): number => all.reduce((total, row) => total + Number(row["count"]), 0);
    expect(sum(states.filter(({ reason }) => reason === "cap_reached"))).toBe(2);
    expect(sum(states)).toBe(7);
  });

  test("cannot be silenced by who has signed in: a new password from within leaves the link good", async () => {
    const ada = await member("ada");
    const thief = await ada.login();
    const token = tokenIn((await told(ada)).text);
    const fields = { current_password: ada.password, new_password: "the thief walks by the sea" };
    expect((await thief.post(auth("change-password"), fields)).status).toBe(200);
    expect((await reject(token)).status).toBe(200);
    expect(await isServed(thief)).toBe(false);
    expect((await confirmReset(token)).status).toBe(200);
    expect((await browser().post(auth("login"), { login: ada.email, password: newPassword })).status).toBe(200);
  });

  test("the links of other mails end no session, and the link no session of others", async () => {
    const [ada, grace] = [await member("ada"), await member("grace")];
    const other = await ada.login();
    await told(ada);
    const answer = await reject(await staged.resetToken(ada));
    expectRefusal(answer, 401, "invalid password reset token", "invalid_reset_token");
    await grace.login();
    expect((await reject(tokenIn((await told(grace)).text))).status).toBe(200);
    expect(await isServed(other)).toBe(true);
  });
});
