import { describe, expect, test } from "bun:test";
import { auth, expectRefusal, isServed, nextMail, type Person } from "../../support/auth.ts";
import { createAuthenticator } from "../../support/authenticator.ts";
import { outdateProof } from "../../support/factors.ts";
import { stage } from "../../support/stage.ts";
import { add, origin, signIn, stagePasskeys } from "./passkeys.fixture.ts";

const { target, rows, mailbox, people, browser } = await stagePasskeys({ AUTH_PASSWORDLESS: "allowed" });

const remove = ({ client }: Person) => client.post(auth("password/remove"));
async function withPasskeys(count: number) {
  const ada = await people.register("ada");
  rows.prove(ada);
  const passkeys = [];
  for (let made = 0; made < count; made += 1) {
    const passkey = await createAuthenticator(origin);
    await add(ada.client, passkey);
    passkeys.push(passkey);
  }
  return { ada, passkeys };
}
const login = ({ email, password }: Person) => browser().post(auth("login"), { login: email, password });

describe("an account that is opened by passkeys alone", () => {
  test("M-93 takes two of them and a fresh proof", async () => {
    const { ada } = await withPasskeys(1);
    expectRefusal(await remove(ada), 409, "the last way to sign in can't be removed", "last_auth_method");
    await add(ada.client, await createAuthenticator(origin));
    outdateProof(rows, ada);
    expectRefusal(await remove(ada), 403, "reauthentication required", "reauthentication_required");
    expect((await login(ada)).at("code")).toBe("mfa_required");
  });

  test("M-93 has no password any more, ends its other sessions, and tells its owner", async () => {
    const { ada, passkeys } = await withPasskeys(2);
    const [first] = passkeys;
    const other = browser();
    if (first === undefined) throw new Error("no passkey");
    await signIn(other, first);
    const answer = await remove(ada);
    expect([answer.status, answer.at("user.has_password")]).toEqual([200, false]);
    expect([await isServed(ada.client), await isServed(other)]).toEqual([true, false]);
    const refused = await login(ada);
    expectRefusal(refused, 401, "invalid credentials", "invalid_credentials");
    expect((await signIn(browser(), first)).status).toBe(200);
    await nextMail(mailbox, ada.email, "The password was removed from your account");
    expect(rows.count("audit_events where subject_user_id = ? and reason = 'password_removed'", ada.id)).toBe(1);
    // Once more changes nothing.
    expect((await remove(ada)).at("user.has_password")).toBe(false);
  });

  test("M-93 keeps its last passkey", async () => {
    const { ada } = await withPasskeys(2);
    await remove(ada);
    const ids = rows.all("select id from auth_passkeys where user_id = ?", ada.id).map(({ id }) => String(id));
    const [one = "", two = ""] = ids;
    expect((await ada.client.post(auth(`passkeys/${one}/remove`))).status).toBe(200);
    const last = await ada.client.post(auth(`passkeys/${two}/remove`));
    expectRefusal(last, 409, "the last way to sign in can't be removed", "last_auth_method");
  });

  test("M-93 keeps the last passkey that opens it, and not those of a name that the service had before", async () => {
    const { ada } = await withPasskeys(2);
    await remove(ada);
    const ids = rows.all("select id from auth_passkeys where user_id = ?", ada.id).map(({ id }) => String(id));
    const [before = "", one = ""] = ids;
    rows.run("update auth_passkeys set rp_id = 'before.example.test' where id = ?", before);
    const last = await ada.client.post(auth(`passkeys/${one}/remove`));
    expectRefusal(last, 409, "the last way to sign in can't be removed", "last_auth_method");
    expect((await ada.client.post(auth(`passkeys/${before}/remove`))).status).toBe(200);
  });
});

test("M-93 where it is not allowed, nobody removes the password", async () => {
  const usual = await stage();
  const ada = await usual.people.register("ada");
  expectRefusal(await ada.client.post(auth("password/remove")), 403, "forbidden", "forbidden");
  expect(target.url).not.toBe(usual.target.url);
});
