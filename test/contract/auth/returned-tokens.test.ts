import { describe, expect, test } from "bun:test";
import { appearance, auth, expectRefusal, nextMail } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { giveAuthenticator } from "../../support/factor.ts";
import { stage } from "../../support/stage.ts";

const returned = { AUTH_PASSWORD_RESET_RETURN_TOKEN: "true", AUTH_EMAIL_VERIFICATION_RETURN_TOKEN: "true" };
const { target, rows, mailbox, people } = await stage({ env: returned });

const request = (login: string) => createClient(target.url).post(auth("password-reset/request"), { login });
const confirm = (token: string) =>
  createClient(target.url).post(auth("password-reset/confirm"), { token, new_password: "another walk by the sea" });

describe("where tokens are returned (controlled local environments)", () => {
  test("a reset request answers the token instead of mailing it", async () => {
    const ada = await people.register("ada");
    // A token in an answer proves no address, and an unproven address gets no notice.
    rows.prove(ada);
    const answer = await request(ada.username);
    expect(Object.keys(Object(answer.json)).toSorted()).toEqual(["ok", "reset_token"]);
    expect((await confirm(answer.textAt("reset_token"))).status).toBe(200);
    await ada.login({ password: "another walk by the sea" });
    await nextMail(mailbox, ada.email, "Your password was reset");
    expect(mailbox.all().filter(({ subject }) => subject === "Reset your password")).toEqual([]);
  });

  test("G-01 an unknown login gets a token of the same form, which opens nothing", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    rows.run("update users set active = 0 where id = ?", grace.id);
    const form = (answer: Awaited<ReturnType<typeof request>>) => {
      const token = answer.textAt("reset_token");
      expect(token).toMatch(/^[\w-]{43}$/);
      const { status, body, headers } = appearance(answer);
      return { status, body: body.replace(token, "TOKEN"), headers };
    };
    const known = form(await request(ada.email));
    for (const login of ["nobody@example.test", "nobody", grace.email]) {
      const answer = await request(login);
      expect(form(answer)).toEqual(known);
      expectRefusal(
        await confirm(answer.textAt("reset_token")),
        401,
        "invalid password reset token",
        "invalid_reset_token",
      );
    }
  });

  test("a verification request answers the token, and nothing when there is nothing to verify", async () => {
    const ada = await people.register("ada");
    const answer = await ada.client.post(auth("email-verification/request"));
    expect(Object.keys(Object(answer.json)).toSorted()).toEqual(["ok", "verification_token"]);
    const token = answer.textAt("verification_token");
    expect((await createClient(target.url).post(auth("email-verification/confirm"), { token })).status).toBe(200);
    expect((await ada.client.post(auth("email-verification/request"))).json).toEqual({ ok: true });
  });

  test("M-06 a reset by a returned token, which proves no mailbox, leaves second factors and identities alone", async () => {
    const ada = await people.register("ada");
    giveAuthenticator(rows, ada);
    rows.run(
      `insert into auth_identities (id, user_id, provider, issuer, subject, email, username, linked_at)
       values (?, ?, 'google', 'https://accounts.google.com', ?, ?, null, ?)`,
      crypto.randomUUID(),
      ada.id,
      crypto.randomUUID(),
      ada.email,
      Date.now(),
    );
    expect((await confirm((await request(ada.email)).textAt("reset_token"))).status).toBe(200);
    const fields = { login: ada.email, password: "another walk by the sea" };
    const answer = await createClient(target.url).post(auth("login"), fields);
    expect([answer.status, answer.at("code")]).toEqual([401, "mfa_required"]);
    expect(rows.count("auth_identities where user_id = ?", ada.id)).toBe(1);
  });

  test("the database holds their hashes alone", async () => {
    const ada = await people.register("ada");
    const token = (await request(ada.email)).textAt("reset_token");
    expect(rows.count("auth_grants where token_hash = ?", token)).toBe(0);
    const digest = new Bun.CryptoHasher("sha256").update(token).digest("hex");
    expect(rows.count("auth_grants where token_hash = ? and purpose = 'password_reset'", digest)).toBe(1);
  });
});
