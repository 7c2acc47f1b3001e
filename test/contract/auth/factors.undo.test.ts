import { describe, expect, test } from "bun:test";
import { auth, expectRefusal, hour, minute, nextMail, type Person } from "../../support/auth.ts";
import { testDatabase } from "../../support/engine.ts";
import { createAuthenticator } from "../../support/authenticator.ts";
import type { Answer } from "../../support/client.ts";
import { challenged, setUpTotp } from "../../support/factors.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { add, origin, stagePasskeys } from "./passkeys.fixture.ts";

const { target, rows, mailbox, browser, register } = await stagePasskeys();
const audit = readAudit(rows);

describe("the mail of an account's first second factor", () => {
  const undoOf = async ({ email }: Person, subject: string): Promise<string | undefined> =>
    /reset-password\?token=([\w-]+)&reject=1/.exec((await nextMail(mailbox, email, subject)).text)?.[1];
  const redeem = (token: string | undefined): Promise<Answer> =>
    browser().post(auth("password-reset/confirm"), { token, new_password: "another walk by the sea" });
  const appAdded = "An authenticator app was added to your account";
  const passkeyAdded = "A passkey was added to your account";

  test("M-74 takes it back within seven days, with all that came after it, by a new password that ends all sessions", async () => {
    const ada = await register("ada");
    const thief = await ada.login();
    await setUpTotp({ ...ada, client: thief });
    const token = await undoOf(ada, appAdded);
    const waiting = await challenged(target.url, ada);
    await add(thief, await createAuthenticator(origin));
    rows.letPass(7 * 24 * hour - minute);
    expect((await browser().post(auth("password-reset/confirm"), { token, new_password: "short" })).status).toBe(400);
    expect((await redeem(token)).json).toEqual({ ok: true });
    expect((await thief.get(auth("me"))).status).toBe(401);
    expect((await waiting.verify("totp", "000000")).at("code")).toBe("invalid_challenge");
    expect(rows.get("select factors from users where id = ?", ada.id)).toEqual({ factors: 0 });
    for (const table of ["auth_totp", "auth_passkeys", "auth_recovery_codes"])
      expect(rows.count(`${table} where user_id = ?`, ada.id)).toBe(0);
    expect((await browser().post(auth("login"), { login: ada.email, password: ada.password })).status).toBe(401);
    const login = await browser().post(auth("login"), { login: ada.email, password: "another walk by the sea" });
    expect(login.status).toBe(200);
    const [row] = await audit.about(ada.id, 1, "auth.factors-reset");
    expect(row?.["reason"]).toBe("taken_back");
    await nextMail(mailbox, ada.email, "Two-step sign-in was taken off your account");
    expectRefusal(await redeem(token), 401, "invalid password reset token", "invalid_reset_token");
  });

  test("M-74 takes nothing back after seven days, nor once the account has another address", async () => {
    const [ada, grace] = [await register("ada"), await register("grace")];
    for (const person of [ada, grace]) await setUpTotp(person);
    const [late, elsewhere] = [await undoOf(ada, appAdded), await undoOf(grace, appAdded)];
    rows.letPass(7 * 24 * hour + minute);
    expect((await redeem(late)).status).toBe(401);
    rows.letPass(-2 * minute);
    rows.run("update users set email_key = 'moved.' || email_key where id = ?", grace.id);
    expect((await redeem(elsewhere)).status).toBe(401);
    for (const { id } of [ada, grace]) expect(rows.count("auth_totp where user_id = ?", id)).toBe(1);
  });

  test("M-75 alone has such a link: whoever reads the mail gets rid of no factor that was there before", async () => {
    const ada = await register("ada");
    await add(ada.client, await createAuthenticator(origin));
    expect(await undoOf(ada, passkeyAdded)).toBeString();
    await setUpTotp(ada);
    expect(await undoOf(ada, appAdded)).toBeUndefined();
    await ada.client.post(auth("mfa/totp/remove"));
    await setUpTotp(ada);
    expect(await undoOf(ada, appAdded)).toBeUndefined();
    // After the week in which a reset removes additions, the token of a reset mail does not do the work of that link.
    rows.letPass(8 * 24 * hour);
    await browser().post(auth("password-reset/request"), { login: ada.email });
    const reset = /token=([\w-]+)/.exec((await nextMail(mailbox, ada.email, "Reset your password")).text)?.[1];
    expect((await redeem(reset)).status).toBe(200);
    expect(rows.get("select factors from users where id = ?", ada.id)).toEqual({ factors: 3 });
  });

  test("M-74 a thief who removes the factor, adds another or changes the password does not void the link", async () => {
    const ada = await register("ada");
    await setUpTotp(ada);
    const token = await undoOf(ada, appAdded);
    await ada.client.post(auth("mfa/totp/remove"));
    await setUpTotp(ada);
    await ada.client.post(auth("change-password"), { current_password: ada.password, new_password: "stolen for good" });
    expect((await redeem(token)).status).toBe(200);
    expect(rows.get("select factors from users where id = ?", ada.id)).toEqual({ factors: 0 });
  });

  test("M-79 a factor that came after the address had moved goes when the old mailbox takes that back, and no earlier one", async () => {
    const [ada, grace] = [await register("ada"), await register("grace")];
    await setUpTotp(grace);
    const thiefOf = async ({ client, email, password }: Person) => {
      await client.post(auth("profile"), { email: `thief.${email}`, current_password: password });
      const { text } = await nextMail(mailbox, `thief.${email}`, "Verify your email");
      const moved = await client.post(auth("email-verification/confirm"), { token: /token=([\w-]+)/.exec(text)?.[1] });
      expect(moved.status).toBe(200);
      const mail = await nextMail(mailbox, email, "Your email address was changed");
      return /undo-email-change\?token=([\w-]+)/.exec(mail.text)?.[1];
    };
    const undo = (token: string | undefined): Promise<Answer> => browser().post(auth("email-change/undo"), { token });
    const [undoOfAda, undoOfGrace] = [await thiefOf(ada), await thiefOf(grace)];
    await setUpTotp(ada);
    await add(ada.client, await createAuthenticator(origin));
    await add(grace.client, await createAuthenticator(origin));
    expect((await undo(undoOfAda)).status).toBe(200);
    expect((await undo(undoOfGrace)).status).toBe(200);
    expect(rows.get("select factors from users where id = ?", ada.id)).toEqual({ factors: 0 });
    for (const table of ["auth_totp", "auth_passkeys", "auth_recovery_codes"])
      expect(rows.count(`${table} where user_id = ?`, ada.id)).toBe(0);
    expect(rows.get("select factors from users where id = ?", grace.id)).toEqual({ factors: 3 });
    const [row] = await audit.about(ada.id, 1, "auth.factors-reset");
    expect(row?.["reason"]).toBe("undone");
    expect((await undo(undoOfAda)).status).toBe(401);
  });

  test.skipIf(testDatabase === "postgres")(
    "M-74 the mail goes to the address that the account had then, even if it moves before the mail is sent",
    async () => {
      const ada = await register("ada");
      const moving = (email: string): string => `update users set email = '${email}', email_key = '${email}'`;
      rows.run(
        `create trigger mover after update of confirmed_at on auth_totp begin ${moving(`thief.${ada.email}`)} where id = new.user_id; end`,
      );
      await setUpTotp(ada);
      rows.run("drop trigger mover");
      const token = await undoOf(ada, appAdded);
      expect((await redeem(token)).status).toBe(401);
      rows.run(`${moving(ada.email)} where id = ?`, ada.id);
      expect((await redeem(token)).status).toBe(200);
    },
  );
});
