import { describe, expect, test } from "bun:test";
import { auth, nextMail } from "../../support/auth.ts";
import { createAuthenticator, type Tweaks } from "../../support/authenticator.ts";
import type { Client } from "../../support/client.ts";
import { add, creationOptions, expectInvalidChallenge, origin, signIn, stagePasskeys } from "./passkeys.fixture.ts";

const { rows, mailbox, browser, register, withPasskey, ageProof } = await stagePasskeys();
const ada = await withPasskey("ada");
const strict = await stagePasskeys({ AUTH_MFA_REQUIRED: "true" });

/** Returns the challenge that a browser has answered. */
function challengeOf({ response }: { readonly response: object }): string {
  const text = Buffer.from(String(Reflect.get(response, "clientDataJSON")), "base64url").toString();
  return String(Reflect.get(Object(JSON.parse(text)), "challenge"));
}

describe("adding a passkey", () => {
  test("shows it with its name, and tells the owner by mail, the audit log and the account's factors", async () => {
    const grace = await register("grace");
    const authenticator = await createAuthenticator(origin);
    const answer = await add(
      grace.client,
      authenticator,
      { synced: true, transports: ["hybrid", "internal"] },
      "Phone",
    );
    expect(answer.status).toBe(200);
    expect(answer.at("passkey")).toEqual({
      id: expect.any(String),
      name: "Phone",
      created_at: expect.any(String),
      last_used_at: null,
      synced: true,
      transports: ["hybrid", "internal"],
      rp_id: "auth.example.test",
    });
    expect((await nextMail(mailbox, grace.email, "A passkey was added to your account")).text).toMatch(
      /^Passkey: +Phone$/m,
    );
    expect(rows.get("select factors from users where id = ?", grace.id)).toEqual({ factors: 2 });
    expect(rows.count("audit_events where action = 'auth.factor-added' and subject_user_id = ?", grace.id)).toBe(1);
  });

  test("M-37 the handle that authenticators keep is random, the same for all passkeys of an account, and says nothing", async () => {
    const handleOf = async (client: Client) =>
      (await client.post(auth("passkeys/register/options"))).textAt("options.user.id");
    const [own, again] = [await handleOf(ada.person.client), await handleOf(ada.person.client)];
    expect(own).toMatch(/^[\w-]{43}$/);
    expect(again).toBe(own);
    expect(Buffer.from(own, "base64url").toString("latin1")).not.toContain(ada.person.id);
    expect(await handleOf((await register("grace")).client)).not.toBe(own);
  });

  test.each([
    ["that is known, after it", "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4", "Google Password Manager"],
    ["that is not known, after the browser", "11111111-2222-3333-4444-555555555555", "Mac · Safari"],
  ])("without a name it is called after where it is kept: %s", async (_, aaguid, name) => {
    const { client } = await register("grace");
    const authenticator = await createAuthenticator(origin);
    const credential = await authenticator.create(await creationOptions(client), { aaguid });
    const headers = { "user-agent": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.0 Safari/605.1.15" };
    const answer = await client.post(auth("passkeys/register/verify"), { credential }, { headers });
    expect(answer.at("passkey.name")).toBe(name);
  });

  test.each([
    ["on a page of another origin", { origin: "https://example.evil" }, "wrong_origin"],
    ["in a frame", { crossOrigin: true }, "cross_origin"],
    ["for another site", { rpId: "example.evil" }, "wrong_rp_id"],
    ["without user verification", { verified: false }, "not_verified"],
    ["by the answer to a sign-in", { type: "webauthn.get" }, "wrong_ceremony"],
    ["under another id than it is shown by", { credentialId: "c2hvcnQ" }, "malformed_credential"],
  ] as const)(
    "M-32 one that was made %s is refused, and why stands in the audit log alone",
    async (_, tweaks, reason) => {
      const { client } = ada.person;
      const authenticator = await createAuthenticator(origin);
      const { credentialId, ...rest }: Tweaks = tweaks;
      const credential = await authenticator.create(await creationOptions(client), rest);
      const shown = credentialId === undefined ? credential : { ...credential, id: credentialId, rawId: credentialId };
      const answer = await client.post(auth("passkeys/register/verify"), { credential: shown });
      expect([answer.status, answer.at("code"), answer.at("fields.credential.code")]).toEqual([
        400,
        "invalid_payload",
        "invalid_value",
      ]);
      expect(answer.text).not.toContain(reason);
      expect(rows.count("audit_events where action = 'auth.factor-refused' and reason = ?", reason)).toBe(1);
    },
  );

  test("M-32 what its maker says of an authenticator is not looked at", async () => {
    const { client } = await register("grace");
    const authenticator = await createAuthenticator(origin);
    const statement = new Map([["x5c", new Uint8Array(64)]]);
    expect((await add(client, authenticator, { format: "apple", statement })).status).toBe(200);
    expect((await signIn(browser(), authenticator)).status).toBe(200);
  });

  test("M-05 a challenge makes one passkey, in the session that it was given to", async () => {
    const { client, login } = { ...(await register("grace")) };
    const authenticator = await createAuthenticator(origin);
    const credential = await authenticator.create(await creationOptions(client));
    const second = await login();
    expectInvalidChallenge(await second.post(auth("passkeys/register/verify"), { credential }));
    expect((await client.post(auth("passkeys/register/verify"), { credential })).status).toBe(200);
    const other = await (
      await createAuthenticator(origin)
    ).create({
      rp: { id: "auth.example.test" },
      user: { id: "any" },
      challenge: challengeOf(credential),
    });
    expectInvalidChallenge(await client.post(auth("passkeys/register/verify"), { credential: other }));
  });

  test("M-38 a passkey belongs to one account, and is added once", async () => {
    const grace = await register("grace");
    for (const client of [ada.person.client, grace.client]) {
      const answer = await add(client, ada.authenticator);
      expect([answer.status, answer.at("code")]).toEqual([409, "factor_exists"]);
    }
    await ada.authenticator.create(await creationOptions(ada.person.client));
    expect((await signIn(browser(), ada.authenticator)).at("user.id")).toBe(ada.person.id);
  });

  test("M-39 an account has 20 at most", async () => {
    const { person, id } = await withPasskey("grace");
    const copy =
      "user_id, public_key, counter, rp_id, name, aaguid, transports, backup_eligible, backed_up, created_at";
    for (let count = 1; count < 19; count += 1)
      rows.run(
        `insert into auth_passkeys (id, credential_id, ${copy}) select ?, ?, ${copy} from auth_passkeys where id = ?`,
        `copy-${count}-${id}`,
        `copy-${count}-${id}`,
        id,
      );
    const { client } = person;
    const [first, second] = [await createAuthenticator(origin), await createAuthenticator(origin)];
    const [one, two] = [
      await first.create(await creationOptions(client)),
      await second.create(await creationOptions(client)),
    ];
    const answers = await Promise.all(
      [one, two].map((credential) => client.post(auth("passkeys/register/verify"), { credential })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.at("code")).toBe("passkey_limit");
    const options = await client.post(auth("passkeys/register/options"));
    expect([options.status, options.at("code")]).toEqual([409, "passkey_limit"]);
  });

  test("takes a session and a fresh proof", async () => {
    const grace = await register("grace");
    expect((await browser().post(auth("passkeys/register/options"))).status).toBe(401);
    const authenticator = await createAuthenticator(origin);
    const credential = await authenticator.create(await creationOptions(grace.client));
    ageProof(grace);
    for (const [route, body] of [
      ["options", {}],
      ["verify", { credential }],
    ] as const)
      expect((await grace.client.post(auth(`passkeys/register/${route}`), body)).at("code")).toBe(
        "reauthentication_required",
      );
  });
});

describe("looking after passkeys", () => {
  test("one is given another name", async () => {
    const { person, id } = await withPasskey("grace");
    const answer = await person.client.post(auth(`passkeys/${id}/rename`), { name: "Key ring" });
    expect(answer.at("passkey.name")).toBe("Key ring");
    expect((await ada.person.client.post(auth(`passkeys/${id}/rename`), { name: "Mine" })).status).toBe(404);
    expect((await person.client.post(auth(`passkeys/${id}/rename`), { name: " " })).status).toBe(400);
  });

  test("M-91 another name takes a fresh proof, and is in the audit log", async () => {
    const { person, id } = await withPasskey("grace");
    const rename = () => person.client.post(auth(`passkeys/${id}/rename`), { name: "Key ring" });
    ageProof(person);
    const refused = await rename();
    expect([refused.status, refused.at("code")]).toEqual([403, "reauthentication_required"]);
    expect(rows.get("select name from auth_passkeys where id = ?", id)["name"]).not.toBe("Key ring");
    await person.client.post(auth("reauthenticate"), { current_password: person.password });
    rows.run("update auth_sessions set proved_at = ? where user_id = ?", Date.now(), person.id);
    expect((await rename()).status).toBe(200);
    expect(rows.count("audit_events where action = 'auth.factor-renamed' and subject_user_id = ?", person.id)).toBe(1);
  });

  test("M-39 one that is removed signs nobody in, and the owner is told", async () => {
    const { person, authenticator, id } = await withPasskey("grace");
    expect((await ada.person.client.post(auth(`passkeys/${id}/remove`))).at("code")).toBe("factor_not_found");
    ageProof(person);
    expect((await person.client.post(auth(`passkeys/${id}/remove`))).at("code")).toBe("reauthentication_required");
    const client = browser();
    await signIn(client, authenticator);
    expect((await client.post(auth(`passkeys/${id}/remove`))).status).toBe(200);
    expect((await nextMail(mailbox, person.email, "A passkey was removed from your account")).text).toContain(
      "Passkey:",
    );
    expect(rows.get("select factors from users where id = ?", person.id)).toEqual({ factors: 0 });
    expect((await signIn(browser(), authenticator)).status).toBe(401);
    expect((await client.post(auth(`passkeys/${id}/remove`))).at("code")).toBe("factor_not_found");
  });

  test("M-39 where a second factor is required, the last one stays", async () => {
    const { person, id } = await strict.withPasskey("grace");
    const { client } = person;
    const remove = async (passkey: string) => (await client.post(auth(`passkeys/${passkey}/remove`))).at("code");
    expect(await remove(id)).toBe("last_factor");
    const other = await add(client, await createAuthenticator(origin));
    expect(await remove(id)).toBeUndefined();
    expect(await remove(other.textAt("passkey.id"))).toBe("last_factor");
  });

  test("M-39 with the last one go the recovery codes", async () => {
    const { person, id } = await withPasskey("grace");
    expect((await person.client.post(auth("mfa/recovery-codes"))).status).toBe(200);
    expect((await person.client.post(auth(`passkeys/${id}/remove`))).status).toBe(200);
    expect((await person.client.get(auth("mfa"))).json).toMatchObject({ passkeys: [], recovery_codes_left: 0 });
    expect(rows.count("auth_recovery_codes where user_id = ?", person.id)).toBe(0);
  });

  test("are listed with all that their user may know of them", async () => {
    const { person, id } = await withPasskey("grace");
    const listed = await person.client.get(auth("mfa"));
    expect(listed.at("passkeys")).toMatchObject([{ id, synced: false, transports: ["internal"], last_used_at: null }]);
  });

  test("the account that is deleted takes its passkeys along", async () => {
    const { person } = await withPasskey("grace");
    const { password } = person;
    await person.client.post(auth("account/delete"), { current_password: password });
    for (const table of ["auth_passkeys", "auth_passkey_handles"])
      expect(rows.count(`${table} where user_id = ?`, person.id)).toBe(0);
  });
});
