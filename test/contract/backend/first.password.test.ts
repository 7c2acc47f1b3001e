import { describe, expect, test } from "bun:test";
import { auth, expectRefusal, hour, isServed, mailedToken, minute, nextMail } from "../../support/auth.ts";
import type { Answer } from "../../support/client.ts";
import { foreignHashes } from "../../support/foreign.hashes.ts";
import { noteSecret } from "../../support/seen.ts";
import { stage } from "../../support/stage.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { serviceKit } from "./service.fixture.ts";

const { target, rows, people, mailbox, browser } = await stage({
  env: { AUTH_FIRST_PASSWORD_TTL: "72h", AUTH_PASSWORD_RESET_TTL: "30m" },
});
const backend = await serviceKit(target).backend("keeper", "users:read,users:write");
const audit = readAudit(rows);
const subject = "Choose your first password";
const day = 24 * hour;
const password = "a long walk by the sea";

let count = 0;
const address = (): string => `newcomer${++count}@example.test`;
const isReset = (path: string, body: object): Promise<Answer> => browser().post(auth(`password-reset/${path}`), body);
const confirm = (token: string, secret = password): Promise<Answer> =>
  isReset("confirm", { token, new_password: secret });
const inspect = (token: string): Promise<Answer> => isReset("inspect", { token });
const login = (email: string, secret = password): Promise<Answer> =>
  browser().post(auth("login"), { login: email, password: secret });
/** Asks for a link as a stranger who knows the address. Resolves to its token. */
async function strangersToken(email: string): Promise<string> {
  await isReset("request", { login: email });
  return mailedToken(mailbox, email, subject);
}

/** Makes an account whose person is invited to choose a password. Resolves to the token of the mail. */
async function invited(fields: object = {}) {
  const email = address();
  const made = await backend.post("", { email, send: "invitation", ...fields });
  expect(made.status).toBe(200);
  return { email, id: made.textAt("user.id"), made, token: await mailedToken(mailbox, email, subject) };
}
const sendAgain = async ({ id, email }: { readonly id: string; readonly email: string }): Promise<string> => {
  // Before that, the mail would join the earlier one.
  rows.letPass(6 * minute);
  expect((await backend.post(`/${id}/send-password-reset`)).status).toBe(200);
  return mailedToken(mailbox, email, subject);
};
const isDead = async (token: string): Promise<void> => {
  for (const answer of [await inspect(token), await confirm(token, "another walk by the sea")])
    expectRefusal(answer, 401, "invalid password reset token", "invalid_reset_token");
};

describe("send: invitation", () => {
  test("makes the account and mails a link for a first password, which opens the account and proves the address", async () => {
    const ada = await invited({ display_name: "Ada Lovelace" });
    expect(ada.made.text).not.toContain(ada.token);
    expect(ada.made.at("user.email_verified")).toBe(false);
    expect(audit.all("subject_user_id = ?1 and actor = 'service'", ada.id).map(({ action }) => action)).toEqual([
      "auth.registered",
      "auth.password-reset-sent",
    ]);
    const none = { has_password: false, added: [], sign_in: false };
    expect((await inspect(ada.token)).json).toEqual({ ok: true, ...none });
    expect(await confirm(ada.token, "password")).toMatchObject({ status: 400 });
    expect((await confirm(ada.token)).json).toEqual({ ok: true });
    expect((await login(ada.email)).at("user")).toMatchObject({
      email_verified_at: expect.any(String),
      has_password: true,
    });
    await nextMail(mailbox, ada.email, "Your account has a password now");
  });

  test("without it, and with none, no mail is sent", async () => {
    const [silent, none] = [address(), address()];
    await backend.post("", { email: silent });
    await backend.post("", { email: none, send: "none" });
    await invited();
    expect(mailbox.all().filter(({ recipients }) => recipients.includes(silent) || recipients.includes(none))).toEqual(
      [],
    );
  });

  test("mails nobody where the account is not made", async () => {
    const ada = await people.register("ada");
    const before = mailbox.all().length;
    const taken = await backend.post("", { email: ada.email, send: "invitation" });
    expectRefusal(taken, 409, "email already in use", "email_taken");
    await invited();
    expect(
      mailbox
        .all()
        .slice(before)
        .filter(({ subject: about }) => about === subject),
    ).toHaveLength(1);
  });

  test.each(["Invitation", "yes", "", true, null, 7])("refuses %p", async (send) => {
    const refused = await backend.post("", { email: address(), send });
    expectRefusal(refused, 400, "invalid payload", "invalid_payload");
    expect(Object.keys(Object(refused.at("fields")))).toEqual(["send"]);
  });
});

describe("H-85 a link for a first password is good for days where others than a stranger asked for it", () => {
  test("a service's link works for AUTH_FIRST_PASSWORD_TTL and no longer", async () => {
    const [ada, grace] = [await invited(), await invited()];
    rows.letPass(3 * day - minute);
    expect((await confirm(ada.token)).status).toBe(200);
    rows.letPass(2 * minute);
    await isDead(grace.token);
  });

  test("a stranger's link works for AUTH_PASSWORD_RESET_TTL and no longer, and says that it is for a first password", async () => {
    const ada = await invited();
    rows.letPass(6 * minute);
    const [first] = [await strangersToken(ada.email)];
    expect((await inspect(first)).at("has_password")).toBe(false);
    rows.letPass(31 * minute);
    await isDead(first);
    expect((await inspect(ada.token)).status).toBe(200);
  });

  test("strangers who ask all the time neither prolong the link, nor end it, nor hold the next one back", async () => {
    const ada = await invited();
    for (let hours = 0; hours < 3; hours += 1) {
      for (let times = 0; times < 4; times += 1) {
        rows.letPass(6 * minute);
        await strangersToken(ada.email);
      }
      rows.letPass(36 * minute);
    }
    // The stranger has asked a moment ago: that mail must not stand for the one which is good for days.
    await strangersToken(ada.email);
    expect((await backend.post(`/${ada.id}/send-password-reset`)).status).toBe(200);
    const later = await mailedToken(mailbox, ada.email, subject);
    rows.letPass(3 * day - 2 * hour);
    await isDead(ada.token);
    expect((await confirm(later)).status).toBe(200);
  });

  test("no field of a stranger's request makes it one", async () => {
    const ada = await invited();
    rows.letPass(6 * minute);
    const asked = { login: ada.email, first_password: true, send: "invitation", app: "app" };
    expect((await isReset("request", asked)).status).toBe(200);
    const token = await mailedToken(mailbox, ada.email, subject);
    rows.letPass(31 * minute);
    await isDead(token);
  });

  test("an account with a password gets the usual link, whoever asks", async () => {
    const ada = await people.register("ada");
    await backend.post(`/${ada.id}/send-password-reset`);
    const token = await mailedToken(mailbox, ada.email, "Reset your password");
    expect((await inspect(token)).at("has_password")).toBe(true);
    rows.letPass(31 * minute);
    await isDead(token);
  });
});

describe("H-86 H-87 a link for a first password", () => {
  test("works once, also where it is used twice at the same moment", async () => {
    const ada = await invited();
    const answers = await Promise.all(
      ["one walk by the sea", "two walks by the sea"].map((to) => confirm(ada.token, to)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    await isDead(ada.token);
  });

  test("ends with the first password, however that was chosen", async () => {
    const ada = await invited();
    const again = await sendAgain(ada);
    expect((await confirm(again)).status).toBe(200);
    await isDead(ada.token);

    const grace = await invited();
    rows.letPass(6 * minute);
    expect((await confirm(await strangersToken(grace.email))).status).toBe(200);
    await isDead(grace.token);
  });

  test("is good for nothing while there is a password, whatever has set it", async () => {
    const ada = await invited();
    const person = await people.register("grace");
    const hash = String(rows.get("select password_hash from users where id = ?", person.id)["password_hash"]);
    rows.run("update users set password_hash = ? where id = ?", hash, ada.id);
    await isDead(ada.token);
    expect((await login(ada.email, person.password)).status).toBe(200);
  });

  test("ends where the account is disabled, and enabling brings it back no more", async () => {
    const ada = await invited();
    await backend.post(`/${ada.id}/disable`);
    expectRefusal(await backend.post(`/${ada.id}/send-password-reset`), 403, "account is inactive", "account_inactive");
    await isDead(ada.token);
    await backend.post(`/${ada.id}/enable`);
    await isDead(ada.token);
    expect((await confirm(await sendAgain(ada))).status).toBe(200);
  });

  test("ends where the account has another address, or is deleted", async () => {
    const [ada, grace] = [await invited(), await invited()];
    expect((await backend.patch(ada.id, { email: address() })).status).toBe(200);
    await isDead(ada.token);
    await backend.post(`/${grace.id}/delete`);
    await isDead(grace.token);
  });

  test("outlives what a thief in a session of the account does, as every link of its mailbox", async () => {
    const ada = await invited();
    const thief = await people.register("thief");
    rows.run("update auth_sessions set user_id = ? where user_id = ?", ada.id, thief.id);
    expect(await isServed(thief.client)).toBe(true);
    expect((await thief.client.post(auth("logout-all"))).status).toBe(200);
    expect(await isServed(thief.client)).toBe(false);
    expect((await confirm(ada.token)).status).toBe(200);
  });
});

describe("a password that a service gives", () => {
  test("signs in at once, and is judged as at a registration", async () => {
    const email = address();
    const made = await backend.post("", { email, password, avatar_url: "https://example.test/ada.png" });
    expect(made.at("user")).toMatchObject({ email, avatar_url: "https://example.test/ada.png" });
    expect(made.text).not.toContain("password");
    expect((await login(email)).status).toBe(200);
    for (const [weak, code] of [
      ["short", "too_short"],
      ["password", "too_common"],
      ["", "too_short"],
      ["ada.lovelace.1815@example.test", "contains_identity"],
    ] as const) {
      const refused = await backend.post("", { email: "ada.lovelace.1815@example.test", password: weak });
      expectRefusal(refused, 400, "password is too weak", "weak_password");
      expect(refused.at("fields.password")).toMatchObject({ code });
    }
    expect(rows.count("users where email = 'ada.lovelace.1815@example.test'")).toBe(0);
  });

  test.each(foreignHashes.slice(0, 6))("or its hash by $name lets its person in, and nobody else", async (foreign) => {
    const email = address();
    const made = await backend.post("", { email, password_hash: foreign.hash });
    expect(made.status).toBe(200);
    expect(made.text).not.toContain(foreign.hash.slice(-20));
    expect([(await login(email, "a wrong guess")).status, (await login(email, foreign.password)).status]).toEqual([
      401, 200,
    ]);
  });

  test("H-88 is refused where it is no hash, or one that costs too much, or comes with what it excludes", async () => {
    const [{ hash } = { hash: "" }] = foreignHashes;
    for (const [sent, fields] of [
      [{ password_hash: "a long walk by the sea" }, ["password_hash"]],
      [{ password_hash: "" }, ["password_hash"]],
      [{ password_hash: `$2b$31$${"a".repeat(53)}` }, ["password_hash"]],
      [{ password_hash: hash.replace("1000000", "1000000000") }, ["password_hash"]],
      [{ password_hash: [hash] }, ["password_hash"]],
      [{ password, password_hash: hash }, ["password_hash"]],
      [{ password, send: "invitation" }, ["send"]],
      [{ password_hash: hash, send: "invitation" }, ["send"]],
      [{ password, password_hash: hash, send: "invitation" }, ["password_hash", "send"]],
      [{ avatar_url: "javascript:alert(1)" }, ["avatar_url"]],
    ] as const) {
      const refused = await backend.post("", { email: address(), ...sent });
      expectRefusal(refused, 400, "invalid payload", "invalid_payload");
      expect(Object.keys(Object(refused.at("fields"))).toSorted()).toEqual([...fields]);
      expect(refused.text).not.toContain(hash);
    }
  });

  test("H-88 is in no log, event or row but the account's, and its hash in no answer", async () => {
    const [email, secret] = [address(), "a walk that nobody else takes"];
    noteSecret(target.url, secret);
    const made = await backend.post("", { email, password: secret });
    const hash = String(rows.get("select password_hash from users where email = ?", email)["password_hash"]);
    const shown = await backend.get(`/${made.textAt("user.id")}`);
    for (const text of [made.text, shown.text, target.logs(), JSON.stringify(rows.all("select * from audit_events"))])
      expect([text.includes(secret), text.includes(hash)]).toEqual([false, false]);
  });
});

test("H-89 nobody but the holder of a good token learns whether an account has a password", async () => {
  const [ada, grace] = [await invited(), await people.register("grace")];
  const shown = async (answer: Promise<Answer>) => {
    const { status, json } = await answer;
    const { request_id: _, ...rest } = Object(json);
    return { status, rest };
  };
  const used = await invited();
  await confirm(used.token);
  const made = "A".repeat(43);
  expect(await shown(isReset("request", { login: ada.email }))).toEqual(
    await shown(isReset("request", { login: grace.email })),
  );
  expect(await shown(inspect(used.token))).toEqual(await shown(inspect(made)));
  expect(await shown(confirm(used.token))).toEqual(await shown(confirm(made)));
  expect(await shown(login(ada.email))).toEqual(await shown(login("nobody@example.test")));
});
