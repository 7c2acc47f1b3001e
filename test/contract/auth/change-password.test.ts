import { describe, expect, test } from "bun:test";
import {
  auth,
  cookieNames,
  expectEnded,
  expectRefusal,
  isServed,
  mailedToken,
  nextMail,
  refreshes,
  secretsOf,
  type Person,
} from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const { target, rows, mailbox, people } = await stage();

const next = "another walk by the sea";
const change = ({ client, password }: Person, fields: Record<string, unknown> = {}) =>
  client.post(auth("change-password"), { current_password: password, new_password: next, ...fields });

describe("POST /change-password", () => {
  test("answers the user and sets the cookies; the new password logs in, the old one does not", async () => {
    const ada = await people.register("ada");
    const answer = await change(ada);
    expect(answer.status).toBe(200);
    expect(answer.at("user")).toMatchObject({ id: ada.id, has_password: true });
    expect(cookieNames(answer)).toEqual(["auth_access", "auth_device", "auth_refresh"]);
    await ada.login({ password: next });
    const old = await createClient(target.url).post(auth("login"), { login: ada.email, password: ada.password });
    expectRefusal(old, 401, "invalid credentials", "invalid_credentials");
  });

  test("C-14 ends all other sessions at once, keeps the current one and gives it a new secret", async () => {
    const ada = await people.register("ada");
    const others = [await ada.login(), await ada.login({ remember: true })];
    const before = secretsOf(ada.client);
    expect((await change(ada)).status).toBe(200);
    for (const other of others) await expectEnded(target.url, secretsOf(other));
    expect(secretsOf(ada.client).refresh).not.toBe(before.refresh);
    expect(await isServed(ada.client)).toBe(true);
    const stolen = createClient(target.url);
    stolen.setCookie("auth_refresh", before.refresh);
    expect(await refreshes(stolen)).toBe(false);
    expect(await refreshes(ada.client)).toBe(true);
    expect(rows.count("auth_sessions where user_id = ? and revoked_at is null", ada.id)).toBe(1);
  });

  test("keeps a remembered session remembered", async () => {
    const ada = await people.register("ada", { remember: true });
    const answer = await change(ada);
    const cookie = answer.setCookies.find(({ name }) => name === "auth_refresh");
    expect(Number(cookie?.attributes.get("max-age"))).toBeGreaterThan(719 * 3600);
  });

  test.each([
    ["without the current password", { current_password: undefined }],
    ["without a new password", { new_password: undefined }],
    ["with a number as new password", { new_password: 12345678 }],
    ["with an empty body", { current_password: undefined, new_password: undefined }],
  ])("P-11 fails %s", async (_, fields) => {
    const ada = await people.register("ada");
    const answer = await change(ada, fields);
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
    expect(answer.setCookies).toEqual([]);
    await ada.login();
  });

  test("P-11 fails with a wrong current password, which counts towards the lockout of that session", async () => {
    const ada = await people.register("ada");
    for (let failure = 1; failure <= 4; failure += 1) {
      const answer = await change(ada, { current_password: "not the password" });
      expectRefusal(answer, 401, "invalid credentials", "invalid_credentials");
      expect(answer.setCookies).toEqual([]);
    }
    expectRefusal(await change(ada, { current_password: "not the password" }), 423, "account locked", "account_locked");
    const login = await createClient(target.url).post(auth("login"), { login: ada.email, password: ada.password });
    expect(login.status).toBe(200);
    expectRefusal(await change(ada), 423, "account locked", "account_locked");
    expect(await isServed(ada.client)).toBe(true);
  });

  test("a weak new password changes nothing", async () => {
    const ada = await people.register("ada");
    const other = await ada.login();
    const answer = await change(ada, { new_password: "short" });
    expectRefusal(answer, 400, "password is too weak", "weak_password");
    expect(answer.at("fields.new_password.code")).toBeString();
    expect(answer.setCookies).toEqual([]);
    expect(await isServed(other)).toBe(true);
    await ada.login();
  });

  test("an account without a password can't set one this way", async () => {
    const ada = await people.register("ada");
    rows.run("update users set password_hash = null where id = ?", ada.id);
    expectRefusal(await change(ada, { current_password: "" }), 401, "invalid credentials", "invalid_credentials");
    expectRefusal(await change(ada, { current_password: "decoy" }), 401, "invalid credentials", "invalid_credentials");
  });

  test("of two simultaneous changes one succeeds, and its password is the one that logs in", async () => {
    const ada = await people.register("ada");
    const passwords = ["the first walk by the sea", "the second walk by the sea"];
    const answers = await Promise.all(
      passwords.map((new_password) => change({ ...ada, client: ada.client.copy() }, { new_password })),
    );
    const winners = passwords.filter((_, index) => answers[index]?.status === 200);
    expect(winners).toHaveLength(1);
    await ada.login({ password: winners[0] ?? "" });
  });

  test("G-09 sends a notice, without any secret in it", async () => {
    const ada = await people.register("ada");
    rows.prove(ada);
    await change(ada);
    const notice = await nextMail(mailbox, ada.email, "Your password was changed");
    for (const secret of [next, ada.password, ...Object.values(secretsOf(ada.client))])
      expect(notice.raw).not.toContain(secret);
  });

  test("leaves a reset that was asked for before to the owner of the mailbox", async () => {
    const ada = await people.register("ada");
    await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
    const token = await mailedToken(mailbox, ada.email, "Reset your password");
    await change(ada);
    const confirmed = await createClient(target.url).post(auth("password-reset/confirm"), {
      token,
      new_password: "a third walk by the sea",
    });
    expect(confirmed.status).toBe(200);
  });
});
