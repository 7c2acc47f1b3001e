import { describe, expect, test } from "bun:test";
import {
  auth,
  expectEnded,
  expectRefusal,
  hour,
  isCleared,
  isServed,
  mailedToken,
  minute,
  nextMail,
  second,
  secretsOf,
  type Person,
} from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const appUrl = "https://id.example.test";
const subject = "Reset your password";
const next = "another walk by the sea";

const { target, rows, mailbox, people } = await stage({ env: { APP_URL: appUrl } });

const stranger = () => createClient(target.url);
const request = (login: string, headers: Record<string, string> = {}) =>
  stranger().post(auth("password-reset/request"), { login }, { headers });
const confirm = (token: string, new_password = next): Promise<Answer> =>
  stranger().post(auth("password-reset/confirm"), { token, new_password });
async function tokenFor({ email }: Person): Promise<string> {
  await request(email);
  return mailedToken(mailbox, email, subject);
}
const expectDead = (answer: Answer): void =>
  expectRefusal(answer, 401, "invalid password reset token", "invalid_reset_token");

describe("POST /password-reset/confirm", () => {
  test("sets the password, and G-08 signs nobody in: both cookies are cleared", async () => {
    const ada = await people.register("ada");
    const answer = await confirm(await tokenFor(ada));
    expect({ status: answer.status, json: answer.json }).toEqual({ status: 200, json: { ok: true } });
    expect(isCleared(answer)).toBe(true);
    await ada.login({ password: next });
    const old = await stranger().post(auth("login"), { login: ada.email, password: ada.password });
    expectRefusal(old, 401, "invalid credentials", "invalid_credentials");
  });

  test("C-15 ends every session, the one that asked included", async () => {
    const ada = await people.register("ada");
    const browsers = [ada.client, await ada.login(), await ada.login({ remember: true })];
    await ada.client.post(auth("password-reset/request"), { login: ada.email });
    const token = await mailedToken(mailbox, ada.email, subject);
    const secrets = browsers.map(secretsOf);
    expect((await ada.client.post(auth("password-reset/confirm"), { token, new_password: next })).status).toBe(200);
    for (const each of secrets) await expectEnded(target.url, each);
  });

  test("lifts a lockout", async () => {
    const ada = await people.register("ada");
    const login = (password: string) => stranger().post(auth("login"), { login: ada.email, password });
    for (let failure = 0; failure < 5; failure += 1) await login("not the password");
    expectRefusal(await login(ada.password), 423, "account locked", "account_locked");
    expect((await confirm(await tokenFor(ada))).status).toBe(200);
    expect((await login(next)).status).toBe(200);
  });

  test("G-08 applies every password rule, and a refused password leaves the token usable", async () => {
    const ada = await people.register("ada");
    const token = await tokenFor(ada);
    for (const weak of ["short", "password123", "x".repeat(257), ada.email]) {
      const answer = await confirm(token, weak);
      expectRefusal(answer, 400, "password is too weak", "weak_password");
      expect(answer.at("fields.new_password.code")).toBeString();
      expect(answer.setCookies).toEqual([]);
    }
    expect(await isServed(ada.client)).toBe(true);
    expect((await confirm(token)).status).toBe(200);
  });

  test.each([
    ["no token", { new_password: next }],
    ["no password", { token: "x" }],
    ["an empty body", undefined],
    ["a number as token", { token: 5, new_password: next }],
  ])("refuses %s", async (_, body) => {
    const answer = await stranger().post(auth("password-reset/confirm"), body);
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
    expect(answer.setCookies).toEqual([]);
  });

  test("refuses a token that was never issued, altered, or stored", async () => {
    const ada = await people.register("ada");
    const token = await tokenFor(ada);
    const { token_hash } = rows.get(
      "select token_hash from auth_grants where user_id = ? and purpose = 'password_reset'",
      ada.id,
    );
    const wrong = [
      "",
      "x",
      `${token}x`,
      token.slice(0, -1),
      token.toLowerCase(),
      String(token_hash),
      "A".repeat(43),
      "x".repeat(512),
    ];
    for (const each of wrong) expectDead(await confirm(each));
    expect((await confirm(token)).status).toBe(200);
  });

  test("G-03 works once: of 100 simultaneous confirms one succeeds, and replays fail", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const token = await tokenFor(ada);
    const answers: Answer[] = [];
    // The service hashes a bounded number at once and answers 503 to the rest. Those requests have tried nothing and may come again.
    const ask = async (): Promise<void> => {
      const answer = await confirm(token);
      if (answer.status === 503) await ask();
      else answers.push(answer);
    };
    await Promise.all(Array.from({ length: 100 }, ask));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array<number>(99).fill(401)]);
    expectDead(await confirm(token));
    expectDead(await confirm(token, "a third walk by the sea"));
    await ada.login({ password: next });
    expect(await isServed(grace.client)).toBe(true);
  });

  test("G-04 works for an hour and no longer", async () => {
    const ada = await people.register("ada");
    const late = await tokenFor(ada);
    rows.letPass(hour + second);
    expectDead(await confirm(late));
    const intime = await tokenFor(ada);
    rows.letPass(hour - minute);
    expect((await confirm(intime)).status).toBe(200);
  });

  test("G-06 reading the link redeems nothing: GET, HEAD and OPTIONS leave the token valid", async () => {
    const ada = await people.register("ada");
    const token = await tokenFor(ada);
    for (const method of ["GET", "HEAD", "OPTIONS"]) {
      const path = auth(`password-reset/confirm?token=${token}&new_password=${encodeURIComponent(next)}`);
      expect((await stranger().request(method, path)).status).toBeGreaterThanOrEqual(400);
      // The page of the link waits for a click.
      await stranger().request(method, `/reset-password?token=${token}`);
    }
    await ada.login();
    expect((await confirm(token)).status).toBe(200);
  });

  test("G-07 a token changes its own user alone, and the first one used kills the others", async () => {
    const [ada, mallory] = [await people.register("ada"), await people.register("mallory")];
    const older = await tokenFor(mallory);
    rows.letPass(5 * minute + second);
    const newer = await tokenFor(mallory);
    const body = { token: newer, new_password: next, login: ada.email, email: ada.email, user_id: ada.id, sub: ada.id };
    expect((await stranger().post(auth("password-reset/confirm"), body)).status).toBe(200);
    expectDead(await confirm(older));
    await ada.login();
    await mallory.login({ password: next });
    expect(await isServed(ada.client)).toBe(true);
  });

  test("G-07 a change of the address since kills the token, even when it is changed back", async () => {
    const ada = await people.register("ada");
    await nextMail(mailbox, ada.email, "Verify your email");
    const token = await tokenFor(ada);
    const move = (email: string) => ada.client.post(auth("profile"), { email, current_password: ada.password });
    for (const address of [`new.${ada.email}`, ada.email]) {
      expect((await move(address)).status).toBe(200);
      const mailed = await mailedToken(mailbox, address, "Verify your email");
      const confirmed = await ada.client.post(auth("email-verification/confirm"), { token: mailed });
      expect(confirmed.at("user.email")).toBe(address);
      expectDead(await confirm(token));
    }
    await ada.login();
  });

  test("a user disabled since can't redeem", async () => {
    const ada = await people.register("ada");
    const token = await tokenFor(ada);
    rows.run("update users set active = 0 where id = ?", ada.id);
    expectDead(await confirm(token));
    rows.run("update users set active = 1 where id = ?", ada.id);
    await ada.login();
  });

  test("gives an account without a password one", async () => {
    const ada = await people.register("ada");
    rows.run("update users set password_hash = null where id = ?", ada.id);
    await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
    const token = await mailedToken(mailbox, ada.email, "Choose your first password");
    expect((await confirm(token)).status).toBe(200);
    await ada.login({ password: next });
  });

  test("G-09 sends a notice", async () => {
    const ada = await people.register("ada");
    const token = await tokenFor(ada);
    await confirm(token);
    const notice = await nextMail(mailbox, ada.email, "Your password was reset");
    for (const secret of [token, next]) expect(notice.raw).not.toContain(secret);
  });

  test("G-13 whatever answers a URL with a token sends no referrer and loads nothing", async () => {
    for (const path of [`/reset-password?token=${"A".repeat(43)}`, `/verify-email?token=${"A".repeat(43)}`]) {
      const { headers, text } = await stranger().get(path);
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(text).not.toMatch(/(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i);
    }
  });
});
