import { describe, expect, test } from "bun:test";
import { auth, hour, expectRefusal, nextMail, type Person } from "../../support/auth.ts";
import { challenged, outdateProof, setUpTotp } from "../../support/factors.ts";
import { stage } from "../../support/stage.ts";
import { codeOf, hotp, wrongCodeOf } from "../../support/totp.ts";
import { readAudit } from "../audit/audit.fixture.ts";

const { target, people, rows, browser, mailbox } = await stage();
const audit = readAudit(rows);

async function register(name: string): Promise<Person> {
  const person = await people.register(name);
  rows.run("update users set email_verified_at = 1 where id = ?", person.id);
  return person;
}
/** Makes the account forget which codes its authenticator app has used. */
function forgetStep({ id }: Person): void {
  rows.run("update auth_totp set last_step = 0 where user_id = ?", id);
}
const reasons = async (person: Person, count: number): Promise<unknown[]> =>
  (await audit.about(person.id, count, "auth.login-failed")).map(({ reason }) => reason);

describe("a code of the authenticator app", () => {
  test("M-27 signs in once: neither it nor an older one is right after that", async () => {
    const ada = await register("ada");
    const { secret, step } = await setUpTotp(ada);
    // The code that confirmed the set-up counts as used.
    const first = await challenged(target.url, ada);
    expectRefusal(await first.verify("totp", hotp(secret, step)), 401, "invalid code", "invalid_code");
    expect((await first.verify("totp", wrongCodeOf(secret))).status).toBe(401);
    expect((await first.verify("totp", hotp(secret, step + 1))).status).toBe(200);
    const second = await challenged(target.url, ada);
    for (const used of [step + 1, step]) expect((await second.verify("totp", hotp(secret, used))).status).toBe(401);
    expect(await reasons(ada, 4)).toEqual(["code_used", "wrong_code", "code_used", "code_used"]);
  });

  test("M-27 proves a session again, once as well", async () => {
    const ada = await register("ada");
    const { secret, step } = await setUpTotp(ada);
    outdateProof(rows, ada);
    expect((await ada.client.post(auth("mfa/recovery-codes"))).status).toBe(403);
    const give = (at: number) => ada.client.post(auth("reauthenticate"), { method: "totp", code: hotp(secret, at) });
    expect((await give(step)).status).toBe(401);
    expect((await give(step + 1)).status).toBe(200);
    expect((await give(step + 1)).status).toBe(401);
    expect((await ada.client.post(auth("mfa/recovery-codes"))).status).toBe(200);
  });
});

describe("a recovery code", () => {
  test("M-28 signs in once, however it is typed, and its owner is told of it and of how many are left", async () => {
    const ada = await register("ada");
    const [code = "", other = ""] = (await setUpTotp(ada)).recoveryCodes;
    const first = await challenged(target.url, ada);
    expect((await first.verify("recovery_code", ` ${code.toUpperCase().replaceAll("-", " ")} `)).status).toBe(200);
    const mail = await nextMail(mailbox, ada.email, "A recovery code of your account was used");
    expect(mail.text).toContain("Codes that are left: 9");
    const second = await challenged(target.url, ada);
    expect((await second.verify("recovery_code", code)).status).toBe(401);
    expect(await reasons(ada, 1)).toEqual(["code_used"]);
    expect((await audit.about(ada.id, 1, "auth.recovery-code-used"))[0]).toMatchObject({ outcome: "success" });
    expect((await second.client.get(auth("me"))).status).toBe(401);
    expect((await second.verify("recovery_code", other)).status).toBe(200);
    expect(JSON.parse((await second.client.get(auth("mfa"))).text)).toMatchObject({ recovery_codes_left: 8 });
  });

  test("M-10 answers a challenge once, however many of them are right and come at once", async () => {
    const ada = await register("ada");
    const { secret, step, recoveryCodes } = await setUpTotp(ada);
    const { verify, client } = await challenged(target.url, ada);
    const before = rows.count("auth_sessions where user_id = ?", ada.id);
    const answers = await Promise.all([
      verify("totp", hotp(secret, step + 1)),
      ...recoveryCodes.slice(0, 6).map((code) => verify("recovery_code", code)),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(rows.count("auth_sessions where user_id = ?", ada.id)).toBe(before + 1);
    // Codes that opened nothing were not used up.
    expect(rows.count("auth_recovery_codes where user_id = ? and used_at is null", ada.id)).toBeGreaterThanOrEqual(9);
    const late = await verify("recovery_code", recoveryCodes[9] ?? "");
    expect([late.status, late.at("code")]).toEqual([401, "invalid_challenge"]);
    void client;
  });

  test("M-11 is right however many wrong ones of all kinds a thief of the password has sent that day", async () => {
    const ada = await register("ada");
    const { secret, step, recoveryCodes } = await setUpTotp(ada);
    const { verify } = await challenged(target.url, ada);
    await verify("totp", wrongCodeOf(secret));
    await verify("recovery_code", "nothing that was ever made");
    const now = Date.now();
    rows.run(
      "update auth_attempts set attempts = 100 where expires_at between ? and ?",
      now + 20 * hour,
      now + 25 * hour,
    );
    expect((await verify("totp", hotp(secret, step + 1))).at("code")).toBe("rate_limited");
    expect((await verify("recovery_code", recoveryCodes[0] ?? "")).status).toBe(200);
  });

  test("M-28 is worth nothing for another account, and nothing once new ones were made or the last factor is gone", async () => {
    const [ada, grace] = [await register("ada"), await register("grace")];
    const [[code = ""], [hers = ""]] = [(await setUpTotp(ada)).recoveryCodes, (await setUpTotp(grace)).recoveryCodes];
    const first = await challenged(target.url, ada);
    expect((await first.verify("recovery_code", hers)).status).toBe(401);
    await ada.client.post(auth("mfa/recovery-codes"));
    expect((await first.verify("recovery_code", code)).status).toBe(401);
    expect((await ada.client.post(auth("mfa/totp/remove"))).status).toBe(200);
    // The challenge asks for a factor that the account no longer has.
    expectRefusal(
      await first.verify("recovery_code", code),
      401,
      "the sign-in has expired or was begun elsewhere: sign in again",
      "invalid_challenge",
    );
    await ada.login();
  });
});

describe("a session from before the account had a second factor", () => {
  test("M-22 goes on, and changes no factor until it was proven by one, whatever password it gives", async () => {
    const ada = await register("ada");
    const other = await ada.login();
    const { secret } = await setUpTotp(ada);
    expect((await other.get(auth("me"))).status).toBe(200);
    await other.post(auth("reauthenticate"), { current_password: ada.password });
    for (const act of ["mfa/totp/setup", "mfa/totp/remove", "mfa/recovery-codes"])
      expectRefusal(await other.post(auth(act)), 403, "reauthentication required", "reauthentication_required");
    forgetStep(ada);
    expect((await other.post(auth("reauthenticate"), { method: "totp", code: codeOf(secret) })).status).toBe(200);
    expect((await other.post(auth("mfa/totp/remove"))).status).toBe(200);
  });
});

test("M-06 after a reset of the password the second factor is asked for as before", async () => {
  const ada = await register("ada");
  const { secret } = await setUpTotp(ada);
  rows.letPass(8 * 24 * hour);
  await browser().post(auth("password-reset/request"), { login: ada.email });
  const mail = await nextMail(mailbox, ada.email, "Reset your password");
  const reset = { token: /token=([\w-]+)/.exec(mail.text)?.[1], new_password: "another walk by the sea" };
  expect((await browser().post(auth("password-reset/confirm"), reset)).status).toBe(200);
  const waiting = await challenged(target.url, { ...ada, password: reset.new_password });
  expect((await waiting.client.get(auth("me"))).status).toBe(401);
  expect((await waiting.verify("totp", codeOf(secret, 1))).status).toBe(200);
});
