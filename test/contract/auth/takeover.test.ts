import { describe, expect, test } from "bun:test";
import { auth, expectRefusal, hour, isServed, mailedToken, nextMail } from "../../support/auth.ts";
import { setUpTotp } from "../../support/factors.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { signIn } from "./passkeys.fixture.ts";
import { stageTakeover } from "./takeover.fixture.ts";

const staged = await stageTakeover();
const { rows, mailbox, browser, people } = staged;
const {
  addApp,
  addPasskey,
  confirmMove,
  confirmReset,
  inDays,
  inspect,
  linkIdentity,
  login,
  member,
  newPassword,
  pend,
  resetToken,
  thiefsAddress,
  undo,
} = staged;
const audit = readAudit(rows);
const identitiesOf = ({ id }: { readonly id: string }) => rows.count("auth_identities where user_id = ?", id);
const factorsOf = ({ id }: { readonly id: string }) =>
  rows.get("select factors from users where id = ?", id)["factors"];

describe("an address that waits", () => {
  test("A-71 is told to the proven one as it is asked for, with a link that stops it and ends every session", async () => {
    const ada = await member("ada");
    const thief = await ada.login();
    const moving = await pend(ada, thief);
    const token = await mailedToken(mailbox, ada.email, "Your email address is to be changed");
    expect((await undo(token)).json).toEqual({ ok: true });
    expect([await isServed(thief), await isServed(ada.client)]).toEqual([false, false]);
    expectRefusal(await confirmMove(moving), 401, "invalid email verification token", "invalid_verification_token");
    expect((await login(ada.email, ada.password)).at("user")).toMatchObject({ email: ada.email, pending_email: null });
    await nextMail(mailbox, ada.email, "Reset your password");
    expect((await undo(token)).status).toBe(401);
    const [row] = await audit.about(ada.id, 1, "auth.address-rejected");
    expect(row?.["reason"]).toBe("cancelled");
  });

  test("A-71 is told to nobody where the account's own address was never proven", async () => {
    const ada = await people.register("ada");
    await nextMail(mailbox, ada.email, "Verify your email");
    await pend(ada, ada.client);
    const told = mailbox.all().filter(({ recipients, subject }) => recipients.includes(ada.email) && subject !== "");
    expect(told.filter(({ subject }) => subject.includes("is to be changed"))).toEqual([]);
  });

  test("A-71 the link that stops it goes on working once the account has moved, and brings it back", async () => {
    const ada = await member("ada");
    const moving = await pend(ada, await ada.login());
    const token = await mailedToken(mailbox, ada.email, "Your email address is to be changed");
    expect((await confirmMove(moving)).status).toBe(200);
    expect((await undo(token)).status).toBe(200);
    expect((await login(ada.email, ada.password)).at("user")).toMatchObject({ email: ada.email });
    expect((await login(thiefsAddress(ada), ada.password)).status).toBe(401);
  });
});

describe("an address to which a link leads back", () => {
  test("A-72 is taken for everybody else until the link ends, and the link works", async () => {
    const ada = await member("ada");
    const moving = await pend(ada, await ada.login());
    expect((await confirmMove(moving)).status).toBe(200);
    const form = { username: `gone.${ada.username}`, email: ada.email, password: "the thief was here first" };
    expectRefusal(await browser().post(auth("register"), form), 409, "email already in use", "email_taken");
    const grace = await member("grace");
    const wanted = await grace.client.post(auth("profile"), { email: ada.email, current_password: grace.password });
    expectRefusal(wanted, 409, "email already in use", "email_taken");
    const token = await mailedToken(mailbox, ada.email, "Your email address was changed");
    expect((await undo(token)).json).toEqual({ ok: true });
    expect((await login(ada.email, ada.password)).at("user")).toMatchObject({ email: ada.email });
    expect(rows.count("auth_reservations where user_id = ? and kind = 'email'", ada.id)).toBe(0);
  });

  test("A-72 is free once the link has ended", async () => {
    const ada = await member("ada");
    expect((await confirmMove(await pend(ada, await ada.login()))).status).toBe(200);
    await nextMail(mailbox, ada.email, "Your email address was changed");
    inDays(3.1);
    const form = { username: `new.${ada.username}`, email: ada.email, password: "somebody else altogether" };
    expect((await browser().post(auth("register"), form)).status).toBe(200);
  });

  test("A-72 waits for nobody who asked for it before it was given up", async () => {
    const [ada, grace] = [await member("ada"), await member("grace")];
    await grace.client.post(auth("profile"), { email: `early.${ada.email}`, current_password: grace.password });
    const early = await mailedToken(mailbox, `early.${ada.email}`, "Verify your email");
    rows.run(
      "insert into auth_reservations (kind, reserved_key, user_id, expires_at) values ('email', ?, ?, ?)",
      `early.${ada.email}`,
      ada.id,
      Date.now() + 60_000,
    );
    expectRefusal(await confirmMove(early), 409, "email already in use", "email_taken");
  });
});

describe("the name that signs in", () => {
  test("A-73 changes with a fresh proof alone, and is told by mail and in the audit log", async () => {
    const ada = await member("ada");
    const [thief, name] = [await ada.login(), `moved.${ada.username}`];
    staged.ageProof(ada);
    const refused = await thief.post(auth("profile"), { username: name });
    expect([refused.status, refused.at("code")]).toEqual([403, "reauthentication_required"]);
    const wrong = await thief.post(auth("profile"), { username: name, current_password: "not the password" });
    expect([wrong.status, wrong.at("code")]).toEqual([403, "reauthentication_required"]);
    const changed = await thief.post(auth("profile"), { username: name, current_password: ada.password });
    expect(changed.at("user.username")).toBe(name);
    await nextMail(mailbox, ada.email, "Your user name was changed");
    const [row] = await audit.about(ada.id, 1, "auth.username-changed");
    expect(row?.["session_id"]).toBeString();
    const again = await thief.post(auth("profile"), { username: name.toUpperCase() });
    expect(again.at("user.username")).toBe(name.toUpperCase());
  });

  test("A-99 reads and resets nothing by a link that went there", async () => {
    const ada = await member("ada");
    const token = await resetToken(ada);
    rows.run(
      "update auth_grants set purpose = 'identity_undo' where user_id = ? and purpose = 'password_reset'",
      ada.id,
    );
    expect((await inspect(token)).status).toBe(200);
    expect((await confirmMove(await pend(ada, await ada.login()))).status).toBe(200);
    linkIdentity(ada);
    for (const answer of [await inspect(token), await confirmReset(token)])
      expectRefusal(answer, 401, "invalid password reset token", "invalid_reset_token");
  });

  test("A-74 is kept from others for thirty days after it was given up, and its account may have it back", async () => {
    const ada = await member("ada");
    const rename = (username: string) => ada.client.post(auth("profile"), { username });
    const register = (username: string) =>
      browser().post(auth("register"), {
        username,
        email: `as.${username}.${crypto.randomUUID()}@example.test`,
        password: "the thief was here first",
      });
    expect((await rename(`x${ada.username}`)).status).toBe(200);
    expectRefusal(await register(ada.username), 409, "username already in use", "username_taken");
    const grace = await member("grace");
    const taking = await grace.client.post(auth("profile"), { username: ada.username });
    expectRefusal(taking, 409, "username already in use", "username_taken");
    expect((await rename(ada.username)).status).toBe(200);
    expectRefusal(await register(`x${ada.username}`), 409, "username already in use", "username_taken");
    inDays(31);
    expect((await register(`x${ada.username}`)).status).toBe(200);
  });
});

describe("what was added in the last seven days", () => {
  test("A-90 is shown by the link of a reset, which is not used up, and removed by it", async () => {
    const ada = await member("ada");
    inDays(8);
    const identity = linkIdentity(ada);
    const passkey = await addPasskey(await ada.login());
    const token = await resetToken(ada);
    const shown = await inspect(token);
    expect(shown.status).toBe(200);
    expect(shown.at("added")).toEqual([
      expect.objectContaining({ kind: "passkey" }),
      { kind: "identity", id: identity, name: "google, thief@evil.test", at: expect.any(String) },
    ]);
    expect((await confirmReset(token)).status).toBe(200);
    expect([identitiesOf(ada), factorsOf(ada)]).toEqual([0, 0]);
    expect((await signIn(browser(), passkey)).status).toBe(401);
    expect((await login(ada.email, newPassword)).status).toBe(200);
    expectRefusal(await inspect(token), 401, "invalid password reset token", "invalid_reset_token");
    const reasons = audit.all("subject_user_id = ? and reason = 'taken_back'", ada.id);
    expect(reasons.map(({ action }) => action).toSorted()).toEqual(["auth.factor-removed", "auth.identity-unlinked"]);
  });

  test("A-91 stays where it is kept, and is asked for", async () => {
    const ada = await member("ada");
    inDays(8);
    const [kept, gone] = [linkIdentity(ada, "ada"), linkIdentity(ada, "thief")];
    await addPasskey(await ada.login());
    addApp(ada);
    const token = await resetToken(ada);
    expect((await confirmReset(token, [kept, "totp"])).status).toBe(200);
    expect(rows.all("select id from auth_identities where user_id = ?", ada.id)).toEqual([{ id: kept }]);
    expect(gone).not.toBe(kept);
    expect(factorsOf(ada)).toBe(1);
    const waiting = await login(ada.email, newPassword);
    expect([waiting.status, waiting.at("code"), waiting.at("methods")]).toEqual([
      401,
      "mfa_required",
      expect.arrayContaining(["totp"]),
    ]);
  });

  test("A-92 is all that goes: what is older stays, and so does the identity that the account was made with", async () => {
    const ada = await member("ada");
    linkIdentity(ada);
    const { secret } = await setUpTotp(ada);
    expect(secret).toBeString();
    inDays(8);
    const token = await resetToken(ada);
    expect((await inspect(token)).at("added")).toEqual([]);
    expect((await confirmReset(token)).status).toBe(200);
    expect([identitiesOf(ada), factorsOf(ada)]).toEqual([1, 1]);

    // Release 0.2.0 wrote the identity of a newcomer with a time of its own.
    const grace = await member("grace");
    const [first, later] = [linkIdentity(grace, "first"), linkIdentity(grace, "later")];
    const then = Date.now() - 2 * hour;
    rows.run("update users set created_at = ?, email_verified_at = ? where id = ?", then, then, grace.id);
    rows.run("update auth_identities set linked_at = ? where id = ?", then + 800, first);
    expect((await confirmReset(await resetToken(grace))).status).toBe(200);
    expect(rows.all("select id from auth_identities where user_id = ?", grace.id)).toEqual([{ id: first }]);
    expect(later).not.toBe(first);
  });

  test("A-93 an identity goes with the links that undo or stop a change of the address", async () => {
    const [ada, grace] = [await member("ada"), await member("grace")];
    for (const [person, subject] of [
      [ada, "Your email address was changed"],
      [grace, "Your email address is to be changed"],
    ] as const) {
      inDays(0.01);
      const moving = await pend(person, await person.login());
      linkIdentity(person);
      if (person === ada) expect((await confirmMove(moving)).status).toBe(200);
      linkIdentity(person);
      expect((await undo(await mailedToken(mailbox, person.email, subject))).status).toBe(200);
      expect(identitiesOf(person)).toBe(0);
    }
  });

  test("A-94 a link to a new password goes on working whatever a squatter does in a session of an unproven account", async () => {
    const ada = await people.register("ada");
    const token = await resetToken(ada);
    const changed = { current_password: ada.password, new_password: "the squatter stays for good" };
    expect((await ada.client.post(auth("change-password"), changed)).status).toBe(200);
    expect((await ada.client.post(auth("logout-all"))).status).toBe(200);
    expect((await confirmReset(token)).status).toBe(200);
    expect((await login(ada.email, newPassword)).status).toBe(200);
  });

  test("M-80 the owner ends the link that takes a second factor back, by a proof with that factor", async () => {
    const ada = await member("ada");
    const before = await ada.login();
    await setUpTotp(ada);
    const mail = await nextMail(mailbox, ada.email, "An authenticator app was added to your account");
    const token = /token=([\w-]+)&reject=1/.exec(mail.text)?.[1] ?? "";
    const weak = await before.post(auth("mfa/take-back/void"));
    expect([weak.status, weak.at("code")]).toEqual([403, "reauthentication_required"]);
    expect((await ada.client.post(auth("mfa/take-back/void"))).json).toEqual({ ok: true });
    expectRefusal(await confirmReset(token), 401, "invalid password reset token", "invalid_reset_token");
    await nextMail(mailbox, ada.email, "A link about your account was ended");
    expect(await audit.about(ada.id, 1, "auth.take-back-ended")).toHaveLength(1);
    // The mailbox goes on winning for a week.
    expect((await confirmReset(await resetToken(ada))).status).toBe(200);
    expect(factorsOf(ada)).toBe(0);
    expect((await (await ada.login({ password: newPassword })).post(auth("mfa/take-back/void"))).at("code")).toBe(
      "factor_not_found",
    );
  });
});
