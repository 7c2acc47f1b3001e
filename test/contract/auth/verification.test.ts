import { describe, expect, test } from "bun:test";
import { auth, expectRefusal, hour, mailedToken, minute, nextMail, second, type Person } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const subject = "Verify your email";

const { target, rows, mailbox, people } = await stage({ env: { APP_URL: "https://id.example.test" } });

const confirm = (token: string, client = createClient(target.url)): Promise<Answer> =>
  client.post(auth("email-verification/confirm"), { token });
const expectDead = (answer: Answer): void =>
  expectRefusal(answer, 401, "invalid email verification token", "invalid_verification_token");
const registrationToken = ({ email }: Person): Promise<string> => mailedToken(mailbox, email, subject);
const isVerified = async ({ client }: Person): Promise<boolean> =>
  (await client.get(auth("me"))).at("user.email_verified_at") !== null;

describe("POST /email-verification/request", () => {
  test("mails a link in text and HTML, and answers nothing but ok", async () => {
    const ada = await people.register("ada");
    await registrationToken(ada);
    rows.letPass(5 * minute + second);
    const answer = await ada.client.post(auth("email-verification/request"));
    expect({ status: answer.status, json: answer.json, cookies: answer.setCookies }).toEqual({
      status: 200,
      json: { ok: true },
      cookies: [],
    });
    const mail = await nextMail(mailbox, ada.email, subject);
    const link = /^https:\/\/id\.example\.test\/verify-email\?token=([\w-]{43})$/m.exec(mail.text);
    expect(link).not.toBeNull();
    expect(mail.html).toContain(`href="${link?.[0]}"`);
  });

  test("answers ok and mails nothing when the address is verified already", async () => {
    const ada = await people.register("ada");
    await confirm(await registrationToken(ada), ada.client);
    const before = mailbox.all().length;
    expect((await ada.client.post(auth("email-verification/request"))).json).toEqual({ ok: true });
    const grace = await people.register("grace");
    await registrationToken(grace);
    expect(
      mailbox
        .all()
        .slice(before)
        .flatMap(({ recipients }) => recipients),
    ).toEqual([grace.email]);
  });

  test("G-10 mails at most once in five minutes, and goes on answering ok", async () => {
    const ada = await people.register("ada");
    await registrationToken(ada);
    for (let times = 1; times <= 13; times += 1)
      expect((await ada.client.post(auth("email-verification/request"))).json).toEqual({ ok: true });
    await registrationToken(await people.register("grace"));
    expect(mailbox.all().filter(({ recipients }) => recipients.includes(ada.email))).toHaveLength(1);
  });
});

describe("POST /email-verification/confirm", () => {
  test("verifies the address and answers the user, with or without a session", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    for (const [person, client] of [
      [ada, createClient(target.url)],
      [grace, grace.client],
    ] as const) {
      const answer = await confirm(await registrationToken(person), client);
      expect(answer.status).toBe(200);
      expect(answer.at("user.id")).toBe(person.id);
      expect(Date.parse(answer.textAt("user.email_verified_at"))).toBeWithin(Date.now() - minute, Date.now() + second);
      expect(answer.setCookies).toEqual([]);
      expect(await isVerified(person)).toBe(true);
    }
  });

  test("verifies the token's user, not the one who is signed in", async () => {
    const [ada, mallory] = [await people.register("ada"), await people.register("mallory")];
    const answer = await confirm(await registrationToken(mallory), ada.client);
    expect(answer.at("user.id")).toBe(mallory.id);
    expect(await isVerified(ada)).toBe(false);
  });

  test("G-03 works once: of 100 simultaneous confirms one succeeds, and replays fail", async () => {
    const ada = await people.register("ada");
    const token = await registrationToken(ada);
    const answers = await Promise.all(Array.from({ length: 100 }, () => confirm(token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(99).fill(401)]);
    expectDead(await confirm(token));
    expect(await isVerified(ada)).toBe(true);
  });

  test("G-04 works for 24 hours and no longer", async () => {
    const ada = await people.register("ada");
    const late = await registrationToken(ada);
    rows.letPass(24 * hour + second);
    expectDead(await confirm(late));
    const grace = await people.register("grace");
    const intime = await registrationToken(grace);
    rows.letPass(24 * hour - minute);
    expect((await confirm(intime)).status).toBe(200);
  });

  test("G-07 of several mailed tokens the first one used kills the others", async () => {
    const ada = await people.register("ada");
    const older = await registrationToken(ada);
    rows.letPass(5 * minute + second);
    await ada.client.post(auth("email-verification/request"));
    const newer = await registrationToken(ada);
    expect((await confirm(older)).status).toBe(200);
    expectDead(await confirm(newer));
    expectDead(await confirm(older));
  });

  test("G-07 a change of the address kills the tokens of the old one", async () => {
    const ada = await people.register("ada");
    const old = await registrationToken(ada);
    const moved = { ...ada, email: `new.${ada.email}` };
    await ada.client.post(auth("profile"), { email: moved.email, current_password: ada.password });
    expect((await confirm(await registrationToken(moved))).at("user.email")).toBe(moved.email);
    expectDead(await confirm(old));
    expect(await isVerified(ada)).toBe(true);
  });

  test("G-06 reading the link redeems nothing: GET, HEAD and OPTIONS leave the token valid", async () => {
    const ada = await people.register("ada");
    const token = await registrationToken(ada);
    for (const method of ["GET", "HEAD", "OPTIONS"]) {
      const path = auth(`email-verification/confirm?token=${token}`);
      expect((await createClient(target.url).request(method, path)).status).toBeGreaterThanOrEqual(400);
      // The page of the link waits for a click.
      await createClient(target.url).request(method, `/verify-email?token=${token}`);
    }
    expect(await isVerified(ada)).toBe(false);
    expect((await confirm(token)).status).toBe(200);
  });

  test("refuses a token that was never issued", async () => {
    for (const token of ["", "x", "A".repeat(43), "x".repeat(512)]) expectDead(await confirm(token));
  });

  test.each([
    ["an empty body", undefined],
    ["no token", {}],
    ["a list as token", { token: ["x"] }],
    ["a token of 1,000 characters", { token: "x".repeat(1000) }],
  ])("refuses %s", async (_, body) => {
    const answer = await createClient(target.url).post(auth("email-verification/confirm"), body);
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
  });

  test("a user disabled since can't redeem", async () => {
    const ada = await people.register("ada");
    const token = await registrationToken(ada);
    rows.run("update users set active = 0 where id = ?", ada.id);
    expectDead(await confirm(token));
  });
});
