import { describe, expect, test } from "bun:test";
import { auth, minute, nextMail } from "../../support/auth.ts";
import { createAuthenticator, type Tweaks } from "../../support/authenticator.ts";
import type { Client } from "../../support/client.ts";
import { challengedAt, giveAuthenticator, verify } from "../../support/factor.ts";
import { add, creationOptions, expectInvalidChallenge, origin, signIn, stagePasskeys } from "./passkeys.fixture.ts";

type Staged = Awaited<ReturnType<typeof stagePasskeys>>;
const staged = await stagePasskeys();
const { rows, mailbox, browser, register, withPasskey, ageProof } = staged;

/** What an authenticator does where nobody is asked: it has seen nobody. */
const unasked: Tweaks = { present: false, verified: false };

const offerTo = async (client: Client): Promise<unknown> =>
  (await client.post(auth("passkeys/register/offer"))).at("options");

/** Resolves to a person with an authenticator app, and a browser in which the password and its code have just been right. */
async function signedInTwice({ rows: of, target, register: join }: Staged = staged) {
  const person = await join("grace");
  const app = giveAuthenticator(of, person);
  const sign = await challengedAt(target.url, person);
  expect((await verify(sign, app.code())).status).toBe(200);
  return { person, app, client: sign.browser };
}

async function answer(client: Client, options: unknown, tweaks = unasked) {
  const authenticator = await createAuthenticator(origin);
  const credential = await authenticator.create(options, tweaks);
  return { authenticator, answer: await client.post(auth("passkeys/register/verify"), { credential }) };
}

const factorsOf = (id: string): unknown => rows.get("select factors from users where id = ?", id)["factors"];

describe("M-96 a passkey that a browser makes by itself", () => {
  test("is offered after a password and a second factor, leaves out those that are there, and is told by mail", async () => {
    const { person, client } = await signedInTwice();
    const there = await createAuthenticator(origin);
    await add(client, there);
    const options = await offerTo(client);
    expect(options).toMatchObject({
      rp: { id: "auth.example.test" },
      excludeCredentials: [{ type: "public-key", id: there.credentialId }],
      authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
      attestation: "none",
    });
    await nextMail(mailbox, person.email, "A passkey was added to your account");
    const tweaks = { ...unasked, aaguid: "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4" };
    const made = await answer(client, options, tweaks);
    expect([made.answer.status, made.answer.at("passkey.name")]).toEqual([200, "Google Password Manager"]);
    expect((await nextMail(mailbox, person.email, "A passkey was added to your account")).text).toContain(
      "Google Password Manager",
    );
  });

  test("signs in only once its authenticator has verified its user", async () => {
    const { person, client } = await signedInTwice();
    const { authenticator } = await answer(client, await offerTo(client));
    for (const tweaks of [unasked, { verified: false }])
      expect((await signIn(browser(), authenticator, tweaks)).at("code")).toBe("invalid_credentials");
    expect((await signIn(browser(), authenticator)).at("user.id")).toBe(person.id);
  });

  test("answers an offer alone: for any other challenge somebody has to be there and verified", async () => {
    const { client } = await signedInTwice();
    for (const tweaks of [unasked, { verified: false }, { present: false }]) {
      const refused = await answer(client, await creationOptions(client), tweaks);
      expect([refused.answer.status, refused.answer.at("fields.credential.code")]).toEqual([400, "invalid_value"]);
    }
    expect((await answer(client, await offerTo(client), {})).answer.status).toBe(200);
  });

  test("is refused like any other on a page of another origin, in another session, and a second time", async () => {
    const { person, app, client } = await signedInTwice();
    const other = await challengedAt(staged.target.url, person);
    expect((await verify(other, app.code())).status).toBe(200);
    const options = await offerTo(client);
    expectInvalidChallenge((await answer(other.browser, options)).answer);
    const foreign = await answer(client, options, { ...unasked, origin: "https://example.evil" });
    expect(foreign.answer.at("fields.credential.code")).toBe("invalid_value");
    expect((await answer(client, options)).answer.status).toBe(200);
    expectInvalidChallenge((await answer(client, options)).answer);
  });

  test("is no proof of who is there: neither a fresh one nor one by a passkey", async () => {
    const { person, client } = await signedInTwice();
    const options = await offerTo(client);
    const before = rows.all("select proved_at, factor from auth_sessions where user_id = ?", person.id);
    rows.run("update auth_sessions set proved_at = proved_at - ? where user_id = ?", 9 * minute, person.id);
    expect((await answer(client, options)).answer.status).toBe(200);
    rows.run("update auth_sessions set proved_at = proved_at + ? where user_id = ?", 9 * minute, person.id);
    expect(rows.all("select proved_at, factor from auth_sessions where user_id = ?", person.id)).toEqual(before);
  });
});

describe("M-96 no passkey is offered", () => {
  test("to an account without a second factor, whose sign-in would ask for it from then on", async () => {
    const person = await register("lin");
    const client = await person.login();
    expect(await offerTo(client)).toBeNull();
    // Nor is one added whose account has lost its other factor since it was offered.
    const twice = await signedInTwice();
    const options = await offerTo(twice.client);
    rows.run("delete from auth_totp where user_id = ?", twice.person.id);
    rows.run("update users set factors = 0 where id = ?", twice.person.id);
    expectInvalidChallenge((await answer(twice.client, options)).answer);
    expect(factorsOf(twice.person.id)).toBe(0);
  });

  test("in a session that is not proven by the second factor, or was opened by a passkey", async () => {
    const { person, authenticator } = await withPasskey("ada");
    const fresh = browser();
    await signIn(fresh, authenticator);
    expect(await offerTo(fresh)).toBeNull();
    const before = await register("kim");
    const older = await before.login();
    giveAuthenticator(rows, before);
    expect(await offerTo(older)).toBeNull();
    expect(factorsOf(person.id)).toBe(2);
  });

  test("once the proof is ten minutes old, nor is one added then", async () => {
    const { person, client } = await signedInTwice();
    const options = await offerTo(client);
    ageProof(person);
    expect(await offerTo(client)).toBeNull();
    expect((await answer(client, options)).answer.at("code")).toBe("reauthentication_required");
    expect(factorsOf(person.id)).toBe(1);
  });

  test("to strangers, to pages that could not use it, and to accounts that are full", async () => {
    expect((await browser().post(auth("passkeys/register/offer"))).status).toBe(401);
    const { person, client } = await signedInTwice();
    const headers = { origin: "https://other.example" };
    expect((await client.post(auth("passkeys/register/offer"), {}, { headers })).status).toBe(403);
    await add(client, await createAuthenticator(origin));
    const copy =
      "user_id, public_key, counter, rp_id, name, aaguid, transports, backup_eligible, backed_up, created_at";
    for (let count = 1; count < 20; count += 1)
      rows.run(
        `insert into auth_passkeys (id, credential_id, ${copy}) select ?, ?, ${copy} from auth_passkeys where user_id = ? limit 1`,
        `copy-${count}-${person.id}`,
        `copy-${count}-${person.id}`,
        person.id,
      );
    expect(await offerTo(client)).toBeNull();
  });

  test.each([
    ["it is switched off", { AUTH_PASSKEY_OFFER: "false" }],
    [
      "certain models alone are taken",
      { AUTH_PASSKEY_ATTESTATION: "direct", AUTH_PASSKEY_AAGUIDS: "11111111-2222-3333-4444-555555555555" },
    ],
  ])("where %s", async (_, env) => {
    const { client } = await signedInTwice(await stagePasskeys(env));
    expect(await offerTo(client)).toBeNull();
  });
});
