import { describe, expect, test } from "bun:test";
import {
  auth,
  expectRefusal,
  hour,
  mailedToken,
  nextMail,
  type Person,
  second,
  signInSubject,
} from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";

const verifySubject = "Verify your email";
const env = {
  APP_URL: "https://id.example.test",
  AUTH_EMAIL_LOGIN_ENABLED: "true",
  AUTH_PASSWORD_RESET_RATE_LIMIT_ATTEMPTS: "1000",
};
const { target, mailbox, rows, people } = await stage({ env });

const stranger = () => createClient(target.url);
const inspect = async (path: string, token: string): Promise<unknown> =>
  (await stranger().post(auth(`${path}/inspect`), { token })).json;
const good = (kind: string) => ({ ok: true, good: true, kind });
const dead = { ok: true, good: false, kind: null };

async function member(name: string): Promise<Person> {
  const person = await people.register(name);
  await nextMail(mailbox, person.email, verifySubject);
  rows.prove(person);
  return person;
}
const move = ({ client, password }: Person, email: string) =>
  client.post(auth("profile"), { email, current_password: password });

describe("a look at a mailed link", () => {
  test("G-32 says that it proves an address, redeems nothing, and says that it is dead once it was used", async () => {
    const ada = await people.register("ada");
    const token = await mailedToken(mailbox, ada.email, verifySubject);
    for (let looks = 0; looks < 3; looks += 1)
      expect(await inspect("email-verification", token)).toEqual(good("address"));
    expect((await ada.client.get(auth("me"))).at("user.email_verified_at")).toBeNull();
    expect((await stranger().post(auth("email-verification/confirm"), { token })).status).toBe(200);
    expect(await inspect("email-verification", token)).toEqual(dead);
  });

  test("G-32 says that it moves an account, until the change is given up", async () => {
    const ada = await member("ada");
    const moved = `moved.${ada.email}`;
    await move(ada, moved);
    const token = await mailedToken(mailbox, moved, verifySubject);
    expect(await inspect("email-verification", token)).toEqual(good("new_address"));
    await ada.client.post(auth("profile"), { email: ada.email });
    expect(await inspect("email-verification", token)).toEqual(dead);
  });

  test("G-32 says of the way back whether the change is only waiting, and that it has run out", async () => {
    const ada = await member("ada");
    const moved = `moved.${ada.email}`;
    await move(ada, moved);
    const confirmation = await mailedToken(mailbox, moved, verifySubject);
    const mail = await nextMail(mailbox, ada.email, "Your email address is to be changed");
    const waiting = /token=([\w-]{43})/.exec(mail.text)?.[1] ?? "";
    expect(await inspect("email-change", waiting)).toEqual(good("waiting_change"));
    await stranger().post(auth("email-verification/confirm"), { token: confirmation });
    const undo = await mailedToken(mailbox, ada.email, "Your email address was changed");
    expect(await inspect("email-change", undo)).toEqual(good("change"));
    rows.letPass(72 * hour + second);
    expect(await inspect("email-change", undo)).toEqual(dead);
  });

  test("G-32 says of a link that signs in whether it still does, and what a disabled account has is dead", async () => {
    const ada = await member("ada");
    await stranger().post(auth("email-login/request"), { login: ada.email });
    const mail = await nextMail(mailbox, ada.email, signInSubject);
    const token = /email-login\?token=([\w-]{43})/.exec(mail.text)?.[1] ?? "";
    expect(await inspect("email-login", token)).toEqual(good("sign_in"));
    rows.run("update users set active = 0 where id = ?", ada.id);
    expect(await inspect("email-login", token)).toEqual(dead);
  });

  test("G-32 a token of another kind, or a made-up one, is dead everywhere, without a word on whose it is", async () => {
    const ada = await people.register("ada");
    const token = await mailedToken(mailbox, ada.email, verifySubject);
    const madeUp = "A".repeat(43);
    for (const path of ["email-change", "email-login"]) expect(await inspect(path, token)).toEqual(dead);
    for (const path of ["email-verification", "email-change", "email-login"])
      expect(await inspect(path, madeUp)).toEqual(dead);
  });

  test("G-32 looks are limited by the client's address, as those who redeem are", async () => {
    const limited = await startTarget({ env: { AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "3" } });
    try {
      const client = createClient(limited.url);
      const statuses: number[] = [];
      for (let looks = 0; looks < 200; looks += 1) {
        const { status } = await client.post(auth("email-verification/inspect"), {
          token: `${looks}`.padStart(43, "a"),
        });
        statuses.push(status);
        if (status === 429) break;
      }
      expect(statuses.at(-1)).toBe(429);
    } finally {
      await limited.stop();
    }
  });

  test("M-40 a look at a link that signs in is refused where such links are off", async () => {
    const off = await startTarget();
    try {
      const answer = await createClient(off.url).post(auth("email-login/inspect"), { token: "A".repeat(43) });
      expectRefusal(answer, 403, "sign-in by email is off", "email_login_disabled");
    } finally {
      await off.stop();
    }
  });
});
