import { describe, expect, test } from "bun:test";
import {
  auth,
  browserWith,
  claimsOf,
  cookieNames,
  expectRefusal,
  isServed,
  minute,
  secretsOf,
} from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { challengedAt, giveAuthenticator, verify } from "../../support/factor.ts";
import { stage } from "../../support/stage.ts";

const { target, people, rows } = await stage();

async function withAuthenticator(name: string) {
  const person = await people.register(name);
  return { ...person, app: giveAuthenticator(rows, person) };
}

describe("a sign-in with a second factor", () => {
  test("M-10 gives a right password a challenge and nothing else, and a right code the session", async () => {
    const ada = await withAuthenticator("ada");
    const before = rows.count("auth_sessions where user_id = ?", ada.id);
    const challenged = await challengedAt(target.url, ada);
    expectRefusal(challenged.answer, 401, "a second factor is required", "mfa_required");
    expect(challenged.answer.at("methods")).toEqual(["totp"]);
    expect(challenged.answer.at("expires_in")).toBeWithin(295, 301);
    expect(cookieNames(challenged.answer)).toEqual(["auth_challenge"]);
    const [cookie] = challenged.answer.setCookies;
    expect([cookie?.attributes.has("httponly"), cookie?.attributes.get("path")]).toEqual([true, "/"]);
    expect(challenged.answer.text).not.toContain(cookie?.value.split(".")[1] ?? "");
    expect(rows.count("auth_sessions where user_id = ?", ada.id)).toBe(before);
    const described = await challenged.browser.get(`${auth("login/challenge")}?id=${challenged.challenge}`);
    expect([described.status, described.at("methods")]).toEqual([200, ["totp"]]);

    expectRefusal(await verify(challenged, ada.app.wrong()), 401, "invalid code", "invalid_code");
    const code = ada.app.code();
    const answer = await verify(challenged, code);
    expect([answer.status, answer.at("user.id")]).toEqual([200, ada.id]);
    expect(await isServed(challenged.browser)).toBe(true);
    expect(challenged.browser.cookie("auth_challenge")).toBeUndefined();
    expect(rows.count("auth_challenges where user_id = ?", ada.id)).toBe(0);
    expect((await verify(challenged, code)).at("code")).toBe("invalid_challenge");
  });

  test("M-09 a session says by which factor it was proven, and a refresh never raises that", async () => {
    const ada = await withAuthenticator("ada");
    const challenged = await challengedAt(target.url, ada);
    await verify(challenged, ada.app.code());
    expect(claimsOf(secretsOf(challenged.browser).access)).toMatchObject({ amr: ["pwd", "otp", "mfa"], acr: "aal2" });
    for (const [browser, amr] of [
      [challenged.browser, ["pwd", "otp", "mfa"]],
      [ada.client, ["pwd"]],
    ] as const) {
      expect((await browser.post(auth("refresh"))).status).toBe(200);
      expect(claimsOf(secretsOf(browser).access)["amr"]).toEqual(amr);
      const only = browserWith(target.url, { refresh: secretsOf(browser).refresh });
      await only.get(auth("me"));
      expect(claimsOf(only.cookie("auth_access") ?? "")["amr"]).toEqual(amr);
    }
    const sessions = (await challenged.browser.get(auth("sessions"))).at("sessions");
    expect(sessions).toMatchObject([{ factor: "totp" }, { factor: null }]);
  });

  test("M-10 a challenge is answered in its own browser and within five minutes, and its id alone opens nothing", async () => {
    const [ada, grace] = [await withAuthenticator("ada"), await withAuthenticator("grace")];
    const { browser, challenge } = await challengedAt(target.url, ada);
    const foreign = await challengedAt(target.url, grace);
    const stranger = createClient(target.url);
    const forged = createClient(target.url);
    forged.setCookie("auth_challenge", `${challenge}.${foreign.browser.cookie("auth_challenge")?.split(".")[1]}`);
    for (const other of [stranger, foreign.browser, forged]) {
      expect((await verify({ browser: other, challenge }, ada.app.code())).at("code")).toBe("invalid_challenge");
      expect((await other.get(`${auth("login/challenge")}?id=${challenge}`)).at("code")).toBe("invalid_challenge");
    }
    // The secret in the body is for apps without a browser.
    const whole = browser.cookie("auth_challenge") ?? "";
    expect((await verify({ browser: stranger, challenge: whole }, ada.app.code())).at("code")).toBe(
      "invalid_challenge",
    );
    rows.letPass(5 * minute);
    expect((await verify({ browser, challenge }, ada.app.code())).at("code")).toBe("invalid_challenge");
  });

  test("M-10 an app that is no browser gets the whole challenge, and tokens for it", async () => {
    const ada = await withAuthenticator("ada");
    const asked = await challengedAt(target.url, ada, { delivery: "body" });
    expect([asked.answer.setCookies, asked.challenge.split(".").length]).toEqual([[], 2]);
    const fields = { method: "totp", code: ada.app.code(), delivery: "body" };
    const [id] = asked.challenge.split(".");
    const withoutSecret = await createClient(target.url).post(auth("login/verify"), { ...fields, challenge: id });
    expect(withoutSecret.at("code")).toBe("invalid_challenge");
    const answer = await asked.browser.post(auth("login/verify"), { ...fields, challenge: asked.challenge });
    expect([answer.status, answer.setCookies]).toEqual([200, []]);
    expect(claimsOf(answer.textAt("tokens.access_token"))["amr"]).toEqual(["pwd", "otp", "mfa"]);
  });

  test("M-12 a new password, a new address, the end of all sessions and a disabled account make a challenge void", async () => {
    const changes = {
      password: "update users set device_epoch = device_epoch + 1 where id = ?",
      address: "update users set email_key = 'new' || email_key where id = ?",
      disabled: "update users set active = 0 where id = ?",
      "no factor left": "update users set factors = 0 where id = ?",
    };
    for (const [change, sql] of Object.entries(changes)) {
      const ada = await withAuthenticator("ada");
      const challenged = await challengedAt(target.url, ada);
      rows.run(sql, ada.id);
      expect([change, (await verify(challenged, ada.app.code())).at("code")]).toEqual([change, "invalid_challenge"]);
    }
    const ada = await withAuthenticator("ada");
    const challenged = await challengedAt(target.url, ada);
    expect((await ada.client.post(auth("logout-all"))).status).toBe(200);
    expect((await verify(challenged, ada.app.code())).at("code")).toBe("invalid_challenge");
  });

  test("M-11 a challenge takes ten wrong codes, then not the right one either; a new sign-in gets a new challenge", async () => {
    const ada = await withAuthenticator("ada");
    const challenged = await challengedAt(target.url, ada);
    for (let tries = 0; tries < 10; tries += 1)
      expect((await verify(challenged, ada.app.wrong())).at("code")).toBe("invalid_code");
    expectRefusal(
      await verify(challenged, ada.app.code()),
      401,
      "the sign-in has expired or was begun elsewhere: sign in again",
      "invalid_challenge",
    );
    expect((await verify(await challengedAt(target.url, ada), ada.app.code())).status).toBe(200);
  });

  test("M-11 wrong codes are failures in the same rows as wrong passwords, and a right password alone forgives none", async () => {
    const ada = await withAuthenticator("ada");
    const total = "auth_attempts where attempts > 0";
    rows.forgive();
    const browser = createClient(target.url);
    for (let tries = 0; tries < 3; tries += 1)
      await browser.post(auth("login"), { login: ada.email, password: "not the password" });
    const challenged = await challengedAt(target.url, ada);
    await verify(challenged, ada.app.wrong());
    const most = () => rows.get("select max(attempts) as most from auth_attempts where attempts < 50")["most"];
    expect(Number(most())).toBeGreaterThanOrEqual(4);
    await challengedAt(target.url, ada);
    expect(Number(most())).toBeGreaterThanOrEqual(4);
    expect((await verify(challenged, ada.app.code())).status).toBe(200);
    // Only the account's count of the day is left, and the failures that were charged to the address.
    expect(rows.count(`${total} and locks_user is not null`)).toBe(0);
    const answers = [];
    for (let tries = 0; tries < 4; tries += 1)
      answers.push((await createClient(target.url).post(auth("login"), { login: ada.email, password: "no" })).status);
    expect(answers).toEqual([401, 401, 401, 401]);
  });

  test("M-11 the audit log tells why an answer was wrong", async () => {
    const ada = await withAuthenticator("ada");
    const challenged = await challengedAt(target.url, ada);
    await verify(challenged, ada.app.wrong());
    await Bun.sleep(0);
    const reasons = async (): Promise<unknown[]> =>
      rows.all("select reason from audit_events where subject_user_id = ? and action = 'auth.login-failed'", ada.id);
    for (let looks = 0; looks < 600 && (await reasons()).length === 0; looks += 1) await Bun.sleep(50);
    expect(await reasons()).toEqual([{ reason: "wrong_code" }]);
  });
});

describe("a fresh proof", () => {
  test("M-01 changes of address, factors and links, and the end of the account, take one of the last ten minutes", async () => {
    const ada = await people.register("ada");
    rows.run(
      "insert into auth_identities (id, user_id, provider, issuer, subject, linked_at) values ('linked', ?, 'github', 'x', ?, 0)",
      ada.id,
      ada.id,
    );
    rows.run("update auth_sessions set proved_at = created_at - ? where user_id = ?", 10 * minute, ada.id);
    const acts = {
      profile: { email: "new@example.test" },
      "mfa/totp/setup": {},
      "mfa/totp/remove": {},
      "mfa/recovery-codes": {},
      "passkeys/register/options": {},
      "identities/linked/unlink": {},
    };
    for (const [path, body] of Object.entries(acts))
      expect([path, (await ada.client.post(auth(path), body)).at("code")]).toEqual([path, "reauthentication_required"]);
    const deleted = await ada.client.post(auth("account/delete"), { current_password: "not the password" });
    expect(deleted.status).not.toBe(200);
    await ada.client.post(auth("reauthenticate"), { current_password: ada.password });
    expect((await ada.client.post(auth("identities/linked/unlink"))).status).toBe(200);
  });

  test("M-14 is given by a second factor, which raises the session; before that the password is none there", async () => {
    const ada = await withAuthenticator("ada");
    const weak = ada.client;
    const remove = () => weak.post(auth("account/delete"), { current_password: ada.password });
    const password = { current_password: ada.password };
    for (const refused of [
      await weak.post(auth("reauthenticate"), password),
      await weak.post(auth("change-password"), { ...password, new_password: "another walk by the sea" }),
      await remove(),
    ])
      expectRefusal(refused, 403, "reauthentication required", "reauthentication_required");
    const wrong = await weak.post(auth("reauthenticate"), { method: "totp", code: ada.app.wrong() });
    expectRefusal(wrong, 401, "invalid code", "invalid_code");
    expect((await weak.post(auth("reauthenticate/options"))).at("methods")).toEqual(["totp"]);
    const proven = await weak.post(auth("reauthenticate"), { method: "totp", code: ada.app.code() });
    expect(proven.status).toBe(200);
    expect((await weak.get(auth("sessions"))).at("sessions")).toMatchObject([{ factor: "totp" }]);
    expect((await weak.post(auth("reauthenticate"), password)).status).toBe(200);
    expect((await weak.post(auth("reauthenticate"), {})).at("code")).toBe("invalid_payload");
  });

  test("M-14 guesses with a session lock that session out of guessing", async () => {
    const ada = await withAuthenticator("ada");
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1)
      statuses.push((await ada.client.post(auth("reauthenticate"), { method: "totp", code: ada.app.wrong() })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 423, 423]);
    expect((await verify(await challengedAt(target.url, ada), ada.app.code())).status).toBe(200);
  });
});
