import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createPasskeyChallenges } from "../../../src/auth/factor/passkey.challenges.ts";
import { auth, expectRefusal, isServed, jwtSecret, minute, nextMail, type Person } from "../../support/auth.ts";
import { createAuthenticator, type Algorithm, type Authenticator, type Tweaks } from "../../support/authenticator.ts";
import { createClient, type Client } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { startTarget, type Target } from "../../support/target.ts";

const origin = "https://auth.example.test";
const cookie = "__Host-auth_passkey";
const { target, rows, people, mailbox, browser } = await stage({ env: { APP_URL: origin } });

/** The reason of the newest refusal that the audit log has. */
async function refusalIn(reason: string): Promise<void> {
  const deadline = performance.now() + minute;
  while (rows.count("audit_events where outcome = 'failure' and reason = ?", reason) === 0) {
    if (performance.now() > deadline) throw new Error(`no refusal for ${reason}`);
    await Bun.sleep(20);
  }
}

const creationOptions = async (client: Client): Promise<unknown> =>
  (await client.post(auth("passkeys/register/options"))).at("options");
const requestOptions = async (client: Client): Promise<unknown> =>
  (await client.post(auth("passkeys/login/options"))).at("options");

const add = async (client: Client, authenticator: Authenticator, tweaks: Tweaks = {}, name?: string) =>
  client.post(auth("passkeys/register/verify"), {
    credential: await authenticator.create(await creationOptions(client), tweaks),
    ...(name === undefined ? {} : { name }),
  });

const signIn = async (client: Client, authenticator: Authenticator, tweaks: Tweaks = {}, fields: object = {}) =>
  client.post(auth("passkeys/login/verify"), {
    credential: await authenticator.get(await requestOptions(client), tweaks),
    ...fields,
  });

/** Mails go to proven addresses alone. */
async function register(name: string): Promise<Person> {
  const person = await people.register(name);
  rows.prove(person);
  return person;
}

async function withPasskey(name: string, algorithm: Algorithm = "ES256") {
  const person = await register(name);
  const authenticator = await createAuthenticator(origin, algorithm);
  const added = await add(person.client, authenticator);
  expect(added.status).toBe(200);
  return { person, authenticator, id: added.textAt("passkey.id") };
}

const expectInvalidChallenge = (answer: Parameters<typeof expectRefusal>[0]): void =>
  expectRefusal(answer, 401, "the sign-in has expired or was begun elsewhere: sign in again", "invalid_challenge");

/** The challenge that a browser has answered. */
function challengeOf({ response }: { readonly response: object }): string {
  const text = Buffer.from(String(Reflect.get(response, "clientDataJSON")), "base64url").toString();
  return String(Reflect.get(Object(JSON.parse(text)), "challenge"));
}

/** A session whose proof is too old for what would hurt in other hands. */
const ageProof = ({ id }: Person): number =>
  rows.run("update auth_sessions set proved_at = proved_at - ? where user_id = ?", 11 * minute, id);

const ada = await withPasskey("ada");

describe("signing in with a passkey", () => {
  test.each(["ES256", "EdDSA", "RS256"] as const)("takes no name: %s", async (algorithm) => {
    const { person, authenticator } = await withPasskey("grace", algorithm);
    const client = browser();
    const answer = await signIn(client, authenticator, {}, { remember: true });
    expect(answer.status).toBe(200);
    expect(answer.at("user.id")).toBe(person.id);
    expect(answer.setCookies.map(({ name }) => name)).toEqual(["auth_access", "auth_refresh", "auth_device"]);
    expect(await isServed(client)).toBe(true);
    expect((await signIn(browser(), authenticator)).status).toBe(200);
  });

  test("M-30 what is offered to a stranger names nobody, asks for user verification, and lasts five minutes", async () => {
    const client = browser();
    const answer = await client.post(auth("passkeys/login/options"));
    expect(answer.at("options")).toEqual({
      rpId: "auth.example.test",
      challenge: expect.stringMatching(/^[\w-]{75}$/),
      timeout: 5 * minute,
      allowCredentials: [],
      userVerification: "required",
    });
    const [set] = answer.setCookies;
    expect(set?.name).toBe(cookie);
    expect([...(set?.attributes.keys() ?? [])].toSorted()).toEqual([
      "httponly",
      "max-age",
      "path",
      "samesite",
      "secure",
    ]);
  });

  test("M-31 strangers who ask for challenges leave no row behind", async () => {
    const tables = [...rows.tables().keys()].filter((table) => table.startsWith("auth_"));
    const counted = () => tables.map((table) => rows.count(table));
    const before = counted();
    for (let asked = 0; asked < 20; asked += 1) await requestOptions(browser());
    expect(counted()).toEqual(before);
  });

  test.each([
    ["of another origin", { origin: "https://auth.example.evil" }, "wrong_origin"],
    ["of the same host over plain HTTP", { origin: "http://auth.example.test" }, "wrong_origin"],
    ["of another port", { origin: "https://auth.example.test:8443" }, "wrong_origin"],
    ["in a frame of another origin", { crossOrigin: true }, "cross_origin"],
    ["with another page around it", { topOrigin: "https://example.evil" }, "cross_origin"],
    ["made for another site", { rpId: "example.evil" }, "wrong_rp_id"],
    ["without user verification", { verified: false }, "not_verified"],
    ["without anybody there", { present: false }, "not_verified"],
    ["by another key", { forged: true }, "wrong_signature"],
    ["of a registration", { type: "webauthn.create" }, "wrong_ceremony"],
    ["in the name of another account", { userHandle: "c29tZWJvZHkgZWxzZQ" }, "foreign_user_handle"],
    ["in nobody's name", { userHandle: null }, "foreign_user_handle"],
    ["that nobody has", { credentialId: "bm8gc3VjaCBwYXNza2V5" }, "unknown_credential"],
  ] as const)("M-32 an answer %s is refused, and why stands in the audit log alone", async (_, tweaks, reason) => {
    rows.forgive();
    const client = browser();
    const answer = await signIn(client, ada.authenticator, tweaks);
    expectRefusal(answer, 401, "invalid credentials", "invalid_credentials");
    expect(answer.text).not.toContain(reason);
    expect(client.cookie("auth_access")).toBeUndefined();
    await refusalIn(reason);
  });

  test("M-05 M-33 a challenge serves once", async () => {
    const client = browser();
    const credential = await ada.authenticator.get(await requestOptions(client));
    expect((await client.post(auth("passkeys/login/verify"), { credential })).status).toBe(200);
    expectInvalidChallenge(await client.post(auth("passkeys/login/verify"), { credential }));
    await refusalIn("challenge_used_up");
  });

  test("M-33 of many answers to one challenge at the same time, one serves", async () => {
    rows.forgive();
    const client = browser();
    const options = await requestOptions(client);
    const credentials = await Promise.all(Array.from({ length: 8 }, () => ada.authenticator.get(options)));
    const answers = await Promise.all(
      credentials.map((credential) => client.copy().post(auth("passkeys/login/verify"), { credential })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    rows.forgive();
  });

  test("M-05 a challenge is worth nothing in another browser, session or ceremony, and after five minutes", async () => {
    const [client, other] = [browser(), browser()];
    const options = await requestOptions(client);
    await requestOptions(other);
    const verify = async (as: Client, tweaks: Tweaks = {}) =>
      as.post(auth("passkeys/login/verify"), { credential: await ada.authenticator.get(options, tweaks) });
    expectInvalidChallenge(await verify(other));
    expectInvalidChallenge(await verify(browser()));
    expectInvalidChallenge(await verify(client, { challenge: "bWFkZSB1cA" }));
    const { challenge } = Object(await creationOptions(ada.person.client));
    expectInvalidChallenge(await verify(client, { challenge }));
    const late = createPasskeyChallenges({
      app: "app",
      secret: jwtSecret,
      previousSecrets: [],
      clock: { now: () => Date.now() - 5 * minute - 1 },
    }).issue({ kind: "login", boundTo: client.cookie(cookie) ?? "" });
    expectInvalidChallenge(await verify(client, { challenge: late }));
    for (const reason of ["challenge_of_other_browser", "challenge_unknown", "challenge_expired"])
      await refusalIn(reason);
    expect((await verify(client)).status).toBe(200);
  });

  test("M-34 a counter that falls back is refused, and its owner is told", async () => {
    const { person, authenticator } = await withPasskey("grace");
    expect((await signIn(browser(), authenticator, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 6, 0])
      expectRefusal(
        await signIn(browser(), authenticator, { counter }),
        401,
        "invalid credentials",
        "invalid_credentials",
      );
    await refusalIn("counter_fell_back");
    const mail = await nextMail(mailbox, person.email, "A passkey of your account may have been copied");
    expect(mail.text).toContain("Remove the passkey");
    expect((await signIn(browser(), authenticator, { counter: 8 })).status).toBe(200);
  });

  test("M-34 a counter that fell back by a signature that is none is told to nobody", async () => {
    const { person, authenticator } = await withPasskey("grace");
    expect((await signIn(browser(), authenticator, { counter: 7 })).status).toBe(200);
    expect((await signIn(browser(), authenticator, { counter: 3, forged: true })).status).toBe(401);
    expect(rows.count("audit_events where subject_user_id = ? and reason = 'counter_fell_back'", person.id)).toBe(0);
  });

  test("a passkey without a counter signs in again and again", async () => {
    const { authenticator } = await withPasskey("grace");
    for (let time = 0; time < 3; time += 1)
      expect((await signIn(browser(), authenticator, { counter: 0 })).status).toBe(200);
  });

  test("M-35 the account of a passkey is switched off: the answer is that of an unknown passkey", async () => {
    const { person, authenticator } = await withPasskey("grace");
    rows.run("update users set active = 0 where id = ?", person.id);
    expectRefusal(await signIn(browser(), authenticator), 401, "invalid credentials", "invalid_credentials");
  });

  test("M-36 wrong answers lock the passkey for a while, and neither the password nor another passkey", async () => {
    rows.forgive();
    const { person, authenticator } = await withPasskey("grace");
    const other = await createAuthenticator(origin);
    expect((await add(person.client, other)).status).toBe(200);
    for (let time = 0; time < 4; time += 1)
      expect((await signIn(browser(), authenticator, { forged: true })).status).toBe(401);
    expect((await signIn(browser(), authenticator, { forged: true })).status).toBe(423);
    expect((await signIn(browser(), authenticator)).status).toBe(423);
    expect((await signIn(browser(), other)).status).toBe(200);
    rows.forgive();
  });

  test("an app that is no browser gets tokens", async () => {
    const client = browser();
    const asked = await client.post(auth("passkeys/login/options"), { delivery: "body" });
    expect(asked.setCookies).toEqual([]);
    const credential = await ada.authenticator.get(asked.at("options"));
    expectInvalidChallenge(await client.post(auth("passkeys/login/verify"), { credential }));
    const answer = await client.post(auth("passkeys/login/verify"), { credential, delivery: "body" });
    expect(answer.status).toBe(200);
    expect(answer.textAt("tokens.access_token")).not.toBe("");
    const page = { headers: { origin, "sec-fetch-site": "same-origin" } };
    const refused = await browser().post(auth("passkeys/login/options"), { delivery: "body" }, page);
    expect(refused.at("code")).toBe("cookies_only");
  });

  test.each([
    ["nothing", {}, "required"],
    ["text", { credential: "a passkey" }, "invalid_type"],
    ["an object of another shape", { credential: { id: "a", response: {} } }, "invalid_type"],
  ])("%s in place of a passkey is an invalid payload", async (_, body, code) => {
    const answer = await browser().post(auth("passkeys/login/verify"), body);
    expect(answer.status).toBe(400);
    expect(answer.at("fields.credential.code")).toBe(code);
  });
});

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
    await nextMail(mailbox, grace.email, "A passkey was added to your account");
    expect(rows.get("select factors from users where id = ?", grace.id)).toEqual({ factors: 2 });
    expect(rows.count("audit_events where action = 'auth.factor-added' and subject_user_id = ?", grace.id)).toBe(1);
  });

  test("M-37 the handle that authenticators keep is random, the same for all passkeys of an account, and says nothing", async () => {
    const handleOf = async (client: Client) => Object(Object(await creationOptions(client))["user"])["id"];
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
    ["on a page of another origin", { origin: "https://example.evil" }],
    ["in a frame", { crossOrigin: true }],
    ["for another site", { rpId: "example.evil" }],
    ["without user verification", { verified: false }],
    ["by the answer to a sign-in", { type: "webauthn.get" }],
    ["under another id than it is shown by", { credentialId: "c2hvcnQ" }],
  ] as const)("M-32 one that was made %s is refused", async (_, tweaks) => {
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
  });

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

  test("M-39 one that is removed signs nobody in, and the owner is told", async () => {
    const { person, authenticator, id } = await withPasskey("grace");
    expect((await ada.person.client.post(auth(`passkeys/${id}/remove`))).at("code")).toBe("factor_not_found");
    ageProof(person);
    expect((await person.client.post(auth(`passkeys/${id}/remove`))).at("code")).toBe("reauthentication_required");
    const client = browser();
    await signIn(client, authenticator);
    expect((await client.post(auth(`passkeys/${id}/remove`))).status).toBe(200);
    await nextMail(mailbox, person.email, "A passkey was removed from your account");
    expect(rows.get("select factors from users where id = ?", person.id)).toEqual({ factors: 0 });
    expect((await signIn(browser(), authenticator)).status).toBe(401);
    expect((await client.post(auth(`passkeys/${id}/remove`))).at("code")).toBe("factor_not_found");
  });

  test("the account that is deleted takes its passkeys along", async () => {
    const { person } = await withPasskey("grace");
    const { password } = person;
    await person.client.post(auth("account/delete"), { current_password: password });
    for (const table of ["auth_passkeys", "auth_passkey_handles"])
      expect(rows.count(`${table} where user_id = ?`, person.id)).toBe(0);
  });
});

describe("two processes", () => {
  let second: Target;
  beforeAll(async () => {
    const env = { ...target.env, DB_DATABASE: target.databasePath };
    second = await startTarget({ env, roles: ["http"], migrate: false, shared: true });
  });
  afterAll(() => second.stop());

  /** The same browser at another process. */
  function at(url: string, client: Client): Client {
    const there = createClient(url);
    there.setCookie(cookie, client.cookie(cookie) ?? "");
    return there;
  }

  test("M-05 M-33 know each other's challenges, and let one of many answers serve", async () => {
    const client = browser();
    const options = await requestOptions(client);
    const credential = await ada.authenticator.get(options);
    const answers = await Promise.all(
      [target, second, target, second].map(({ url }) =>
        at(url, client).post(auth("passkeys/login/verify"), { credential }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    expectInvalidChallenge(await at(second.url, client).post(auth("passkeys/login/verify"), { credential }));
  });
});
