import { describe, expect, test } from "bun:test";
import { auth, expectRefusal, hour, minute, nextMail, type Person } from "../../support/auth.ts";
import { codeOf, wrongCodeOf } from "../../support/totp.ts";
import type { Answer, Client } from "../../support/client.ts";
import { outdateProof, setUpTotp } from "../../support/factors.ts";
import { stage } from "../../support/stage.ts";
import { eventsOf, readAudit, telling } from "../audit/audit.fixture.ts";

const { target, people, rows, browser, mailbox } = await stage({ env: telling });
const audit = readAudit(rows);

/** Registers a person with a proven address, so that notices reach it. */
async function register(name: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Person> {
  const person = await people.register(name, fields);
  rows.run("update users set email_verified_at = 1 where id = ?", person.id);
  return person;
}
const begin = (client: Client): Promise<Answer> => client.post(auth("mfa/totp/setup"));
const confirm = (client: Client, code: string): Promise<Answer> => client.post(auth("mfa/totp/confirm"), { code });
const overview = async (client: Client): Promise<unknown> => {
  const { text } = await client.get(auth("mfa"));
  return JSON.parse(text);
};
const nothing = { ok: true, totp: false, passkeys: [], recovery_codes_left: 0 };

describe("setting up an authenticator app", () => {
  test("M-20 gives the secret in three forms, and counts once a code has confirmed it", async () => {
    const ada = await register("ada");
    expect(await overview(ada.client)).toEqual(nothing);
    const begun = await begin(ada.client);
    expect(begun.status).toBe(200);
    const secret = begun.textAt("secret");
    expect(begun.textAt("otpauth_uri")).toContain(`secret=${secret}`);
    expect(begun.textAt("otpauth_uri")).toContain(encodeURIComponent(ada.email));
    expect(begun.textAt("qr_svg")).toStartWith("<svg ");
    // An unconfirmed app is no factor: a password is enough.
    expect(await overview(ada.client)).toEqual(nothing);
    await ada.login();
    expectRefusal(await confirm(ada.client, wrongCodeOf(secret)), 401, "invalid code", "invalid_code");
    const confirmed = await confirm(ada.client, codeOf(secret));
    expect(confirmed.status).toBe(200);
    expect(await overview(ada.client)).toEqual({ ...nothing, totp: true, recovery_codes_left: 10 });
    // No later answer has the values that were shown once.
    const shown = [secret, ...Object.values(Object(confirmed.at("recovery_codes"))).map(String)];
    expect(shown).toHaveLength(11);
    const later = `${(await ada.client.get(auth("mfa"))).text} ${(await ada.client.get(auth("me"))).text}`;
    expect(shown.filter((text) => later.includes(text))).toEqual([]);
  });

  test("M-20 begun anew, it takes the place of one that was not confirmed; it expires after ten minutes", async () => {
    const ada = await register("ada");
    const first = (await begin(ada.client)).textAt("secret");
    const second = (await begin(ada.client)).textAt("secret");
    expect((await confirm(ada.client, codeOf(first))).status).toBe(401);
    rows.run("update auth_totp set created_at = created_at - ? where user_id = ?", 10 * minute, ada.id);
    expectRefusal(await confirm(ada.client, codeOf(second)), 404, "second factor not found", "factor_not_found");
    expect(await overview(ada.client)).toEqual(nothing);
  });

  test("M-20 is refused beside one that is set up, and of two confirmations at once one wins", async () => {
    const ada = await register("ada");
    const code = codeOf((await begin(ada.client)).textAt("secret"));
    const answers = await Promise.all([confirm(ada.client, code), confirm(ada.client, code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expectRefusal(await begin(ada.client), 409, "the second factor is set up already", "factor_exists");
    expect(rows.count("auth_recovery_codes where user_id = ?", ada.id)).toBe(10);
  });

  test("M-21 each change takes a session and a fresh proof", async () => {
    const ada = await register("ada");
    const acts = ["mfa/totp/setup", "mfa/totp/confirm", "mfa/totp/remove", "mfa/recovery-codes"];
    await setUpTotp(ada);
    outdateProof(rows, ada);
    for (const act of acts) {
      const refused = await ada.client.post(auth(act), { code: "123456" });
      expectRefusal(refused, 403, "reauthentication required", "reauthentication_required");
      expect((await browser().post(auth(act), { code: "123456" })).status).toBe(401);
    }
    expect((await browser().get(auth("mfa"))).status).toBe(401);
    expect(await overview(ada.client)).toMatchObject({ totp: true, recovery_codes_left: 10 });
  });

  test("M-21 an account has 60 such requests an hour", async () => {
    const ada = await register("ada");
    for (let sent = 0; sent < 60; sent += 1) expect((await ada.client.post(auth("mfa/totp/remove"))).status).toBe(404);
    const refused = await begin(ada.client);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(hour / 1_000);
  });
});

describe("removing it", () => {
  test("M-22 takes the recovery codes along, and leaves other sessions alone", async () => {
    const ada = await register("ada");
    const other = await ada.login();
    await setUpTotp(ada);
    expect((await ada.client.post(auth("mfa/totp/remove"))).status).toBe(200);
    expect(await overview(ada.client)).toEqual(nothing);
    expect((await other.get(auth("me"))).status).toBe(200);
    expect(rows.count("auth_totp where user_id = ?", ada.id)).toBe(0);
    expect(rows.count("auth_recovery_codes where user_id = ?", ada.id)).toBe(0);
    const again = await ada.client.post(auth("mfa/totp/remove"));
    expectRefusal(again, 404, "second factor not found", "factor_not_found");
    // A password is enough again.
    await ada.login();
  });
});

describe("recovery codes", () => {
  test("M-03 are kept as hashes alone, and new ones void those before", async () => {
    const ada = await register("ada");
    expect((await ada.client.post(auth("mfa/recovery-codes"))).status).toBe(404);
    const { recoveryCodes } = await setUpTotp(ada);
    const stored = (): string[] =>
      rows
        .all("select code_hash from auth_recovery_codes where user_id = ?", ada.id)
        .map((row) => String(row["code_hash"]));
    const before = stored();
    expect(before.filter((hash) => !/^[0-9a-f]{64}$/.test(hash))).toEqual([]);
    const remade = await ada.client.post(auth("mfa/recovery-codes"));
    expect(remade.status).toBe(200);
    const codes = Object.values(Object(remade.at("recovery_codes"))).map(String);
    expect(codes.filter((code) => recoveryCodes.includes(code))).toEqual([]);
    expect(stored()).toHaveLength(10);
    expect(stored().filter((hash) => before.includes(hash))).toEqual([]);
  });
});

describe("every change is told", () => {
  test("M-23 by mail, in German to whoever reads German, with when, from where and what to do", async () => {
    const ada = await register("ada", { locale: "de-AT" });
    await setUpTotp(ada);
    const added = await nextMail(mailbox, ada.email, "Ihr Konto bei Gatehouse hat jetzt eine Authenticator-App");
    for (const part of ["Wann", "Gerät", "127.0.0.1", "Waren Sie das", "Wenn nicht, kennt jemand Ihr Passwort"])
      expect(added.text).toContain(part);
    await ada.client.post(auth("mfa/recovery-codes"));
    await nextMail(mailbox, ada.email, "Neue Wiederherstellungscodes für Ihr Konto bei Gatehouse");
    const grace = await register("grace");
    await setUpTotp(grace);
    await grace.client.post(auth("mfa/totp/remove"));
    const removed = await nextMail(mailbox, grace.email, "The authenticator app was removed from your account");
    for (const part of ["When", "Device", "127.0.0.1", "If it was not"]) expect(removed.text).toContain(part);
  });

  test("M-23 in the audit log, with the session that did it, and as events", async () => {
    const ada = await register("ada");
    await setUpTotp(ada);
    await ada.client.post(auth("mfa/recovery-codes"));
    await ada.client.post(auth("mfa/totp/remove"));
    const changes = audit
      .all("subject_user_id = ?", ada.id)
      .filter(({ action }) => /factor|recovery/.test(String(action)));
    expect(changes.map(({ action, reason }) => [action, reason])).toEqual([
      ["auth.factor-added", "totp"],
      ["auth.recovery-codes-made", null],
      ["auth.recovery-codes-made", null],
      ["auth.factor-removed", "totp"],
    ]);
    expect(changes.filter(({ actor, session_id }) => actor !== "user" || session_id === null)).toEqual([]);
    expect(await eventsOf(target, changes)).toEqual(changes.map(({ action }) => String(action)));
  });
});

describe("of an account whose address was never proven", () => {
  const verify = (client: Client, token: string): Promise<Answer> =>
    client.post(auth("email-verification/confirm"), { token });
  const proofOf = async (person: Person): Promise<string> => {
    const mail = await nextMail(mailbox, person.email, "Verify your email");
    return /token=([\w-]+)/.exec(mail.text)?.[1] ?? "";
  };

  test("M-24 the first proof by whoever reads its mail removes the factors, and the proof by its own session keeps them", async () => {
    const [stranger, ada] = [await people.register("stranger"), await people.register("ada")];
    await Promise.all([setUpTotp(stranger), setUpTotp(ada)]);
    expect((await verify(browser(), await proofOf(stranger))).status).toBe(200);
    expect(rows.get("select factors from users where id = ?", stranger.id)).toEqual({ factors: 0 });
    expect(rows.count("auth_totp where user_id = ?", stranger.id)).toBe(0);
    expect(rows.count("auth_recovery_codes where user_id = ?", stranger.id)).toBe(0);
    const [row] = await audit.about(stranger.id, 1, "auth.factors-reset");
    expect(row?.["reason"]).toBe("address_not_proven");
    expect((await verify(ada.client, await proofOf(ada))).status).toBe(200);
    expect(await overview(ada.client)).toMatchObject({ totp: true, recovery_codes_left: 10 });
  });

  test("M-06 a reset of the password removes the factors of an account that was never proven, and of no other", async () => {
    const [stranger, ada] = [await people.register("stranger"), await register("ada")];
    for (const person of [stranger, ada]) await setUpTotp(person);
    rows.letPass(8 * 24 * hour);
    for (const person of [stranger, ada]) {
      await browser().post(auth("password-reset/request"), { login: person.email });
      const mail = await nextMail(mailbox, person.email, "Reset your password");
      const token = /token=([\w-]+)/.exec(mail.text)?.[1];
      const reset = await browser().post(auth("password-reset/confirm"), {
        token,
        new_password: "another walk by the sea",
      });
      expect(reset.status).toBe(200);
    }
    expect(rows.get("select factors from users where id = ?", stranger.id)).toEqual({ factors: 0 });
    expect(rows.get("select factors from users where id = ?", ada.id)).toEqual({ factors: 1 });
    expect(rows.count("auth_recovery_codes where user_id = ?", ada.id)).toBe(10);
  });
});
