import { describe, expect, test } from "bun:test";
import { auth, calm, expectRefusal, mailedToken, nextMail, type Person } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { setUpTotp } from "../../support/factors.ts";
import { runGatehouse } from "../../support/process.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";

const { target, rows, mailbox, people, browser } = await stage({
  env: { AUTH_PASSWORD_MIN_LENGTH_ALONE: "15" },
});
const [short, long] = ["zq9wkx7vutsr4m", "zq9wkx7vutsr4mp"];

const expectShort = (answer: Answer, field: string): void => {
  expectRefusal(answer, 400, "password is too weak", "weak_password");
  expect(answer.at(`fields.${field}`)).toEqual({
    code: "too_short",
    message: "This must have at least 15 characters.",
  });
};
async function resetToken(person: Person): Promise<string> {
  await browser().post(auth("password-reset/request"), { login: person.email });
  return mailedToken(mailbox, person.email, "Reset your password");
}
const confirm = (token: string, password: string, keep: readonly string[] = []): Promise<Answer> =>
  browser().post(auth("password-reset/confirm"), { token, new_password: password, keep });
const change = (person: Person, password: string, from = person.password): Promise<Answer> =>
  person.client.post(auth("change-password"), { current_password: from, new_password: password });

describe("where a password that stands alone has 15 characters", () => {
  test("P-01 an account is made with no shorter one", async () => {
    const register = (password: string) =>
      browser().post(auth("register"), { email: `${crypto.randomUUID()}@example.test`, password });
    expectShort(await register(short), "password");
    expect((await register(long)).status).toBe(200);
  });

  test("P-01 nor is it changed or reset to one, unless there is a second factor beside it", async () => {
    const ada = await people.register("ada", { password: long });
    expectShort(await change(ada, short, long), "new_password");
    const token = await resetToken(ada);
    expectShort(await confirm(token, short), "new_password");
    await setUpTotp(ada);
    expect((await change(ada, short, long)).status).toBe(200);
  });

  test("P-01 the last second factor is removed once the password can stand alone", async () => {
    const ada = await people.register("ada", { password: long });
    await setUpTotp(ada);
    expect((await change(ada, short, long)).status).toBe(200);
    expectShort(await ada.client.post(auth("mfa/totp/remove")), "password");
    expect((await ada.client.get(auth("mfa"))).at("totp")).toBe(true);
    expect((await change(ada, `${long} and on`, short)).status).toBe(200);
    expect((await ada.client.post(auth("mfa/totp/remove"))).status).toBe(200);
  });

  test("P-01 a password whose length nobody knows counts as short, until it is typed", async () => {
    const ada = await people.register("ada", { password: long });
    await setUpTotp(ada);
    rows.run("update users set password_at_least = null where id = ?", ada.id);
    expectShort(await ada.client.post(auth("mfa/totp/remove")), "password");
    await browser().post(auth("login"), { login: ada.email, password: long });
    expect((await ada.client.post(auth("mfa/totp/remove"))).status).toBe(200);
  });

  test("P-01 a reset that takes a recent second factor asks for one that can stand alone", async () => {
    const ada = await people.register("ada", { password: long });
    await nextMail(mailbox, ada.email, "Verify your email");
    rows.prove(ada);
    await setUpTotp(ada);
    const token = await resetToken(ada);
    const shown = await browser().post(auth("password-reset/inspect"), { token });
    expectShort(await confirm(token, short), "new_password");
    expect((await confirm(token, short, [shown.textAt("added.0.id")])).status).toBe(200);
  });

  test("P-01 what the row says of the length is no more than what is asked for", async () => {
    const ada = await people.register("ada", { password: `${long} and on and on` });
    const kept = () => rows.get("select password_at_least as n from users where id = ?", ada.id)["n"];
    expect(Number(kept())).toBe(15);
    await setUpTotp(ada);
    await change(ada, short, `${long} and on and on`);
    expect(Number(kept())).toBe(8);
  });
});

test("P-01 where everybody has a second factor, eight characters are enough", async () => {
  const env = { ...calm, AUTH_PASSWORD_MIN_LENGTH_ALONE: "15", AUTH_MFA_REQUIRED: "true" };
  const strict = await startTarget({ env });
  const fields = { email: "ada@example.test", password: short };
  expect((await createClient(strict.url).post(auth("register"), fields)).status).toBe(200);
  await strict.stop();
});

test("P-01 a start refuses a length for lone passwords that is below that of all", async () => {
  const env = { ...target.env, AUTH_PASSWORD_MIN_LENGTH: "12", AUTH_PASSWORD_MIN_LENGTH_ALONE: "10" };
  const { code, stderr } = await runGatehouse(["env:check"], { cwd: target.folder, env });
  expect(code).toBe(2);
  expect(stderr).toContain("AUTH_PASSWORD_MIN_LENGTH_ALONE must not be less than AUTH_PASSWORD_MIN_LENGTH");
});
